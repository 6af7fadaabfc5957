/* SPDX-License-Identifier: MIT */
/* Snapshots and the end of a run as frames (docs/PROTOCOL.md, "Snapshots"). */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/string.h"
#include "kernel/report/run.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/window.h"
#include "probe/stats/snapshot_frames.h"

static struct wire_writer writer; /* task PROBE */

/* Tasks of one row run one program, or are told as those of the first. */
static uint32_t program_of(void *probe, uint32_t id)
{
    const struct closed_row *row;

    for (uint32_t i = 0; (row = window_closed_row(probe, i)) != 0; i++)
        if (row->id == id)
            return row->program;
    return 0;
}

void report_snapshot_frames(const struct sampler *sampler, const struct snapshot *s)
{
    snapshot_send(s, &(struct snapshot_sender){
        .epoch = sampler->epoch, .program_of = program_of, .send = frame_tx_take,
        .context = sampler->probe, .frame = &writer,
    });
}

void report_end_record(bool success, const char *reason)
{
    frame_tx_send_head(WIRE_END, &(struct wire_end){
        .epoch = frame_tx_epoch(), .status = success ? 0 : 1, .reason = { reason, string_length(reason) },
    });
}
