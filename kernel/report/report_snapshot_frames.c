/* SPDX-License-Identifier: MIT */
/*
 * Snapshots and the end of a run as frames (docs/PROTOCOL.md, "Snapshots", "Deltas", "Turns"): whole ones in their
 * turn, between them what has changed, and names as soon as they are new.
 */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/report/run.h"
#include "kernel/report/stream_turns.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/window.h"
#include "probe/schedule/memory.h"
#include "probe/stats/snapshot_delta.h"
#include "probe/stats/snapshot_frames.h"

/* What an epoch's host has been told; task PROBE, as all here. */
static struct told {
    struct snapshot whole;       /* the last one: the base of the deltas; serial 0: none yet */
    uint32_t row[SNAPSHOT_ROWS]; /* ids of rows whose names were sent */
    uint32_t rows;
} told[SAMPLERS];

static struct stream_turns turns;
static struct delta_writer changes;

/* Monitors whose records come with each snapshot, and rules, are to be heard each second, and so the snapshots. */
static bool is_each_second(void)
{
    return run_config()->when.count != 0 ||
           (config_monitors(run_config()) & ~(uint64_t)(MONITOR_SYSTEM | MONITOR_SAMPLES)) != 0;
}

void report_turns_begin(void)
{
    stream_turns_begin(&turns);
    memset(told, 0, sizeof told);
}

/* Send it, and note what it took. */
static void send_in_turn(enum stream_turn what, void (*send)(void))
{
    const uint64_t before = frame_tx_bytes();

    send();
    stream_turns_sent(&turns, what, frame_tx_bytes() - before);
}

bool report_turns_second(bool room)
{
    stream_turns_second(&turns);
    if (!room)
        return false;
    if (stream_turns_due(&turns, STREAM_HELLO))
        send_in_turn(STREAM_HELLO, report_hello);
    if (stream_turns_due(&turns, STREAM_PROGRAMS))
        send_in_turn(STREAM_PROGRAMS, report_programs);
    return is_each_second() || stream_turns_due(&turns, STREAM_DELTA);
}

/* Tasks of one row run one program, or are told as those of the first. */
static uint32_t program_of(void *probe, uint32_t id)
{
    const struct closed_row *row;

    for (uint32_t i = 0; (row = window_closed_row(probe, i)) != 0; i++)
        if (row->id == id)
            return row->program;
    return 0;
}

static struct snapshot_sender sender_of(const struct sampler *sampler)
{
    return (struct snapshot_sender){
        .epoch = sampler->epoch, .program_of = program_of, .send = frame_tx_take, .context = sampler->probe,
        .frame = frame_tx_writer(), .unnamed = true,
    };
}

/* ---- names ---- */

static bool is_told(const struct told *t, uint32_t id)
{
    for (uint32_t i = 0; i < t->rows; i++)
        if (t->row[i] == id)
            return true;
    return false;
}

static bool has_new_rows(unsigned source, const struct snapshot *s)
{
    for (uint32_t i = 0; i < s->rows; i++)
        if (!is_told(&told[source], s->row[i].id))
            return true;
    return false;
}

static void send_names(unsigned source, const struct snapshot *s)
{
    const struct sampler sampler = sampler_at(source);
    const struct snapshot_sender to = sender_of(&sampler);

    snapshot_send_names(s, &to);
    told[source].rows = s->rows;
    for (uint32_t i = 0; i < s->rows; i++)
        told[source].row[i] = s->row[i].id;
}

static void send_all_names(const struct snapshot *s)
{
    for (unsigned i = 0; i < samplers(); i++)
        send_names(i, &s[i]);
}

/* Names in their turn and as soon as there are new rows, which may run programs that are new too. */
static void send_due_names(const struct snapshot *s)
{
    const bool due = stream_turns_due(&turns, STREAM_NAMES);
    uint64_t before;
    bool new = false;

    for (unsigned i = 0; i < samplers(); i++)
        new |= has_new_rows(i, &s[i]);
    if (new && told[0].rows != 0) /* the first PROGRAMS follows HELLO */
        report_programs();
    before = frame_tx_bytes();
    if (new || due)
        send_all_names(s);
    if (due)
        stream_turns_sent(&turns, STREAM_NAMES, frame_tx_bytes() - before);
}

/* ---- snapshots ---- */

static void send_whole(const struct snapshot *s)
{
    const uint64_t before = frame_tx_bytes();

    for (unsigned i = 0; i < samplers(); i++) {
        const struct sampler sampler = sampler_at(i);
        const struct snapshot_sender to = sender_of(&sampler);

        snapshot_send(&s[i], &to);
        memcpy(&told[i].whole, &s[i], snapshot_bytes(&s[i]));
    }
    stream_turns_sent(&turns, STREAM_WHOLE, frame_tx_bytes() - before);
}

static bool are_deltas(const struct snapshot *s)
{
    bool all = told[0].whole.serial != 0;

    for (unsigned i = 0; all && i < samplers(); i++)
        all = snapshot_delta_fits(&s[i], &told[i].whole);
    return all;
}

static void send_deltas(const struct snapshot *s)
{
    const uint64_t before = frame_tx_bytes();

    for (unsigned i = 0; i < samplers(); i++) {
        const struct sampler sampler = sampler_at(i);
        const struct snapshot_sender to = sender_of(&sampler);

        snapshot_delta_send(&s[i], &told[i].whole, &changes, &to);
    }
    stream_turns_sent(&turns, STREAM_DELTA, frame_tx_bytes() - before);
}

void report_snapshots_in_turn(const struct snapshot *s)
{
    send_due_names(s);
    if (stream_turns_due(&turns, STREAM_WHOLE) || !are_deltas(s))
        send_whole(s);
    else
        send_deltas(s);
    frame_tx_send_counts();
}

void report_snapshots_in_full(const struct snapshot *s)
{
    report_hello();
    report_programs();
    send_all_names(s);
    send_whole(s);
    frame_tx_send_counts();
}

void report_end_record(bool success, const char *reason)
{
    frame_tx_send_counts();
    frame_tx_send_head(WIRE_END, &(struct wire_end){
        .epoch = frame_tx_epoch(), .status = success ? 0 : 1, .reason = { reason, string_length(reason) },
    });
}
