/* SPDX-License-Identifier: MIT */
/*
 * What happens at a tick.  docs/ACCOUNTING.md, "What an estimate is compared
 * with", says which moment belongs to whom.
 */
#include "probe/core/probe.h"

#include <stddef.h>

#include "probe/schedule/arithmetic.h"
#include "probe/schedule/memory.h"

#define POINTS_AT_ONCE 64 /* that one handler counts */
#define PASSES         4  /* of looking for a point behind the handler */
#define FAR            (1u << 31) /* points: numbers of points are compared modulo 2^32 */

static probe_recorder record_samples, record_regions, record_monitors, record_and_watch;
static uint64_t first_point(struct probe *p);

/* The number of the point that is counted next. */
static inline uint32_t next_number(const struct probe *p)
{
    return p->queue.taken;
}

/* The general handler looks before the next point, whatever that is. */
static inline void look_at_next(struct probe *p)
{
    p->look = p->until = next_number(p);
}

void probe_set_monitors(struct probe *p, uint32_t monitors)
{
    p->monitors = monitors;
    p->system_only = monitors == PROBE_SYSTEM;
}

void probe_prepare(struct probe *p)
{
    point_queue_begin(&p->queue, &p->schedule, p->relative ? 1 : p->shift);
    point_queue_fill(&p->queue, point_queue_most(&p->queue));
}

/* One monitor alone has a recorder of its own, which is shorter. */
static probe_recorder *recorder_of(uint32_t monitors)
{
    switch (monitors) {
    case PROBE_SAMPLES:
        return record_samples;
    case PROBE_REGION:
        return record_regions;
    default:
        return monitors & PROBE_WATCHED ? record_and_watch : record_monitors;
    }
}

void probe_clear(struct probe *p)
{
    p->record = recorder_of(p->monitors);
    system_init(&p->system);
    for (uint32_t i = 0; i < p->regions; i++)
        region_init(&p->region[i], &p->region_request[i]);
    if (p->samples != NULL)
        p->samples->put = p->samples->taken = p->samples->lost = 0;
    memset(&p->counters, 0, sizeof p->counters);
    p->counters.arrivals.least = INT64_MAX;
    p->counters.arrivals.most = INT64_MIN;
    p->monitor = 0;
    p->close = PROBE_OPEN;
    p->waited_until = 0;
    p->arrival = SAMPLE_NO_ARRIVAL;
    p->usual = 0;
    p->strata = p->schedule.policy->pairing == PAIR_STRATUM;
    point_queue_next(&p->queue);
    p->taken = p->queue.taken;
    look_at_next(p); /* the first tick records its time */
}

uint64_t probe_begin_at(struct probe *p, uint64_t now)
{
    p->counters.begin = now;
    p->queue.origin = p->relative ? 0 : now;
    return p->relative ? point_queue_pending(&p->queue) >> 1 : first_point(p);
}

uint64_t probe_begin(struct probe *p, uint64_t now)
{
    probe_clear(p);
    return probe_begin_at(p, now);
}

