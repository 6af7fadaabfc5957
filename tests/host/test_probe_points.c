/* SPDX-License-Identifier: MIT */
/*
 * Compares what a probe counts at points in clock time (probe/core/probe.c) with a plain model of the rule: it goes
 * through the points one after the other, knows no bound of points in one handler, and draws nothing ahead.
 */
#include "tests/host/simulated_tick.h"

#define GRAIN  8u     /* clock units in a count of the source */
#define POINTS 60000u
#define ROOM   60u    /* points that surely fit into one handler */

/* How a world is, clock units. */
struct world {
    enum interval_policy policy;
    unsigned mean, exit;
    unsigned room, way; /* `way`: from the entry to a later reading of the clock; `room` above that and `exit` */
    unsigned longest;   /* mean intervals that a tick waits at most */
    bool nmi;
    uint64_t start;
};

/* What became of a point. */
struct fate {
    enum delay delay;
    bool pair, known;
    uint32_t task;
    uint64_t time;
    int32_t arrival;
};

static uint64_t point[POINTS]; /* times */
static struct fate expected[POINTS], got[POINTS];
static unsigned model_points; /* that the model went through */
static bool model_samples;    /* it has had one */
static enum interval_policy policy;
static struct probe_arrivals model_arrivals;
static uint64_t reading; /* of the clock in a handler */

static uint64_t read_clock(void)
{
    return reading;
}

/* ---- what the probe does ---- */

static void watch(const struct sample *s, enum delay delay)
{
    struct fate *const f = &got[probe_points(&p)];

    (void)delay;
    f->pair = point_queue_pairs(&p.queue);
    f->task = s->task;
}

/* Each point has one record. */
static void drain(void)
{
    struct sample_record r;

    while (samples_take(&ring, &r)) {
        struct fate *const f = &got[r.tick];

        if (f->known)
            fail_msg("point %lu has two records", r.tick);
        f->known = true;
        f->delay = r.delay;
        f->time = r.time;
        f->arrival = r.arrival;
    }
}

static uint64_t begin_world(const struct world *w, uint64_t seed)
{
    const struct schedule_request request = {
        .policy = w->policy, .mean = ((uint64_t)w->mean << 15) + 777, .spread = 2000, .seed = seed,
    };
    struct schedule s;

    policy = w->policy;
    set_up(&p, seed, UINT64_MAX, PROBE_SAMPLES | PROBE_SYSTEM | PROBE_WATCHED);
    assert_null(schedule_init(&p.schedule, &request));
    p.relative = false;
    p.shift = 1;
    p.exit = w->exit;
    p.room = w->exit + w->way + w->room;
    p.via_nmi = w->nmi;
    p.clock = read_clock;
    p.watch = watch;
    s = p.schedule;
    memset(got, 0, sizeof got);
    memset(expected, 0, sizeof expected);
    for (unsigned k = 0; k < POINTS; k++) {
        schedule_next(&s);
        point[k] = w->start + 2 * s.sum;
        expected[k].pair = s.pair;
    }
    random_state = seed;
    copies = 0;
    model_points = 0;
    model_samples = false;
    model_arrivals = (struct probe_arrivals){ 0 };
    now = reading = w->start;
    account = (struct account){ .last = now, .cell = &task_time[0] };
    probe_prepare(&p);
    return probe_begin(&p, now);
}

/* ---- the model ---- */

static bool is_before(unsigned k, uint64_t time)
{
    return (int64_t)(point[k] - time) < 0;
}

/* The next point has this fate. */
static void decide(enum delay delay, uint32_t task, uint64_t time, int32_t arrival)
{
    struct fate *const f = &expected[model_points++];

    assert_true(model_points < POINTS);
    if (delay == DELAY_HANDLER && (policy == INTERVAL_STRATIFIED || !model_samples))
        f[1].pair = false;
    model_samples |= delay != DELAY_HANDLER;
    const bool sampled = delay != DELAY_HANDLER;

    *f = (struct fate){ delay, f->pair && sampled, true, sampled ? task : 0, time, arrival };
}

static void decide_before(uint64_t end, enum delay delay, uint32_t task, uint64_t time)
{
    while (is_before(model_points, end))
        decide(delay, task, delay == DELAY_MASKED || delay == DELAY_STOLEN ? time : point[model_points],
               SAMPLE_NO_ARRIVAL);
}

static void decide_in_time(const struct probe_event *e)
{
    const int64_t after = (int64_t)(e->sample.time - point[model_points]);
    struct probe_arrivals *const a = &model_arrivals;

    a->least = a->count == 0 || after < a->least ? after : a->least;
    a->most = a->count == 0 || after > a->most ? after : a->most;
    a->count++;
    a->sum += after;
    decide(DELAY_NONE, e->sample.task, point[model_points], (int32_t)after);
}

