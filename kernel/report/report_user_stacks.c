/* SPDX-License-Identifier: MIT */
/*
 * Call stacks of user code: the records STACK_WALKS and CALL_STACKS.  All stacks together take seconds of a slow line,
 * so a snapshot has those that changed, as far as there is room for, each in its turn; the last one has all.
 */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/user_stacks.h"
#include "kernel/report/call_stack_frames.h"
#include "kernel/report/report_monitors.h"

#define BITS_A_BYTE   10u /* 8 data, start and stop */
#define PART          16u /* of the line: half of what is for other frames than raw samples */
#define ROW_BYTES     20u /* a row without its addresses, at most */

static struct {
    uint64_t begin; /* of the window */
    uint32_t next;  /* whose turn it is */
    uint64_t count[CALL_STACKS_MOST];
} told; /* task PROBE */

static void forget(uint64_t begin)
{
    if (told.begin == begin)
        return;
    told.begin = begin;
    told.next = 0;
    for (uint32_t i = 0; i < CALL_STACKS_MOST; i++)
        told.count[i] = 0;
}

static void put_walks(const struct user_stacks_window *w, uint64_t serial)
{
    const struct wire_stack_walks walks = {
        .epoch = frame_tx_epoch(), .serial = serial, .callers = run_config()->stack, .whole = w->ends[WALK_WHOLE],
        .cut = w->ends[WALK_CUT], .broken = w->ends[WALK_BROKEN], .absent = w->ends[WALK_ABSENT], .lost = w->lost,
    };

    frame_tx_send_head(WIRE_STACK_WALKS, &walks);
}

/* False where it does not fit into the room that is left. */
static bool put_stack(const struct user_stacks_window *w, uint32_t i, uint64_t *room)
{
    const struct call_stack_key *const key = user_stacks_key(i);
    const uint64_t bytes = ROW_BYTES + key->depth * sizeof key->pc[0];

    if (*room < bytes)
        return false;
    *room -= bytes;
    call_stack_frames_put(key, &(struct wire_call_stacks_row){ .samples = w->count[i] });
    told.count[i] = w->count[i];
    return true;
}

static void put_stacks(const struct user_stacks_window *w, bool final)
{
    uint64_t room = final ? UINT64_MAX : run_config()->serial.baud / BITS_A_BYTE / PART;
    uint32_t at = final || told.next >= w->used ? 0 : told.next;

    for (uint32_t n = 0; n < w->used; n++, at = at + 1 < w->used ? at + 1 : 0)
        if ((final || told.count[at] != w->count[at]) && !put_stack(w, at, &room))
            break;
    told.next = at;
}

static void put_frames(uint64_t serial, bool final)
{
    const struct user_stacks_window *const w = user_stacks_closed();

    forget(w->begin);
    put_walks(w, serial);
    call_stack_frames_begin(serial);
    put_stacks(w, final);
    call_stack_frames_send();
}

const struct monitor_report report_user_stacks = { .put_frames = put_frames };