/* Change one word atomically: a tick comes before the change or after it. */
static void replace(volatile uint32_t *word, uint32_t from, uint32_t to)
{
    __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void probe_request_close(struct probe *p, enum probe_close how)
{
    if (p->via_nmi) {
        replace(&p->close, PROBE_OPEN, how);
        return;
    }
    if (p->close == PROBE_CLOSED || p->close == PROBE_FINISH_REQUESTED || p->close == PROBE_STOPPED)
        return;
    p->close = how;
    look_at_next(p);
}

void probe_finish(struct probe *p)
{
    replace(&p->close, PROBE_CLOSED, PROBE_FINISH_REQUESTED);
    if (!p->via_nmi && p->close == PROBE_FINISH_REQUESTED)
        look_at_next(p);
}

void probe_resume(struct probe *p)
{
    replace(&p->close, PROBE_CLOSED, PROBE_OPEN);
}

uint64_t probe_monitor_start(const struct probe *p, const struct probe_event *e)
{
    return probe_charged_from(p, e->sample.time, e->lateness, e->halted);
}

void probe_enter(struct probe *p, const struct probe_event *e)
{
    uint64_t entry = probe_monitor_start(p, e);

    if (entry < p->account->last)
        entry = p->account->last;
    account_switch_at(p->account, entry, &p->monitor);
}

static void close_window(struct probe *p)
{
    const struct schedule schedule = point_queue_schedule(&p->queue);
    struct probe_closed *c = &p->closed;

    c->counters = p->counters;
    copy_words(&c->system, &p->system, sizeof c->system);
    c->generator = schedule.generator;
    c->intervals = schedule.sum;
    c->monitor = probe_monitor_time(p);
    c->transitions = p->account != NULL ? account_transitions(p->account) : 0;
    c->lost_ring = p->samples != NULL ? p->samples->lost : 0;
    for (uint32_t i = 0; i < p->regions; i++)
        copy_words(&c->region[i], &p->region[i], sizeof c->region[i]);
    if (p->copy_exact_rows != NULL)
        p->copy_exact_rows(p);
}

/*
 * Once it has looked: not before the samples can be as many as are wanted,
 * which takes more points where some are dropped.
 */
static void look_later(struct probe *p)
{
    const uint64_t wanted = p->goal > p->counters.ticks ? p->goal - p->counters.ticks : 0;

    p->taken += next_number(p) - (uint32_t)p->taken;
    p->look = next_number(p) + (uint32_t)(wanted < FAR ? wanted : FAR - 1);
}

/*
 * A tick at which a close was requested, or the last one: true where it is.  `more` samples are counted that have not
 * passed yet.  The window ends where probe_enter() left the exact rows.  A tick in time that closes it is not in it:
 * a window that ends because of a sample would have that sample too often.
 */
static __attribute__((noinline)) bool check_close(struct probe *p, unsigned more)
{
    const bool finish = p->close == PROBE_FINISH_REQUESTED;
    bool last;

    p->counters.ticks = probe_ticks(p) + more;
    p->counters.points = probe_points(p) + more;
    if (!p->via_nmi)
        p->counters.end = p->exact ? p->account->last : probe_clock(p);
    if (p->counters.first == 0)
        p->counters.first = p->counters.end;
    last = finish || p->close == PROBE_STOP_REQUESTED || p->counters.ticks >= p->goal;
    look_later(p);
    if (last || p->close == PROBE_CLOSE_REQUESTED) {
        if (!finish)
            close_window(p);
        p->close = last ? PROBE_STOPPED : PROBE_CLOSED;
    }
    return last;
}

/* A tick that has to look: `more` more points would pass it. */
static inline bool must_look(const struct probe *p, unsigned more)
{
    return (int32_t)(next_number(p) + more - p->look) >= 0;
}

static inline bool is_last(struct probe *p, unsigned more)
{
    return (must_look(p, more) || p->close >= PROBE_CLOSE_REQUESTED) && check_close(p, more);
}

/* ---- one sample ---- */

static void put_sample(struct probe *p, uint64_t time, uint64_t pc, uint32_t task, enum mode mode, enum delay delay)
{
    const bool at_point = !p->relative && (delay == DELAY_NONE || delay == DELAY_HANDLER);
    struct sample_record *const r = samples_place(p->samples);

    if (r == NULL)
        return;
    r->time = at_point ? point_queue_pending(&p->queue) : time;
    r->pc = pc;
    r->tick = probe_points(p);
    r->arrival = p->arrival;
    r->task = task;
    r->mode = (uint8_t)mode;
    r->delay = (uint8_t)delay;
    samples_put(p->samples);
}

/* Each is a probe_recorder.  Parameters and not a struct: a struct would be built in memory on every tick. */
#define RECORDER __attribute__((noinline, flatten))

static RECORDER void record_samples(struct probe *p, uint64_t time, uint64_t pc, uint32_t task, enum mode mode,
                                    enum delay delay)
{
    put_sample(p, time, pc, task, mode, delay);
}

static RECORDER void record_regions(struct probe *p, uint64_t time, uint64_t pc, uint32_t task, enum mode mode,
                                    enum delay delay)
{
    const struct sample s = { time, pc, task, mode };

    for (uint32_t i = 0; i < p->regions; i++)
        region_tick(&p->region[i], &s, delay != DELAY_NONE, point_queue_pairs(&p->queue));
}

static RECORDER void record_monitors(struct probe *p, uint64_t time, uint64_t pc, uint32_t task, enum mode mode,
                                     enum delay delay)
{
    if (p->monitors & PROBE_SYSTEM)
        system_tick(&p->system, &(struct sample){ time, pc, task, mode }, delay, point_queue_pairs(&p->queue));
    if (p->monitors & PROBE_SAMPLES)
        put_sample(p, time, pc, task, mode, delay);
    if (p->monitors & PROBE_REGION) /* last: no register is kept over this call */
        record_regions(p, time, pc, task, mode, delay);
}

/* The same, and what else wants to see each sample: by a pointer, so that without it no tick has a test more. */
static void record_and_watch(struct probe *p, uint64_t time, uint64_t pc, uint32_t task, enum mode mode,
                             enum delay delay)
{
    const struct sample s = { time, pc, task, mode };

    record_monitors(p, time, pc, task, mode, delay);
    p->watch(&s, delay);
}

/* Record the sample of the pending point. */
static inline __attribute__((always_inline)) void record_point(struct probe *p, const struct probe_event *e,
                                                               enum delay delay)
{
    /* Two calls with a constant `pair`, so that each is inlined for its case. */
    if (p->system_only && point_queue_pairs(&p->queue)) {
        system_tick(&p->system, &e->sample, delay, true);
    } else if (p->system_only) {
        system_tick(&p->system, &e->sample, delay, false);
    } else {
        p->record(p, e->sample.time, e->sample.pc, e->sample.task, e->sample.mode, delay);
    }
}

static inline void advance(struct probe *p)
{
    point_queue_next(&p->queue);
}

static void count_late(struct probe *p, uint64_t lateness)
{
    const unsigned digits = binary_digits(lateness);

    p->counters.late++;
    p->counters.lateness += lateness;
    p->counters.bucket[digits < LATENESS_BUCKETS ? digits : LATENESS_BUCKETS - 1]++;
}

/* Of a tick in time: `after` its point. */
static inline void note_arrival(struct probe *p, int64_t after)
{
    struct probe_arrivals *const a = &p->counters.arrivals;

    a->count++;
    a->sum += after;
    if (after < a->least)
        a->least = after;
    if (after > a->most)
        a->most = after;
}

/* ---- ticks at points ---- */

/* The pending point fell into a handler. */
static void drop_point(struct probe *p)
{
    if (p->monitors & PROBE_SAMPLES)
        put_sample(p, 0, 0, 0, MODE_USER, DELAY_HANDLER);
    p->counters.in_handler++;
    advance(p);
    if (p->strata || probe_ticks(p) == 0)
        p->queue.last &= ~POINT_PAIRED;
}

/* The pending point is in a handler of the other sampler. */
static bool is_peers(const struct probe *p, uint64_t point)
{
    const struct probe *const o = p->peer;

    return o != NULL && point - o->busy_from < o->busy_to - o->busy_from;
}

/* Count the pending point of a tick that waited until `until` in row `delay`. */
static void count_waited(struct probe *p, const struct probe_event *e, uint64_t until, enum delay delay)
{
    const uint64_t point = point_queue_pending(&p->queue);

    if (delay == DELAY_HANDLER || is_peers(p, point)) {
        drop_point(p);
        return;
    }
    if (delay != DELAY_NONE)
        count_late(p, until - point + probe_latency_floor(p, e->halted));
    record_point(p, e, delay);
    advance(p);
}

/* Count the points up to `until` in row `delay`; false where the next handler has to go on. */
static __attribute__((noinline)) bool count_until(struct probe *p, const struct probe_event *e, uint64_t until,
                                                  enum delay delay)
{
    p->waited_until = 0;
    for (unsigned i = 0; i < POINTS_AT_ONCE; i++) {
        if ((int64_t)(point_queue_pending(&p->queue) - until) > 0)
            return true;
        count_waited(p, e, until, delay);
    }
    p->waited_until = until;
    p->waited = delay;
    look_at_next(p);
    return false;
}

/*
 * The end of this handler, from which on a tick can come.  The source is armed for no earlier time,
 * so that none waits for it.
 */
static uint64_t handler_end(struct probe *p)
{
    p->looked = probe_clock(p);
    return p->looked + p->exit;
}

/* What is armed where points are left to the next handler. */
static uint64_t leave(struct probe *p)
{
    p->left = handler_end(p);
    return p->left;
}

/*
 * Count the points before `end`.  Those before `usual` fell into this handler.  Those behind it fell into what it
 * takes longer because it looks for them: they are samples of the code that it returns to.  False where there are
 * more than one handler counts.
 */
static bool count_behind(struct probe *p, const struct probe_event *e, uint64_t usual, uint64_t end)
{
    for (unsigned i = 0; i < POINTS_AT_ONCE; i++) {
        const uint64_t point = point_queue_pending(&p->queue);

        if ((int64_t)(point - end) >= 0)
            return true;
        if ((int64_t)(point - usual) < 0 || is_peers(p, point) || probe_ticks(p) >= p->goal) {
            drop_point(p);
        } else {
            record_point(p, e, DELAY_NONE);
            advance(p);
        }
    }
    return false;
}

/*
 * What is to be armed: the pending point, once those are counted that this handler, which that makes longer, would
 * have passed.  `usual`: when it would have ended if no point were close; 0: about now.
 */
static __attribute__((noinline)) uint64_t next_point(struct probe *p, const struct probe_event *e, uint64_t usual)
{
    for (unsigned i = 0; i < PASSES; i++) {
        const uint64_t end = handler_end(p);

        if (usual == 0)
            usual = end;
        if ((int64_t)(point_queue_pending(&p->queue) - end) >= 0)
            return point_queue_pending(&p->queue);
        if (!count_behind(p, e, usual, end))
            break;
    }
    p->left = handler_end(p);
    p->waited_until = p->left - 1;
    p->waited = DELAY_HANDLER;
    look_at_next(p);
    return p->left;
}

/*
 * The same in a handler that took no longer than usual: the clock is read again only where the point may be too
 * close.
 */
static inline uint64_t next_point_soon(struct probe *p, const struct probe_event *e)
{
    const uint64_t point = point_queue_pending(&p->queue);

    return (int64_t)(point - e->sample.time) >= (int64_t)p->room
               ? point : next_point(p, e, p->usual != 0 ? e->sample.time + p->usual : 0);
}

/* The window has begun, and nothing is to be returned to: what has passed by now was in the code that begins it. */
static uint64_t first_point(struct probe *p)
{
    while ((int64_t)(point_queue_pending(&p->queue) - handler_end(p)) < 0)
        drop_point(p);
    return point_queue_pending(&p->queue);
}

/* Points that an earlier handler left, and those that fell into it; false where this one has to leave some, too. */
static __attribute__((noinline)) bool take_left(struct probe *p, const struct probe_event *e)
{
    return count_until(p, e, p->waited_until, p->waited) && count_until(p, e, p->left - 1, DELAY_HANDLER);
}

/* `held`: the time that the peer's handlers kept it waiting, which is no lateness of its own. */
static inline void count_in_time(struct probe *p, const struct probe_event *e, uint64_t held)
{
    const int64_t after = (int64_t)(e->sample.time - held - point_queue_pending(&p->queue));

    note_arrival(p, after);
    if (!p->system_only)
        p->arrival = after < INT32_MAX ? (int32_t)after : INT32_MAX;
    record_point(p, e, DELAY_NONE);
    if (!p->system_only)
        p->arrival = SAMPLE_NO_ARRIVAL;
    advance(p);
}

/* The tick waited, too, and finds no room for its own points: they are of the same row as those before them. */
static void wait_longer(struct probe *p, uint64_t until, enum delay delay)
{
    if (delay == DELAY_NONE)
        return;
    p->waited_until = until; /* and p->look stays before the next point */
    if (p->waited != DELAY_MASKED && p->waited != DELAY_STOLEN)
        p->waited = delay;
}

/* A tick that was armed for what an earlier handler left: `delay` is the row of the points that it waited for. */
static __attribute__((noinline)) uint64_t tick_left(struct probe *p, const struct probe_event *e, enum delay delay)
{
    const uint64_t until = e->sample.time - probe_latency_floor(p, e->halted);

    if (!take_left(p, e)) {
        wait_longer(p, until, delay);
        return leave(p);
    }
    if (!count_until(p, e, until, delay)) /* this tick was armed for none of those behind that handler */
        return leave(p); /* the window closes once all are counted */
    return is_last(p, 0) ? 0 : next_point(p, e, 0);
}

/* The first tick, one that may close the window, or one that has points of an earlier handler to count. */
static __attribute__((noinline)) uint64_t tick_that_looks(struct probe *p, const struct probe_event *e, uint64_t held)
{
    if (p->waited_until != 0)
        return tick_left(p, e, DELAY_NONE);
    if (check_close(p, 0))
        return 0;
    count_in_time(p, e, held);
    return next_point(p, e, 0);
}

static inline uint64_t tick_in_time(struct probe *p, const struct probe_event *e, uint64_t held)
{
    if (must_look(p, 0))
        return tick_that_looks(p, e, held);
    count_in_time(p, e, held);
    return next_point_soon(p, e);
}

/* `delay` is its row, and that of all further points until MONITOR begins in the account. */
static __attribute__((noinline)) uint64_t tick_late(struct probe *p, const struct probe_event *e, enum delay delay)
{
    const uint64_t until = e->sample.time - probe_latency_floor(p, e->halted);

    if (p->waited_until != 0)
        return tick_left(p, e, delay);
    if (is_peers(p, e->sample.time - e->lateness)) {
        drop_point(p);
    } else {
        count_late(p, e->lateness);
        record_point(p, e, delay);
        advance(p);
    }
    if (!count_until(p, e, until, delay))
        return leave(p);
    return is_last(p, 0) ? 0 : next_point(p, e, 0);
}

/* ---- ticks without points: periodic devices, and arm=relative ---- */

static uint64_t tick_without_point(struct probe *p, const struct probe_event *e, enum delay delay)
{
    const uint64_t before = point_queue_pending(&p->queue);

    if (delay != DELAY_NONE) {
        count_late(p, e->lateness);
        if (!p->periodic)
            p->counters.excess += e->lateness - probe_latency_floor(p, e->halted);
    }
    record_point(p, e, delay);
    if (is_last(p, 1))
        return 0;
    advance(p);
    return (point_queue_pending(&p->queue) - before) >> 1;
}

/* ---- the three kinds ---- */

uint64_t probe_tick_on_time(struct probe *p, const struct probe_event *e)
{
    return p->relative ? tick_without_point(p, e, DELAY_NONE) : tick_in_time(p, e, 0);
}

/* The part of a tick's lateness in which the peer's handlers ran, clock units. */
static uint64_t held_up_by_peer(const struct probe *p, const struct probe_event *e)
{
    const struct probe *const o = p->peer;
    uint64_t from = e->sample.time - e->lateness, to = e->sample.time;

    if (o == NULL)
        return 0;
    if (from < o->busy_from)
        from = o->busy_from;
    if (to > o->busy_to)
        to = o->busy_to;
    return to > from ? to - from : 0;
}

uint64_t probe_tick_late(struct probe *p, const struct probe_event *e)
{
    const enum delay delay = e->enabled ? DELAY_STOLEN : DELAY_MASKED;
    const uint64_t held = held_up_by_peer(p, e);
    struct probe_event own = *e;

    own.lateness -= held;
    if (p->relative)
        return tick_without_point(p, &own, probe_is_late(p, &own) ? delay : DELAY_NONE);
    if (probe_is_late(p, &own) || is_peers(p, e->sample.time - e->lateness))
        return tick_late(p, e, delay);
    return tick_in_time(p, &own, held);
}

/* Requests are read once per tick: an NMI may interrupt the task that makes one. */
uint64_t probe_tick_nmi(struct probe *p, const struct probe_event *e)
{
    const bool late = probe_is_late(p, e); /* NMI ticks have no peer */

    p->counters.end = probe_monitor_start(p, e);
    if (p->relative)
        return tick_without_point(p, e, late ? DELAY_STOLEN : DELAY_NONE);
    if (late)
        return tick_late(p, e, DELAY_STOLEN);
    return p->close >= PROBE_CLOSE_REQUESTED ? tick_that_looks(p, e, 0) : tick_in_time(p, e, 0);
}
