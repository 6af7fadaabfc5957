/* SPDX-License-Identifier: MIT */
/*
 * Collects the samples, states and names of one epoch for the formats of an export, and the sentences that travel
 * along: what the run was, what it lost, how wide its intervals are.
 */
#include "tools/export/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stream/version.h"
#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/printable.h"

static void add(struct export_run *run, enum export_head line, char *text)
{
    char *const before = line == HEAD_NONE ? NULL : run->head[line];

    APPEND(run->note, run->notes, printable(text));
    if (line == HEAD_NONE)
        return;
    run->head[line] = xasprintf("%s%s%s", before ? before : "", before ? "; " : "", text);
    free(before);
}

#define NOTE(run, line, ...) add(run, line, xasprintf(__VA_ARGS__))

static void note_run(struct export_run *run)
{
    const struct epoch *e = run->epoch;

    NOTE(run, HEAD_RUN, "cpuprobe %s, stream %s", CPUPROBE_VERSION, run->name);
    if (e->has_hello)
        NOTE(run, HEAD_IMAGE, "image %s on %s: %s", e->hello.build.bytes, e->hello.machine.bytes,
             e->hello.words.bytes);
    if (!epoch_complete(e))
        NOTE(run, HEAD_RUN, "warning: the run is not complete");
}

/* The missed ticks of a run whose interval is not known are not known. */
static const char *masked_text(const struct export_run *run, char text[32])
{
    const double masked = table_missed_masked(run->epoch->snapshot, &run->options);

    if (isnan(masked))
        return "an unknown number";
    snprintf(text, 32, "%.1f", masked);
    return text;
}

static void note_losses(struct export_run *run)
{
    const struct epoch *e = run->epoch;
    const struct snapshot *s = e->snapshot;
    const struct stacks *sums = &run->stacks;
    char masked[32];

    if (s && s->points)
        NOTE(run, HEAD_LOSSES, "table: %" PRIu64 " samples of %" PRIu64 " points, %" PRIu64
             " in handlers of ticks; %" PRIu64 " late; lost: %" PRIu64 " table, %" PRIu64 " ring", s->samples,
             s->points, s->in_handler, s->late, s->lost_table, s->lost_ring);
    else if (s)
        NOTE(run, HEAD_LOSSES, "table: %" PRIu64 " samples, %" PRIu64 " late; missed: %s masked, %" PRIu64
             " overrun, %" PRIu64 " source; lost: %" PRIu64 " table, %" PRIu64 " ring", s->samples, s->late,
             masked_text(run, masked), s->missed_overrun, s->missed_source, s->lost_table, s->lost_ring);
    if (sums->raw)
        NOTE(run, HEAD_LOSSES, "raw samples: %" PRIu64 ", of these %" PRIu64 " did not arrive", sums->samples,
             sums->missing);
    if (epoch_walks(e))
        NOTE(run, HEAD_LOSSES, "callers of samples in user mode: %s", epoch_walks_text(e));
    if (sums->others)
        NOTE(run, HEAD_LOSSES, "warning: %" PRIu64
             " samples are without their addresses: they are at more than %zu places", sums->others, STACKS_MOST);
}

#define SHARE_SIZE 96

/* The share of a cell with its interval, as far as they are known. */
static const char *share_text(const struct table_cell *cell, char text[SHARE_SIZE])
{
    *text = '\0';
    if (isnan(cell->low) && !isnan(cell->percent))
        snprintf(text, SHARE_SIZE, "%.2f %%", cell->percent);
    else if (!isnan(cell->percent))
        snprintf(text, SHARE_SIZE, "%.2f %%, 95 %% interval %.2f to %.2f %%", cell->percent, cell->low, cell->high);
    return text;
}

static void note_cell(struct export_run *run, const char *name, const char *mode, const struct table_cell *cell)
{
    char text[SHARE_SIZE];

    if (cell->hits)
        NOTE(run, HEAD_NONE, "%s %s: %" PRIu64 " samples%s%s", name, mode, cell->hits,
             isnan(cell->percent) ? "" : ", ", share_text(cell, text));
}

