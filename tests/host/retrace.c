/* SPDX-License-Identifier: MIT */
/*
 * A boot's own seed over its own log of changes, held against its raw samples
 * (account=log monitor=samples): the recorded world is the one that was sampled.
 *
 *     retrace DUMP
 *
 * A line for each tick that finds another cell than the sample says, then how many
 * agree.  Where points are fixed in clock time: points (of the seed alone, and those in handlers have no sample).
 * Else: open (from the first tick and the seed alone) and closed (each interval from where the tick before was, so
 * that nothing adds up).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/schedule/schedule.h"
#include "tests/host/recorded.h"
#include "tools/base/alloc.h"
#include "tools/timeline/epoch_pass.h"

#define NO_CELL (CELLS_MAX + 1) /* the point fell into a handler */

/* Where each sample was, in order, and the number of its tick or point. */
static struct {
    struct sample_place *place;
    uint64_t *tick;
    size_t count;
} sampled;

static void take_place(void *context, const struct resolved_sample *s)
{
    size_t count = sampled.count;

    (void)context;
    GROW(sampled.place, sampled.count);
    GROW(sampled.tick, count);
    sampled.tick[sampled.count] = s->tick;
    sampled.place[sampled.count++] = s->place;
}

static bool read_places(const char *path)
{
    struct epoch_pass *p = epoch_pass_open(path, 0);
    const bool whole = p && epoch_pass_run(p, &(struct epoch_sink){.on_sample = take_place});

    epoch_pass_close(p);
    return whole;
}

/* What a raw sample says, as a cell of the world; CELLS_MAX: nothing that is in it. */
static unsigned cell_of_sample(const struct machine *m, const struct sample_place *p)
{
    unsigned c = MASKED_CELL + 1;

    if (p->delay != DELAY_NONE)
        return MASKED_CELL;
    while (c < m->world.cells && (m->world.cell[c].id != p->task || m->world.cell[c].mode != p->mode))
        c++;
    return c < m->world.cells ? c : CELLS_MAX;
}

static void name_cell(const struct machine *m, unsigned cell, char text[64])
{
    char name[NAME_SIZE] = "?";

    if (cell == MASKED_CELL || cell == NO_CELL) {
        snprintf(text, 64, cell == MASKED_CELL ? "MASKED" : "no sample");
        return;
    }
    if (cell < CELLS_MAX)
        epoch_name_of(m->epoch, m->world.cell[cell].id, name);
    snprintf(text, 64, "%s.%s", name, cell < CELLS_MAX ? mode_name(m->world.cell[cell].mode) : "?");
}

/* How far `at` is from the nearest end of a segment, clock units. */
static uint64_t from_edge(const struct recorded *w, uint64_t at)
{
    const size_t s = recorded_find(w, at);
    const uint64_t before = at - (s ? w->segment[s - 1].end : 0), after = w->segment[s].end - at;

    return before < after ? before : after;
}

struct agreement {
    size_t same, differ;
    int64_t most; /* between where a tick was and where it should have been, clock units */
    uint64_t edge; /* of the ticks that differ: the farthest from an edge */
};

/*
 * By how much ticks are behind their expiry and the floor in the mean, clock units.  In
 * time: the processor ends an instruction first, and the timer counts in its own clocks.
 * Behind masked code: from where the account has interrupts on again to the handler.
 */
struct lag {
    int64_t timely, late;
};

/* Where a tick that expires at `at`, a timely one's lag included, is taken. */
static unsigned take(const struct recorded *w, const struct lag *lag, uint64_t at, uint64_t *taken)
{
    unsigned cell;

    *taken = at;
    cell = recorded_sample(w, taken);
    if (*taken != at)
        *taken += (uint64_t)lag->late;
    return cell;
}

/* Hold one tick against its sample, and print where they differ.  Returns where it is taken. */
static uint64_t compare(struct agreement *g, const struct machine *m, const struct lag *lag,
                        const char *how, size_t i, uint64_t at)
{
    const unsigned found = cell_of_sample(m, &sampled.place[i]);
    uint64_t taken;
    const unsigned cell = take(&m->world, lag, at, &taken);
    const int64_t off = (int64_t)(taken - m->world.tick[i]);
    char one[64], other[64];

    if (llabs(off) > llabs(g->most))
        g->most = off;
    if (cell == found) {
        g->same++;
        return taken;
    }
    g->differ++;
    if (from_edge(&m->world, at) > g->edge)
        g->edge = from_edge(&m->world, at);
    name_cell(m, cell, one);
    name_cell(m, found, other);
    printf("%s: tick %zu: replayed %s, sampled %s; %" PRIu64 " from an edge, %+" PRId64
           " from the tick, clock units\n", how, i, one, other, from_edge(&m->world, at), off);
    return taken;
}

