/* SPDX-License-Identifier: MIT */
/* The account log: the records ACCT and RANGES. */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/account_log.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "kernel/sched/activity.h"

static struct wire_writer writer; /* task PROBE, as all below */
static struct wire_acct frame_head;
static bool is_open;

static void send(void)
{
    if (is_open)
        frame_tx_send(&writer);
    is_open = false;
}

static struct wire_acct_row row_of(const struct account_log_row *r)
{
    return (struct wire_acct_row){
        .task = r->birth, .id = r->id, .ended = r->ended,
        .user = r->time.time[MODE_USER][0] + r->time.time[MODE_USER][1],
        .supervisor = r->time.time[MODE_SUPERVISOR][0] + r->time.time[MODE_SUPERVISOR][1],
        .kernel = r->time.time[MODE_KERNEL][0] + r->time.time[MODE_KERNEL][1],
        .interrupt = r->time.time[MODE_INTERRUPT][0] + r->time.time[MODE_INTERRUPT][1],
        .switches = r->activity.switches, .calls = r->calls, .denied = r->denied, .faults = r->faults, .pages = r->pages,
        .io = r->io_done, .io_time = r->io_time, .activations = r->activity.activations,
        .response = r->activity.response, .response_greatest = r->activity.greatest,
    };
}

static void put(const struct account_log_row *r)
{
    const struct wire_acct_row row = row_of(r);

    if (is_open && wire_row(&writer, WIRE_ACCT, &row))
        return;
    send();
    wire_begin(&writer, WIRE_ACCT, &frame_head);
    wire_row(&writer, WIRE_ACCT, &row);
    is_open = true;
}

/* All ranges that were entered.  PROBE runs: all other tasks have left the processor, so that nothing is missing. */
static void send_ranges(uint64_t serial)
{
    const struct wire_ranges head = { .epoch = frame_tx_epoch(), .serial = serial, .time = rdtsc() - run_state->start };
    bool open = false;

    for (unsigned i = 0; i < ACTIVITY_RANGES; i++) {
        const struct activity_range r = activity_range((uint8_t)i);
        const struct wire_ranges_row row = { i, r.times, r.time };

        if (r.times == 0 || (open && wire_row(&writer, WIRE_RANGES, &row)))
            continue;
        if (open)
            frame_tx_send(&writer);
        wire_begin(&writer, WIRE_RANGES, &head);
        wire_row(&writer, WIRE_RANGES, &row);
        open = true;
    }
    if (open)
        frame_tx_send(&writer);
}

/* Every acct= seconds, at the end, and before ended tasks find no room. */
static bool is_due(bool final)
{
    return final || run.second % run_config()->acct == 0 || account_log_is_filling();
}

static void put_frames(uint64_t serial, bool final)
{
    struct account_log_row r;

    if (!is_due(final))
        return;
    frame_head = (struct wire_acct){
        .epoch = frame_tx_epoch(), .serial = serial, .time = account_log_time() - run_state->start, .lost = account_log_lost(),
    };
    while (account_log_take(&r))
        put(&r);
    for (uint32_t i = 0; account_log_row(i, &r); i++)
        put(&r);
    send();
    send_ranges(serial);
}

const struct monitor_report report_acct = { .word = MONITOR_ACCT, .put_frames = put_frames };
