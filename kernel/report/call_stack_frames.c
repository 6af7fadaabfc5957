/* SPDX-License-Identifier: MIT */
/* Windows of all monitors begin and are closed together, so that a head is true of each. */
#include "kernel/report/call_stack_frames.h"

#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/callers.h"
#include "kernel/monitor/user_stacks.h"

static struct wire_call_stacks head; /* task PROBE */

void call_stack_frames_begin(uint64_t serial)
{
    const struct callers_window *const c = callers_closed();
    const struct user_stacks_window *const u = user_stacks_closed();
    const bool calls = software_monitors_has(MONITOR_CALLERS);

    head = (struct wire_call_stacks){
        .epoch = frame_tx_epoch(), .serial = serial, .begin = (calls ? c->begin : u->begin) - run_state->start,
        .end = (calls ? c->end : u->end) - run_state->start,
    };
    if (calls) {
        head.outside = c->outside;
        head.lost = c->sampled.lost;
        head.lost_returns = c->returned.lost;
    }
    frame_tx_begin(WIRE_CALL_STACKS, &head);
}

void call_stack_frames_put(const struct call_stack_key *key, struct wire_call_stacks_row *row)
{
    row->id = key->task;
    row->mode = key->mode;
    row->pcs = (struct wire_text){ (const char *)key->pc, key->depth * sizeof key->pc[0] };
    frame_tx_row(row);
}

void call_stack_frames_send(void)
{
    frame_tx_end();
}