static void print_agreement(const char *how, const struct agreement *g)
{
    printf("%s %zu of %zu agree, at most %" PRId64 " from the tick, those that differ %" PRIu64 " from an edge\n",
           how, g->same, g->same + g->differ, g->most, g->edge);
}

/* An interval in tau from tick to tick, clock units, less what the handler takes of it after arming. */
static uint64_t length_of(const struct machine *m, struct schedule *s)
{
    return (schedule_next(s) * m->epoch->hello.source_clock >> 16) - m->rearm;
}

static struct lag lag_of(const struct machine *m, struct schedule schedule, size_t ticks)
{
    int64_t timely = 0, late = 0;
    struct lag sum = {0, 0};

    for (size_t i = 1; i < ticks; i++) {
        const uint64_t at = m->world.tick[i - 1] + length_of(m, &schedule);
        uint64_t taken = at;

        if (at >= m->world.length)
            break;
        recorded_sample(&m->world, &taken);
        *(taken == at ? &sum.timely : &sum.late) += (int64_t)(m->world.tick[i] - taken);
        *(taken == at ? &timely : &late) += 1;
    }
    return (struct lag){timely ? sum.timely / timely : 0, late ? sum.late / late : 0};
}

/* The boot's own ticks from the first one on, where the window's begin is known from. */
static int retrace(const struct machine *m)
{
    const struct epoch *e = m->epoch;
    struct agreement open = {.same = 0}, closed = {.same = 0};
    struct schedule s;
    struct lag lag;
    uint64_t now;

    if (!e->samples || !epoch_schedule(e, &s) || sampled.count != m->world.ticks + 1) {
        fprintf(stderr, "retrace: wants monitor=samples, all of them, and intervals that are not chained\n");
        return 1;
    }
    now = m->world.tick[0];
    schedule_next(&s);
    lag = lag_of(m, s, m->world.ticks);
    for (size_t i = 1; i < m->world.ticks; i++) { /* the last one is the world's end */
        const uint64_t length = length_of(m, &s) + (uint64_t)lag.timely;

        if (now + length < m->world.length)
            now = compare(&open, m, &lag, "open", i, now + length);
        if (m->world.tick[i - 1] + length < m->world.length)
            compare(&closed, m, &lag, "closed", i, m->world.tick[i - 1] + length);
    }
    printf("lag %" PRId64 ", behind masked code %" PRId64 "\n", lag.timely, lag.late);
    print_agreement("open", &open);
    print_agreement("closed", &closed);
    return 0;
}

/* ---- points in clock time ---- */

/* A walk through the points and the handlers of the log; times are clock units since the window's begin. */
struct points {
    const struct machine *m;
    size_t next;     /* the first handler that has had no tick */
    uint64_t waited; /* points up to here are in the wait of the last tick */
    uint64_t busy;   /* points before that are in its handler: the usual one's end, and where it was late its own */
    uint64_t end;    /* of its own handler */
    unsigned before; /* the cell that it returned to */
    int64_t most;    /* from a point to the handler of its tick in time: the farthest */
};

static uint64_t handler_begin(const struct recorded *w, size_t i)
{
    return w->tick[i] + w->handled[i];
}

/* Something was masked between these times of tau. */
static bool is_masked(const struct recorded *w, uint64_t from, uint64_t to)
{
    size_t s = recorded_find(w, from);

    while (!w->segment[s].masked && w->segment[s].end < to)
        s++;
    return w->segment[s].masked; /* what ends behind `to` begins before it */
}

/*
 * The cell of the tick at `point` by its handler.  The log does not say when it expired: less than two counts of the
 * source from the point.  So one that comes soon behind is late only where something was masked just before it.
 */