/*
 * The points behind a tick, up to the end of its handler.  One that reads the clock again only where it must ends
 * earlier; what it takes longer because a point is close is the code's that it returns to.  Returns the end.
 */
static uint64_t decide_behind(const struct world *w, const struct probe_event *e, bool plain)
{
    const uint64_t soon = e->sample.time + w->exit;

    if (plain && !is_before(model_points, e->sample.time + p.room))
        return soon;
    decide_before(plain && p.usual != 0 ? soon : soon + w->way, DELAY_HANDLER, 0, 0);
    decide_before(soon + w->way, DELAY_NONE, e->sample.task, 0);
    return soon + w->way;
}

/* The next handler has to leave points, too: it follows at once, and both are one. */
static bool leaves_twice(void)
{
    const uint64_t counted = probe_points(&p);

    return p.waited_until != 0 && (int64_t)(point[counted + 63] - p.waited_until) <= 0;
}

/* ---- both ---- */

static void check_fates(unsigned points)
{
    for (unsigned k = 0; k < points; k++) {
        const struct fate *const e = &expected[k], *const g = &got[k];
        /* The time of one that waited is the entry of whoever counts it. */
        const bool waited = e->delay == DELAY_MASKED || e->delay == DELAY_STOLEN;

        if (!g->known || g->delay != e->delay || (waited ? g->time < e->time : g->time != e->time) ||
            g->arrival != e->arrival || g->task != e->task || g->pair != e->pair)
            fail_msg("point %u: delay %u, time %lu, arrival %d, task %u, pair %d; not %u, %lu, %d, %u, %d", k,
                     g->delay, g->time, g->arrival, g->task, g->pair,
                     e->delay, e->time, e->arrival, e->task, e->pair);
    }
}

/* The end of a window, and what the model knows of it. */
static void check_closed(unsigned points)
{
    const struct probe_closed *const c = &p.closed;
    struct schedule s = p.schedule;
    unsigned dropped = 0, late = 0;
    uint64_t buckets = 0;

    drain();
    check_fates(points);
    for (unsigned k = 0; k < points; k++) {
        dropped += expected[k].delay == DELAY_HANDLER;
        late += expected[k].delay == DELAY_MASKED || expected[k].delay == DELAY_STOLEN;
    }
    for (unsigned k = 0; k <= points; k++)
        schedule_next(&s);
    for (unsigned i = 0; i < LATENESS_BUCKETS; i++)
        buckets += c->counters.bucket[i];
    assert_int_equal(c->counters.points, points);
    assert_int_equal(c->counters.in_handler, dropped);
    assert_int_equal(c->counters.ticks, points - dropped);
    assert_int_equal(c->counters.late, late);
    assert_int_equal(buckets, late);
    assert_int_equal(c->system.masked.hits[MODES] + c->system.stolen.hits[MODES], late);
    assert_int_equal(c->generator, s.generator);
    assert_int_equal(c->intervals, s.sum);
    assert_int_equal(c->counters.arrivals.count, model_arrivals.count);
    assert_int_equal(c->counters.arrivals.sum, model_arrivals.sum);
    if (model_arrivals.count != 0)
        assert_true(c->counters.arrivals.least == model_arrivals.least &&
                    c->counters.arrivals.most == model_arrivals.most);
}

/* How long a tick waits, most of the time not at all. */
static uint64_t draw_wait(const struct world *w)
{
    switch (below(20)) {
    case 0: return below(2ull * w->mean * w->longest);
    case 1: case 2: return below(4ull * w->mean);
    case 3: return LATE + below(5);
    default: return below(LATE + 1);
    }
}

static uint64_t call(const struct probe_event *e)
{
    if (p.via_nmi)
        return probe_tick_nmi(&p, e);
    probe_enter(&p, e);
    return probe_is_late(&p, e) ? probe_tick_late(&p, e) : probe_tick_on_time(&p, e);
}

