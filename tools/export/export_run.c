/* SPDX-License-Identifier: MIT */
/* Collects the samples, states and names of one epoch for the formats of an export. */
#include "tools/export/export_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/printable.h"
#include "tools/export/export_notes.h"
#include "tools/export/stack_callers.h"

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

void export_json_text(FILE *out, const char *text)
{
    putc('"', out);
    printable_escaped(out, text, strlen(text), "\"\\");
    putc('"', out);
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