static unsigned find_tick(struct points *p, uint64_t point, uint64_t count)
{
    const struct recorded *w = &p->m->world;
    const int64_t behind = (int64_t)(handler_begin(w, p->next) - point), late = (int64_t)w->late;
    const uint64_t tick = w->tick[p->next++];

    p->end = tick + w->handled[p->next];
    if (behind > late + 2 * (int64_t)count ||
        (behind > late && is_masked(w, tick > 2 * w->late ? tick - 2 * w->late : 0, tick))) {
        p->waited = handler_begin(w, p->next - 1);
        p->busy = p->end;
        p->before = w->segment[recorded_find(w, tick)].cell;
        return MASKED_CELL;
    }
    if (llabs(behind) > llabs(p->most))
        p->most = behind;
    p->busy = point + p->m->epoch->hello.handler;
    p->before = w->segment[recorded_find(w, tick > 0 ? tick - 1 : 0)].cell;
    return p->before;
}

/* On the last handler's way out, which its log does not have, so that it was dropped: the next one comes later. */
static bool is_dropped(const struct points *p, uint64_t point, uint64_t count)
{
    const struct recorded *w = &p->m->world;

    if (point > p->end + p->m->epoch->hello.entry || p->next == 0)
        return false;
    return p->next == w->ticks || (handler_begin(w, p->next) > point + w->late + 2 * count &&
                                   (point < p->end ||
                                    !is_masked(w, point - w->handled[p->next], point - w->handled[p->next])));
}

/* What the sample at a point finds. */
static unsigned find_point(struct points *p, uint64_t point)
{
    const struct recorded *w = &p->m->world;
    const uint64_t count = p->m->epoch->hello.source_clock >> 16;

    if (point <= p->waited)
        return MASKED_CELL;
    if (point < p->busy)
        return NO_CELL;
    if (is_dropped(p, point, count))
        return NO_CELL;
    while (p->next < w->ticks && handler_begin(w, p->next) + 2 * count < point) /* of a piece of an interval */
        p->next++;
    return p->next < w->ticks ? find_tick(p, point, count) : NO_CELL;
}

/*
 * From the last tick to the nearest change of cell.  None is its own, but for the end of the masked section that it
 * waited for: on the way to ring 3 the account is ahead, and the log has a tick that comes there at the moment of the
 * change.  One that comes between two masked stretches is in a cell that took no time,
 * as of code between two interrupts.
 */
static uint64_t from_change(const struct points *p)
{
    const struct recorded *w = &p->m->world;
    const uint64_t tick = p->next > 0 ? w->tick[p->next - 1] : 0;
    const size_t before = recorded_find(w, tick > 0 ? tick - 1 : 0), after = recorded_find(w, tick);
    const bool at_change = before != after && w->segment[before].masked == w->segment[after].masked;
    const uint64_t since = tick - (before > 0 ? w->segment[before - 1].end : 0), left = w->segment[after].end - tick;

    return at_change ? 0 : since < left ? since : left;
}

static void compare_point(struct agreement *g, struct points *p, size_t number, size_t sample, uint64_t point)
{
    const bool is_sampled = sample < sampled.count && sampled.tick[sample] == number;
    const unsigned found = is_sampled ? cell_of_sample(p->m, &sampled.place[sample]) : NO_CELL;
    const unsigned cell = find_point(p, point);
    char one[64], other[64];

    if (cell == found) {
        g->same++;
        return;
    }
    g->differ++;
    if (from_change(p) > g->edge)
        g->edge = from_change(p);
    name_cell(p->m, cell, one);
    name_cell(p->m, found, other);
    printf("points: point %zu: replayed %s, sampled %s; %" PRIu64 " from an edge\n", number, one, other,
           from_change(p));
}

/* All points of the window. */
static int retrace_points(const struct machine *m)
{
    struct points p = {.m = m};
    struct agreement g = {.same = 0};
    struct schedule s;
    size_t sample = 0;

    if (!m->epoch->samples || !epoch_schedule(m->epoch, &s)) {
        fprintf(stderr, "retrace: wants monitor=samples\n");
        return 1;
    }
    for (size_t number = 0; number < m->epoch->last_head.points; number++) {
        schedule_next(&s);
        while (sample < sampled.count && sampled.tick[sample] < number)
            sample++;
        compare_point(&g, &p, number, sample, s.sum * m->unit);
    }
    g.most = p.most;
    print_agreement("points", &g);
    return 0;
}

int main(int argc, char **argv)
{
    static struct machine m;
    int code;

    if (argc != 2) {
        fprintf(stderr, "usage: retrace DUMP\n");
        return 2;
    }
    if (!machine_from(&m, argv[1]) || !read_places(argv[1]))
        return 1;
    code = m.unit ? retrace_points(&m) : retrace(&m);
    machine_free(&m);
    free(sampled.place);
    free(sampled.tick);
    return code;
}