/* The tick that was armed for `time`; the next such time. */
static uint64_t tick_at(const struct world *w, uint64_t time, uint32_t task, bool left)
{
    const uint64_t due = time - (time - now) % GRAIN;
    struct probe_event e = {
        .sample = { .pc = 0x1000 + task, .task = task, .mode = MODE_USER },
        .halted = below(4) == 0, .enabled = below(2),
    };
    const uint64_t floor = e.halted ? 2 * FLOOR : FLOOR;
    const bool first = p.counters.first == 0, closes = p.close == PROBE_OPEN && below(50) == 0;
    enum delay delay = e.enabled || w->nmi ? DELAY_STOLEN : DELAY_MASKED;
    unsigned points;
    bool late;

    e.lateness = model_points - probe_points(&p) < ROOM ? draw_wait(w) : below(LATE + 1);
    e.sample.time = due + e.lateness;
    reading = e.sample.time + w->way;
    late = probe_is_late(&p, &e);
    if (p.close == PROBE_CLOSED)
        probe_resume(&p);
    if (closes)
        probe_request_close(&p, PROBE_CLOSE_REQUESTED);
    points = model_points;
    if (left) /* there was no room for a point */
        decide_before(late ? time : e.sample.time - floor + 1, leaves_twice() ? DELAY_HANDLER : DELAY_NONE, task, 0);
    else if (late)
        decide(delay, task, e.sample.time, SAMPLE_NO_ARRIVAL);
    if (late)
        decide_before(e.sample.time - floor + 1, delay, task, e.sample.time);
    points = late || left ? model_points : points;
    p.usual = below(2) ? w->exit : 0;
    time = call(&e);
    if (closes && p.close == PROBE_CLOSED)
        check_closed(points);
    if (!late && !left)
        decide_in_time(&e);
    now = decide_behind(w, &e, !late && !left && !first && p.close == PROBE_OPEN);
    if (!w->nmi)
        account_switch_at(&account, now, &task_time[0]);
    now = reading;
    return time;
}

/* Returns how many handlers left points to the next. */
static unsigned check_world(const struct world *w, uint64_t seed, unsigned ticks)
{
    uint64_t time = begin_world(w, seed);
    unsigned lefts = 0;
    uint32_t task = 1;
    bool left = false;

    decide_before(w->start + w->exit, DELAY_HANDLER, 0, 0);
    drain();
    for (unsigned i = 0; i < ticks && model_points < POINTS - 3 * w->longest - 1000; i++) {
        if (!left)
            task = 1 + (uint32_t)below(TASKS);
        if (!left && time != point[model_points])
            fail_msg("tick %u is armed for %lu, not for point %u at %lu", i, time, model_points, point[model_points]);
        time = tick_at(w, time, task, left);
        drain();
        left = p.waited_until != 0;
        lefts += left;
        if (i % 16 == 0)
            point_queue_fill(&p.queue, below(300));
    }
    check_fates((unsigned)probe_points(&p));
    if (!left)
        assert_int_equal(probe_points(&p), model_points);
    return lefts;
}

