/* SPDX-License-Identifier: MIT */
/* Numbers of `sync` grow in each stream, so that one reading of both side by side pairs them. */
#include "tools/input/joined_input.h"

#include <inttypes.h>

#include "tools/base/cli.h"
#include "tools/base/saturate.h"

#define PPM 1e6

struct moment {
    uint64_t number;
    int64_t time;
};

static bool next_sync(struct timeline *t, struct moment *to)
{
    struct timeline_item item;

    while (timeline_next(t, &item))
        if (item.kind == TIMELINE_EVENT && item.event.class == TRACE_SYNC && item.event.known & KNOWN_TIME) {
            *to = (struct moment){item.event.argument, item.event.time};
            return true;
        }
    return false;
}

static void fit(struct joined_input *j)
{
    struct timeline *const a = j->in[0]->timeline, *const b = j->in[1]->timeline;
    struct moment x, y;
    bool more = next_sync(a, &x) && next_sync(b, &y);

    while (more) {
        if (x.number == y.number)
            clock_fit_add(&j->clocks, timeline_seconds(j->in[0], x.time), timeline_seconds(j->in[1], y.time));
        more = x.number < y.number ? next_sync(a, &x) :
               x.number > y.number ? next_sync(b, &y) : next_sync(a, &x) && next_sync(b, &y);
    }
}

/* ---- from one clock to the other ---- */

static int64_t map(const struct joined_input *j, int64_t time)
{
    return saturate_round(clock_fit_map(&j->clocks, (double)time / j->hz) * j->in[0]->hz);
}

static void map_item(const struct joined_input *j, struct timeline_item *item)
{
    const int64_t begin = map(j, timeline_item_begin(item)), end = map(j, timeline_item_end(item));

    switch (item->kind) {
    case TIMELINE_STEP:
        item->step.begin = begin;
        item->step.length = end - begin;
        break;
    case TIMELINE_EVENT: item->event.time = begin; break;
    case TIMELINE_CLASS:
        item->class.begin = begin;
        item->class.length = end - begin;
        break;
    case TIMELINE_GAP:
        item->gap.begin = begin;
        item->gap.end = end;
        break;
    }
}

static void advance(struct joined_input *j, unsigned which)
{
    j->has[which] = timeline_next(j->in[which]->timeline, &j->item[which]);
    if (which && j->has[1])
        map_item(j, &j->item[1]);
}

bool joined_input_begin(struct joined_input *j, struct timeline_input *first, struct timeline_input *second)
{
    *j = (struct joined_input){.in = {first, second}, .hz = second->hz};
    fit(j);
    if (!j->clocks.moments) {
        cli_error("%s and %s have no event sync in common: it takes monitor=events with sync in both", first->path,
                  second->path);
        return false;
    }
    second->hz = first->hz;
    second->from = first->from;
    second->to = first->to;
    if (!timeline_rewind(first->timeline) || !timeline_rewind(second->timeline))
        return false;
    advance(j, 0);
    advance(j, 1);
    return true;
}

int joined_input_next(struct joined_input *j, struct timeline_item *to)
{
    unsigned which;

    if (!j->has[0] && !j->has[1])
        return -1;
    which = !j->has[0] || (j->has[1] && timeline_item_end(&j->item[1]) < timeline_item_end(&j->item[0]));
    *to = j->item[which];
    advance(j, which);
    return (int)which;
}

void joined_input_print(const struct joined_input *j, FILE *out)
{
    const struct clock_fit *f = &j->clocks;
    const double error = clock_fit_drift_error(f);

    fprintf(out, "# A %s\n# B %s\n# %" PRIu64 " events sync in both; where A's clock begins, B's is %+.9f s; ",
            j->in[0]->path, j->in[1]->path, f->moments, -clock_fit_map(f, 0.0));
    if (f->moments < 2)
        fputs("one does not tell a drift\n", out);
    else if (error < 0.0)
        fprintf(out, "A runs %+.4f ppm faster\n", PPM * clock_fit_drift(f));
    else
        fprintf(out, "A runs %+.4f +- %.4f ppm faster, %.1f ns off a line\n", PPM * clock_fit_drift(f), PPM * error,
                1e9 * clock_fit_deviation(f));
}
