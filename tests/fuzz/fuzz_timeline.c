/* SPDX-License-Identifier: MIT */
/*
 * The timeline of a stream, and what the reports over time make of it.  The input is a stream, or
 * frames that get their checksums here (tests/fuzz/frames.h).
 */
#include <math.h>

#include "tests/fuzz/fuzz.h"

#include "probe/trace/class_tree.h"
#include "tests/fuzz/encode.h"
#include "tests/host/timeline_of.h"
#include "tools/cmd/commands.h"
#include "tools/trace/durations.h"
#include "tools/trace/run_model.h"
#include "tools/trace/time_grid.h"
#include "tools/trace/waits.h"

#define HZ 1e9
#define COLUMNS 50

struct checked {
    struct durations durations;
    struct waits waits;
    int64_t begin, end;
    uint64_t events, steps, gaps;
    uint64_t number; /* of the next event */
};

/* ---- items ---- */

static void check_event(struct checked *c, const struct timeline_event *e)
{
    FUZZ_CHECK(e->number >= c->number);
    FUZZ_CHECK(e->time >= 0 && (!(e->known & KNOWN_MODE) || e->mode < MODES));
    c->number = e->number + 1;
    c->events++;
}

static void check_step(struct checked *c, const struct timeline_step *s)
{
    int64_t end;

    FUZZ_CHECK(!__builtin_add_overflow(s->begin, s->length, &end));
    FUZZ_CHECK(!(s->known & KNOWN_MODE) || s->mode < MODES);
    FUZZ_CHECK(s->call >= CALL_NONE);
    c->steps++;
}

static void check_item(struct checked *c, const struct timeline_item *item)
{
    struct duration ended[DURATION_MOST];

    if (item->kind == TIMELINE_EVENT)
        check_event(c, &item->event);
    else if (item->kind == TIMELINE_STEP)
        check_step(c, &item->step);
    else
        FUZZ_CHECK(item->gap.begin <= item->gap.end && item->gap.cause < GAP_CAUSES);
    c->gaps += item->kind == TIMELINE_GAP;
    c->begin = timeline_item_begin(item) < c->begin ? timeline_item_begin(item) : c->begin;
    c->end = timeline_item_end(item) > c->end ? timeline_item_end(item) : c->end;
    FUZZ_CHECK(durations_take(&c->durations, item, ended) <= DURATION_MOST);
    waits_take(&c->waits, item);
}

/* ---- what is made of them ---- */

/* If nothing is missing and no time goes back, each task's time is that of the trace. */
static void check_waits(struct checked *c, bool forward)
{
    waits_finish(&c->waits);
    for (size_t r = 0; forward && r < c->waits.rows; r++) {
        __int128 sum = 0;

        for (unsigned s = 0; s < WAIT_STATES; s++)
            sum += c->waits.row[r].time[s];
        FUZZ_CHECK(sum == (__int128)(c->waits.end - c->waits.begin) * c->waits.row[r].tasks || sum > INT64_MAX / 4);
    }
}

/* Little's law holds for each class of a model, and no station is in use for more than the time there is. */
static void check_model(const struct checked *c)
{
    struct run_model m;

    if (run_model_make(&m, &c->waits, HZ) && run_model_solve(&m)) {
        for (size_t k = 0; k < m.customers; k++) {
            const struct queueing_result *r = &m.customer[k].predicted;
            const double there = r->throughput * (m.class[k].think + r->response);

            FUZZ_CHECK(fabs(there - m.class[k].population) <= 1e-6 * m.class[k].population);
        }
        FUZZ_CHECK(m.model.discipline[STATION_CPU] != QUEUEING_SHARED ||
                   run_model_use(&m, STATION_CPU, true) <= 1.05);
    }
    run_model_free(&m);
}

/*
 * The cells of a grid are its rows' sums, and no row has more time in a column than there is, unless times overlap.
 */
static void check_grid(struct timeline *t, const struct checked *c)
{
    struct timeline_item item;
    struct time_grid g;

    if (c->begin >= c->end || !timeline_rewind(t))
        return;
    time_grid_begin(&g, c->begin, c->end, COLUMNS);
    while (timeline_next(t, &item))
        run_grid_add(&g, &item);
    run_grid_sort(&g);
    for (size_t r = 0; r < g.rows; r++)
        for (unsigned s = 0; s < GRID_STATES; s++) {
            uint64_t sum = 0;

            for (unsigned column = 0; column < COLUMNS; column++)
                sum += g.row[r].cell[column].time[s];
            FUZZ_CHECK(sum == g.row[r].time[s]);
        }
    time_grid_free(&g);
}

/* Of classes that the image recorded: each is one, and the counts are those of the items. */
static void check_classes(struct timeline *t)
{
    struct timeline_item item;
    uint64_t gaps = 0, told = 0;

    if (!timeline_has_classes(t) || !timeline_read_classes(t, true))
        return;
    while (timeline_next(t, &item)) {
        FUZZ_CHECK(item.kind == TIMELINE_CLASS || item.kind == TIMELINE_GAP);
        if (item.kind == TIMELINE_CLASS)
            FUZZ_CHECK(item.class.code < CLASS_VALUES && (item.class.attributed || !item.class.attribute));
        else
            FUZZ_CHECK(item.gap.begin <= item.gap.end && item.gap.cause < GAP_CAUSES && ++gaps);
    }
    for (unsigned cause = 0; cause < GAP_CAUSES; cause++)
        told += timeline_counts(t)->gaps[cause];
    FUZZ_CHECK(told == gaps && timeline_counts(t)->steps == 0);
}

static void check(const struct dump *stream)
{
    struct timeline *t = timeline_of(stream->bytes, stream->length, 0);
    struct checked c = {.begin = INT64_MAX, .end = INT64_MIN};
    struct timeline_item item;
    int64_t last = INT64_MIN;
    bool forward = true;

    if (!t)
        return;
    durations_begin(&c.durations);
    waits_begin(&c.waits);
    while (timeline_next(t, &item)) {
        forward &= timeline_item_end(&item) >= last;
        last = timeline_item_end(&item);
        check_item(&c, &item);
    }
    FUZZ_CHECK(timeline_counts(t)->events == c.events && timeline_counts(t)->steps == c.steps);
    check_waits(&c, forward && !c.gaps);
    check_model(&c);
    check_grid(t, &c);
    check_classes(t);
    waits_free(&c.waits);
    durations_free(&c.durations);
    timeline_close(t);
}

/* ---- a whole command ---- */

static const struct subcommand *const fuzzed[] = {&cmd_trace, &cmd_gantt, &cmd_load, &cmd_waits, &cmd_durations,
                                                  &cmd_masked, &cmd_states, &cmd_model};
#define FUZZED (sizeof(fuzzed) / sizeof(fuzzed[0]))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dump stream;

    if (!size)
        return 0;
    stream = fuzz_encode(data, size);
    if (stream.length) {
        check(&stream);
        fuzz_run(fuzzed, FUZZED, data[0] >> 1, stream.bytes, stream.length);
    }
    free(stream.bytes);
    return 0;
}