static void test_model(void **state)
{
    static const struct world worlds[] = {
        { INTERVAL_STRATIFIED, 1000, 40, 20, 0, 12, false, 1000 },
        { INTERVAL_STRATIFIED, 1000, 40, 20, 9, 12, false, (1ull << 63) - 100000 },
        { INTERVAL_STRATIFIED, 300, 90, 40, 9, 12, false, (1ull << 32) - 100000 },
        { INTERVAL_RANDOM, 500, 90, 40, 9, 12, false, 1000 },
        { INTERVAL_EXPONENTIAL, 500, 90, 40, 9, 12, false, 1000 },
        { INTERVAL_FIXED, 500, 90, 40, 9, 12, false, 1000 },
        { INTERVAL_NARROW, 500, 90, 40, 9, 12, false, 1000 },
        { INTERVAL_ARITHMETIC, 500, 90, 40, 9, 12, false, 1000 },
        { INTERVAL_STRATIFIED, 500, 90, 40, 9, 12, true, 1000 },
        { INTERVAL_EXPONENTIAL, 500, 90, 40, 9, 12, true, 1000 },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof worlds / sizeof worlds[0]; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            check_world(&worlds[i], seed, 4000);
}

/* A window may begin with points that fall into the code which begins it: the first sample pairs with none. */
static void test_begin(void **state)
{
    static const struct world worlds[] = {
        { INTERVAL_STRATIFIED, 300, 90, 40, 9, 1, false, 1000 },
        { INTERVAL_RANDOM, 300, 90, 40, 9, 1, false, 1000 },
        { INTERVAL_EXPONENTIAL, 300, 90, 40, 9, 1, false, 1000 },
    };
    unsigned dropped = 0;

    (void)state;
    for (unsigned i = 0; i < sizeof worlds / sizeof worlds[0]; i++)
        for (uint64_t seed = 1; seed <= 50; seed++) {
            check_world(&worlds[i], seed, 8);
            dropped += expected[0].delay == DELAY_HANDLER;
        }
    assert_true(dropped > 20);
}

/* Waits of more points than a handler counts: each point is in the row of what delayed it, whoever counts it. */
static void test_long_waits(void **state)
{
    static const struct world worlds[] = {
        { INTERVAL_STRATIFIED, 1000, 40, 20, 9, 400, false, 1000 },
        { INTERVAL_STRATIFIED, 300, 200, 100, 9, 400, false, 1000 },
        { INTERVAL_EXPONENTIAL, 300, 200, 100, 9, 400, false, 1000 },
        { INTERVAL_RANDOM, 300, 200, 100, 9, 400, true, 1000 },
        { INTERVAL_STRATIFIED, 100, 300, 100, 9, 400, false, 1000 },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof worlds / sizeof worlds[0]; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            assert_true(check_world(&worlds[i], seed, 4000) > 50);
}

/* ---- by hand ---- */

static const struct world even = { INTERVAL_FIXED, 100, 10, 5, 0, 1, false, 1000 };

/* The tick that was armed for `time` waits so long, and its handler reads the clock again so much later. */
static uint64_t wait_for(uint64_t time, uint64_t lateness, uint64_t handler)
{
    const struct probe_event e = { .sample = { time + lateness, 0x1000, 1, MODE_USER }, .lateness = lateness };

    reading = e.sample.time + handler;
    time = call(&e);
    drain();
    return time;
}

static void go_on(uint64_t time)
{
    for (unsigned i = 0; p.waited_until != 0; i++) {
        assert_true(i < 10);
        time = wait_for(time, FLOOR, 0);
    }
    wait_for(time, FLOOR, 0);
}

/* All points from `first` to `last`, times, and no other ones. */
static void check_fate(uint64_t first, uint64_t last, enum delay delay)
{
    for (unsigned k = 0; k < probe_points(&p); k++)
        if ((got[k].delay == delay) != (point[k] >= first && point[k] <= last))
            fail_msg("point %u at %lu: %u", k, point[k], got[k].delay);
}

/* A tick that was armed for what another one left waits, too, and finds no room for its own points. */
static void test_two_waits(void **state)
{
    uint64_t time = begin_world(&even, 1), first = time, until;

    (void)state;
    time = wait_for(time, 20000, 0);
    assert_int_equal(probe_points(&p), 1 + 64);
    until = time + 2000 - FLOOR;
    time = wait_for(time, 2000, 0);
    assert_int_equal(probe_points(&p), 1 + 2 * 64);
    go_on(time);
    check_fate(first, until, DELAY_MASKED);
}

/* More points fall into a handler than it counts. */
static void test_long_handler(void **state)
{
    uint64_t time = begin_world(&even, 1), first = time;

    (void)state;
    time = wait_for(time, FLOOR, 20000);
    assert_int_equal(probe_points(&p), 1 + 64);
    go_on(time);
    check_fate(first + 1, first + FLOOR + 20000 + even.exit - 1, DELAY_HANDLER);
}

/* A point in a handler of the other sampler is no sample: of a tick that it delayed, of one that waited further. */
static void test_peer(void **state)
{
    for (unsigned more = 0; more < 2; more++) {
        uint64_t time = begin_world(&even, 1), first = time;
        const uint64_t lateness = more ? 1040 : 60;

        (void)state;
        set_up(&q, 2, UINT64_MAX, PROBE_SYSTEM);
        p.peer = &q;
        q.busy_from = first - 10;
        q.busy_to = first + 50;
        time = wait_for(time, lateness, 0);
        assert_int_equal(p.counters.in_handler, 1);
        assert_int_equal(p.counters.late, more ? 10 : 0);
        check_fate(first, first + 50, DELAY_HANDLER);
        check_fate(first + 51, first + lateness - FLOOR, DELAY_MASKED);
    }
}

/*
 * A tick that was due before a handler of the other sampler and came after it is in time,
 * and its arrival has none of that.
 */
static void test_held_up(void **state)
{
    uint64_t time = begin_world(&even, 1), first = time;

    (void)state;
    set_up(&q, 2, UINT64_MAX, PROBE_SYSTEM);
    p.peer = &q;
    q.busy_from = first + 1;
    q.busy_to = first + 1041;
    wait_for(time, 1040 + FLOOR, 0);
    assert_int_equal(p.counters.late, 0);
    assert_int_equal(p.counters.arrivals.most, FLOOR);
    check_fate(first, first, DELAY_NONE);
    check_fate(first + 1, first + 1040 + FLOOR + even.exit - 1, DELAY_HANDLER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_begin),
        cmocka_unit_test(test_long_waits),
        cmocka_unit_test(test_two_waits),
        cmocka_unit_test(test_long_handler),
        cmocka_unit_test(test_peer),
        cmocka_unit_test(test_held_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
