/* SPDX-License-Identifier: MIT */
/*
 * A boot's own seed over its own log of changes, held against its raw samples
 * (account=log monitor=samples): the recorded world is the one that was sampled.
 *
 *     retrace DUMP
 *
 * A line for each tick that finds another cell than the sample says, then how many
 * agree: open (from the first tick and the seed alone) and closed (each interval from
 * where the tick before was, so that nothing adds up).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/schedule/schedule.h"
#include "tests/host/recorded.h"
#include "tools/base/alloc.h"
#include "tools/timeline/epoch_pass.h"

/* Where each sample was, in order. */
static struct {
    struct sample_place *place;
    size_t count;
} sampled;

static void take_place(void *context, const struct resolved_sample *s)
{
    (void)context;
    GROW(sampled.place, sampled.count);
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

    if (cell == MASKED_CELL) {
        snprintf(text, 64, "MASKED");
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
    printf("%s: tick %zu: replayed %s, sampled %s; %" PRIu64 " from an edge, %+" PRId64 " from the tick, clock units\n",
           how, i, one, other, from_edge(&m->world, at), off);
    return taken;
}

static void print_agreement(const char *how, const struct agreement *g)
{
    printf("%s %zu of %zu agree, at most %" PRId64 " from the tick, those that differ %" PRIu64 " from an edge\n", how,
           g->same, g->same + g->differ, g->most, g->edge);
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
    code = retrace(&m);
    machine_free(&m);
    free(sampled.place);
    return code;
}
