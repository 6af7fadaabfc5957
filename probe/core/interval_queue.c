/* SPDX-License-Identifier: MIT */
/*
 * Drawing ahead without a lock.  The producer draws from a copy of the schedule
 * into places that the tick does not look at yet, and makes copy and places the
 * ones in force by one compare-and-exchange of `drawn`, which fails where a tick
 * has drawn meanwhile: an interrupt or an NMI finds either all of it or nothing.
 *
 * A state in force has drawn as many as `drawn` says.  The state `current` has,
 * but for the moment between the exchange and the word `current`: then the copy
 * has, and the tick finds it by that.  A copy that was refused may have as many by
 * chance, and is then equal; the tick does not look at it.
 */
#include "probe/core/interval_queue.h"

#include <stddef.h>

#define TRIES 6u

#define BARRIER() __asm__ volatile("" : : : "memory") /* one processor: the compiler's order is enough */

void ahead_begin(struct ahead *a, const struct schedule *s)
{
    a->drawn = 0;
    a->current = 0;
    a->taken = 0;
    a->last = 0;
    a->state[0].schedule = *s;
    a->state[0].drawn = 0;
}

static void mark(struct ahead *a, const struct schedule *s, uint32_t place)
{
    if (place % AHEAD_MARK == 0)
        a->mark[place / AHEAD_MARK % (AHEAD_ROOM / AHEAD_MARK)] = *s;
}

/* One is drawn and given at once: for whatever looks, it was never different. */
__attribute__((noinline)) uint64_t ahead_draw(struct ahead *a)
{
    const uint32_t place = a->drawn;
    struct ahead_state *state = &a->state[a->current];
    struct schedule *s;
    uint64_t interval;

    if (state->drawn != place)
        state = &a->state[1 - a->current];
    s = &state->schedule;
    mark(a, s, place);
    interval = schedule_next(s);
    a->last = interval | (s->pair ? AHEAD_PAIR : 0);
    a->taken = place + 1;
    state->drawn = place + 1;
    a->drawn = place + 1;
    return interval;
}

static void set_pairs(uint64_t *interval, uint32_t first, uint32_t count, uint32_t step)
{
#pragma GCC unroll 8
    for (uint32_t i = first; i < count; i += step)
        interval[i] |= AHEAD_PAIR;
}

static uint64_t sum_of(const uint64_t *interval, uint32_t count)
{
    uint64_t sum = 0;

#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++)
        sum += interval[i];
    return sum;
}

/* Intervals at once, from `place` on and not past the next mark. */
static void draw(struct ahead *a, struct schedule *s, uint32_t place, uint32_t count)
{
    uint64_t *interval = &a->interval[place & (AHEAD_ROOM - 1)];
    const enum pairing pairing = s->policy->pairing;
    const unsigned phase = schedule_phase(s);

    mark(a, s, place);
    schedule_run(s, interval, count);
    s->sum += sum_of(interval, count);
    if (pairing == PAIR_STRATUM)
        set_pairs(interval, phase == 1 ? 0 : 1, count, 2);
    else if (pairing == PAIR_EACH)
        set_pairs(interval, phase > 0 ? 0 : 1, count, 1);
}

/* Draw so many and offer them; false where a tick drew one meanwhile. */
static bool offer(struct ahead *a, uint32_t count)
{
    const uint32_t from = a->current;
    struct ahead_state *next = &a->state[1 - from];
    uint32_t drawn = a->drawn;

    BARRIER();
    next->schedule = a->state[from].schedule;
    BARRIER();
    if (a->drawn != drawn) /* the copy may be half of before and half of after */
        return false;
    draw(a, &next->schedule, drawn, count);
    next->drawn = drawn + count;
    BARRIER();
    if (!__atomic_compare_exchange_n(&a->drawn, &drawn, drawn + count, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return false;
    a->current = 1 - from;
    return true;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void ahead_fill(struct ahead *a, uint32_t wanted)
{
    uint32_t batch = AHEAD_MARK;

    for (unsigned tries = 0; tries < TRIES;) {
        const uint32_t drawn = a->drawn;
        const uint32_t waiting = drawn - *(volatile uint32_t *)&a->taken;
        const uint32_t to_mark = AHEAD_MARK - drawn % AHEAD_MARK;

        if (waiting >= wanted)
            return;
        if (offer(a, least(least(wanted - waiting, to_mark), batch))) {
            batch = AHEAD_MARK;
            tries = 0;
        } else { /* shorter ones are more often done before the next tick */
            batch = batch > 1 ? batch / 2 : 1;
            tries++;
        }
    }
}

struct schedule ahead_schedule(const struct ahead *a)
{
    const uint32_t last = a->taken - 1;
    struct schedule s = a->mark[last / AHEAD_MARK % (AHEAD_ROOM / AHEAD_MARK)];

    for (uint32_t i = 0; i <= last % AHEAD_MARK; i++)
        schedule_next(&s);
    return s;
}