static void note_shares(struct export_run *run)
{
    const struct snapshot *s = run->epoch->snapshot;

    if (run->options.estimator.reason)
        NOTE(run, HEAD_LOSSES, "no intervals: %s", run->options.estimator.reason);
    for (uint32_t i = 0; s && i < s->rows; i++) {
        const struct table_row row = table_row(s, &s->row[i], &run->options);

        for (unsigned m = 0; m < MODES && row.modes; m++)
            note_cell(run, s->row[i].name, mode_name(m), &row.cell[m]);
        note_cell(run, s->row[i].name, "total", &row.total);
    }
}

char *export_share(const struct export_run *run, uint32_t task, enum mode mode)
{
    const struct snapshot *s = run->epoch->snapshot;
    const struct snapshot_row *const found = s ? snapshot_find_row(s, task) : NULL;
    const struct table_row row = found ? table_row(s, found, &run->options) : (struct table_row){0};
    const struct table_cell *const cell = mode < MODES ? &row.cell[mode] : &row.total;
    char text[SHARE_SIZE];

    if (!found || (mode < MODES && !row.modes) || isnan(cell->low) || isnan(cell->percent))
        return NULL;
    return xasprintf("%s %s: %s", found->name, mode < MODES ? mode_name(mode) : "total", share_text(cell, text));
}

/* Make the notes of a run whose sums are made. */
static void export_notes_make(struct export_run *run)
{
    note_run(run);
    note_losses(run);
    note_shares(run);
}

#define NS 1000000000

bool export_run_begin(struct export_run *run, const char *path, struct epoch_pass *p, struct symbol_resolver *naming)
{
    struct epoch *e = epoch_pass_epoch(p);

    epoch_name_rows(e);
    *run = (struct export_run){
        .name = printable_copy(path, strlen(path)), .epoch = e, .options = report_options(e), .pass = p,
    };
    if (!stacks_make(&run->stacks, p))
        return false;
    stacks_divide(&run->stacks);
    stacks_name(&run->stacks, naming);
    export_notes_make(run);
    return true;
}

void export_run_free(struct export_run *run)
{
    for (size_t i = 0; i < run->notes; i++)
        free(run->note[i]);
    free(run->note);
    for (unsigned i = 0; i < HEAD_LINES; i++)
        free(run->head[i]);
    free(run->name);
    stacks_free(&run->stacks);
    *run = (struct export_run){0};
}

uint64_t export_period(const struct export_run *run)
{
    const struct epoch *e = run->epoch;
    const double thin = e->hello.thin > 1 && run->stacks.raw ? (double)e->hello.thin : 1.0;
    const double ns = e->hello.clock_hz ? epoch_mean(e) * thin / (double)e->hello.clock_hz * NS : 0.0;

    return ns > 0.0 && ns < 1e18 ? (uint64_t)llround(ns) : 0;
}

int64_t export_ns(const struct export_run *run, int64_t time)
{
    const __int128 ns = (__int128)time * NS / (__int128)run->epoch->hello.clock_hz;

    return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

uint64_t export_sample_ns(const struct export_run *run, const struct resolved_sample *sample)
{
    const int64_t ns = export_ns(run, sample->time > INT64_MAX ? INT64_MAX : (int64_t)sample->time);

    return (uint64_t)ns;
}

uint64_t export_duration(const struct export_run *run)
{
    const struct snapshot *s = run->epoch->snapshot;

    if (!s || !run->epoch->hello.clock_hz || s->end < s->begin || s->end - s->begin > INT64_MAX)
        return 0;
    return (uint64_t)export_ns(run, (int64_t)(s->end - s->begin));
}

bool export_has_times(const struct export_run *run)
{
    return run->stacks.raw && run->epoch->samples->timed && run->epoch->hello.clock_hz;
}

bool export_has_items(const struct export_run *run)
{
    return (epoch_has_events(run->epoch) || run->epoch->transitions) && run->epoch->hello.clock_hz;
}

void export_number(FILE *out, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        putc((int)(number >> 8 * i & 0xff), out);
}

void export_json_text(FILE *out, const char *text)
{
    putc('"', out);
    printable_escaped(out, text, strlen(text), "\"\\");
    putc('"', out);
}

void export_json_count(FILE *out, uint64_t n)
{
    fprintf(out, n <= INT64_MAX ? "%" PRIu64 : "%" PRIu64 ".0", n);
}

void export_json_notes(FILE *out, const struct export_run *run, const char *between)
{
    putc('[', out);
    for (size_t i = 0; i < run->notes; i++) {
        if (i)
            fprintf(out, ",%s", between);
        export_json_text(out, run->note[i]);
    }
    putc(']', out);
}
