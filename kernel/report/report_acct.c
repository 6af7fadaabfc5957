/* SPDX-License-Identifier: MIT */
/* The account log: the records ACCT and RANGES. */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/account_log.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "kernel/sched/activity.h"

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

    frame_tx_row(&row);
}

/* All ranges that were entered.  PROBE runs: all other tasks have left the processor, so that nothing is missing. */
static void send_ranges(uint64_t serial)
{
    frame_tx_begin(WIRE_RANGES, &(struct wire_ranges){
        .epoch = frame_tx_epoch(), .serial = serial, .time = rdtsc() - run_state->start });
    for (unsigned i = 0; i < ACTIVITY_RANGES; i++) {
        const struct activity_range r = activity_range((uint8_t)i);

        if (r.times != 0)
            frame_tx_row(&(struct wire_ranges_row){ i, r.times, r.time });
    }
    frame_tx_end_rows();
}

/* Every acct= seconds, at the end, and before ended tasks find no room. */
static bool is_due(bool final)
{
    return final || run.second % run_config()->acct == 0 || account_log_is_filling();
}

static void put_frames(uint64_t serial, bool final)
{
    struct account_log_row r = { 0 };

    if (!is_due(final))
        return;
    frame_tx_begin(WIRE_ACCT, &(struct wire_acct){
        .epoch = frame_tx_epoch(), .serial = serial, .time = account_log_time() - run_state->start, .lost = account_log_lost(),
    });
    while (account_log_take(&r))
        put(&r);
    for (uint32_t i = 0; account_log_row(i, &r); i++)
        put(&r);
    frame_tx_end_rows();
    send_ranges(serial);
}

const struct monitor_report report_account_log = { .put_frames = put_frames };
