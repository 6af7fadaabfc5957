/* SPDX-License-Identifier: MIT */
/*
 * Draws points and gives them out.  The queue has no lock.  The producer draws from a copy of the schedule into
 * places that the tick does not read yet.  One compare-and-exchange of `drawn` then publishes
 * the copy and the places.  It fails if a tick has drawn a point meanwhile, so an
 * interrupt or an NMI sees either the whole batch or nothing of it.
 *
 * The state in force is the one whose own `drawn` equals the queue's.  Usually that is
 * state[current]; between the exchange and the write of `current` it is the other one,
 * and the tick finds it by comparing.  A rejected copy may have the same count by
 * chance; it is then equal, and the tick does not read it.
 */
#include "probe/schedule/point_queue.h"

#include "probe/schedule/arithmetic.h"

#define TRIES 6u

#define BARRIER() __asm__ volatile("" : : : "memory") /* one processor: the compiler's order is enough */

void point_queue_begin(struct point_queue *q, const struct schedule *s, unsigned shift)
{
    q->origin = 0;
    q->shift = shift;
    q->drawn = 0;
    q->current = 0;
    q->taken = 0;
    q->last = 0;
    q->state[0].schedule = *s;
    q->state[0].drawn = 0;
}

/* The number of the checkpoint before a place: a division is a mask here, because the size is a power of two. */
static uint32_t checkpoint_of(const struct point_queue *q, uint32_t place)
{
    return place / POINT_QUEUE_CHECKPOINT & (point_queue_size(q) / POINT_QUEUE_CHECKPOINT - 1);
}

static void checkpoint(struct point_queue *q, const struct schedule *s, uint32_t place)
{
    if (point_queue_size(q) != 0 && place % POINT_QUEUE_CHECKPOINT == 0)
        q->checkpoint[checkpoint_of(q, place)] = *s;
}

/* The point is drawn and given in one step: no reader sees it waiting. */
__attribute__((noinline)) void point_queue_draw(struct point_queue *q)
{
    const uint32_t place = q->drawn;
    struct point_queue_state *state = &q->state[q->current];
    struct schedule *s;

    if (state->drawn != place)
        state = &q->state[1 - q->current];
    s = &state->schedule;
    checkpoint(q, s, place);
    schedule_next(s);
    q->last = s->sum << q->shift | (s->pair ? POINT_PAIRED : 0);
    q->taken = place + 1;
    state->drawn = place + 1;
    q->drawn = place + 1;
}

/* Every second one ends a pair. */
static void set_pairs(uint64_t *point, uint32_t first, uint32_t count)
{
#pragma GCC unroll 8
    for (uint32_t i = first; i < count; i += 2)
        point[i] |= POINT_PAIRED;
}

/* Make intervals points, the first behind `point`, whose POINT_PAIRED all of them get.  Returns the last one. */
static uint64_t add_up(uint64_t *interval, uint32_t count, uint64_t point, unsigned shift)
{
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++)
        interval[i] = point += interval[i] << shift;
    return point;
}

/* Points at once, from `place` on and not past the next mark. */
static void draw(struct point_queue *q, struct schedule *s, uint32_t place, uint32_t count)
{
    uint64_t *const point = &q->point[place & (point_queue_size(q) - 1)];
    const enum pairing pairing = s->policy->pairing;
    const unsigned phase = schedule_phase(s);

    checkpoint(q, s, place);
    schedule_run(s, point, count);
    s->sum = add_up(point, count, s->sum << q->shift | (pairing == PAIR_EACH ? POINT_PAIRED : 0),
                    q->shift) >> q->shift;
    if (pairing == PAIR_STRATUM)
        set_pairs(point, phase == 1 ? 0 : 1, count);
    else if (phase == 0)
        point[0] &= ~POINT_PAIRED;
}

/*
 * Draw so many and publish them; false where a tick drew one since `drawn` were.  The caller computed `count` from
 * that number: from another one on it could go past a checkpoint, or past the end of the ring.
 */
static bool publish(struct point_queue *q, uint32_t drawn, uint32_t count)
{
    const uint32_t from = q->current;
    struct point_queue_state *next = &q->state[1 - from];

    BARRIER();
    next->schedule = q->state[from].schedule;
    BARRIER();
    if (q->drawn != drawn) /* the copy may be half of before and half of after */
        return false;
    draw(q, &next->schedule, drawn, count);
    next->drawn = drawn + count;
    BARRIER();
    if (!__atomic_compare_exchange_n(&q->drawn, &drawn, drawn + count, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return false;
    q->current = 1 - from;
    return true;
}

void point_queue_fill(struct point_queue *q, uint32_t wanted)
{
    uint32_t batch = POINT_QUEUE_CHECKPOINT, left = wanted;

    for (unsigned tries = 0; tries < TRIES && left > 0;) {
        const uint32_t drawn = q->drawn;
        const uint32_t waiting = drawn - *(volatile uint32_t *)&q->taken;
        const uint32_t to_checkpoint = POINT_QUEUE_CHECKPOINT - drawn % POINT_QUEUE_CHECKPOINT;
        const uint32_t missing = waiting < wanted ? least_of(wanted - waiting, left) : 0;
        const uint32_t count = least_of(least_of(missing, to_checkpoint), batch);

        if (count == 0)
            return;
        if (publish(q, drawn, count)) {
            left -= count;
            /* not all at once: what few wait gives time for twice as many */
            batch = least_of(2 * batch, POINT_QUEUE_CHECKPOINT);
            tries = 0;
        } else { /* shorter ones are more often done before the next tick */
            batch = batch > 1 ? batch / 2 : 1;
            tries++;
        }
    }
}

struct schedule point_queue_schedule(const struct point_queue *q)
{
    const uint32_t last = q->taken - 1;
    struct schedule s;

    if (point_queue_size(q) == 0) /* none is drawn ahead: the state in force is the one after the last */
        return q->state[q->current].schedule;
    s = q->checkpoint[checkpoint_of(q, last)];
    for (uint32_t i = 0; i <= last % POINT_QUEUE_CHECKPOINT; i++)
        schedule_next(&s);
    return s;
}
