/* SPDX-License-Identifier: MIT */
/* Writes the sentences of an export: what the run was, what it lost, how wide its intervals are. */
#include "tools/export/export_notes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "probe/stream/version.h"
#include "tools/base/alloc.h"
#include "tools/base/printable.h"
#include "tools/export/export_run.h"

static void add(struct export_run *run, char *text)
{
    GROW(run->note, run->notes);
    run->note[run->notes++] = printable(text);
}

#define NOTE(run, ...) add(run, xasprintf(__VA_ARGS__))

static void note_run(struct export_run *run)
{
    const struct epoch *e = run->epoch;

    NOTE(run, "cpuprobe %s, stream %s", CPUPROBE_VERSION, run->name);
    if (e->has_hello)
        NOTE(run, "image %s on %s: %s", e->hello.build.bytes, e->hello.machine.bytes, e->hello.words.bytes);
    if (!epoch_complete(e))
        NOTE(run, "warning: the run is not complete");
}

static void note_losses(struct export_run *run)
{
    const struct epoch *e = run->epoch;
    const struct snapshot *s = e->snapshot;
    const struct stacks *sums = &run->stacks;

    if (s && s->points)
        NOTE(run, "table: %" PRIu64 " samples of %" PRIu64 " points, %" PRIu64 " in handlers of ticks; %" PRIu64
             " late; lost: %" PRIu64 " table, %" PRIu64 " ring", s->samples, s->points, s->in_handler, s->late,
             s->lost_table, s->lost_ring);
    else if (s)
        NOTE(run, "table: %" PRIu64 " samples, %" PRIu64 " late; missed: %.1f masked, %" PRIu64 " overrun, %" PRIu64
             " source; lost: %" PRIu64 " table, %" PRIu64 " ring", s->samples, s->late,
             table_missed_masked(s, &run->options), s->missed_overrun, s->missed_source, s->lost_table, s->lost_ring);
    if (sums->raw)
        NOTE(run, "raw samples: %" PRIu64 ", of these %" PRIu64 " did not arrive", sums->samples, sums->missing);
    if (e->stacks.walks.serial)
        NOTE(run, "callers of samples in user mode: %s", stack_walks_text(&e->stacks.walks));
    if (sums->others)
        NOTE(run, "warning: %" PRIu64 " samples are without their addresses: they are at more than %zu places",
             sums->others, STACKS_MOST);
}

static void note_cell(struct export_run *run, const char *name, const char *mode, const struct table_cell *cell)
{
    if (!cell->hits)
        return;
    if (isnan(cell->low))
        NOTE(run, "%s %s: %" PRIu64 " samples, %.2f %%", name, mode, cell->hits, cell->percent);
    else
        NOTE(run, "%s %s: %" PRIu64 " samples, %.2f %%, 95 %% interval %.2f to %.2f %%", name, mode, cell->hits,
             cell->percent, cell->low, cell->high);
}

static void note_shares(struct export_run *run)
{
    const struct snapshot *s = run->epoch->snapshot;

    if (run->options.estimator.reason)
        NOTE(run, "no intervals: %s", run->options.estimator.reason);
    for (uint32_t i = 0; s && i < s->rows; i++) {
        const struct table_row row = table_row(s, &s->row[i], &run->options);

        for (unsigned m = 0; m < MODES && row.modes; m++)
            note_cell(run, s->row[i].name, mode_name(m), &row.cell[m]);
        note_cell(run, s->row[i].name, "total", &row.total);
    }
}

void export_notes_make(struct export_run *run)
{
    note_run(run);
    note_losses(run);
    note_shares(run);
}
