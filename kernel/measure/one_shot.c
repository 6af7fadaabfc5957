/* SPDX-License-Identifier: MIT */
/*
 * Fires one-shots of a timer, waits for them within bounds, and evaluates them; keeps which timer is the reference.
 */
#include "kernel/measure/one_shot.h"

#include "drivers/io.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/irq.h"
#include "kernel/sched/timer.h"
#include "probe/core/timed.h"

#define SHOT_STEP 7u /* counts that each is longer than the one before: every phase of CPU against timer */

static void wait_halted(const struct one_shot_timer *t, uint64_t armed)
{
    while (*t->fired == 0 && rdtsc() - armed < t->longest)
        halt_until(t->fired);
}

static void wait_running(const struct one_shot_timer *t, uint64_t armed)
{
    cpu_interrupts_on();
    while (*t->fired == 0 && rdtsc() - armed < t->longest)
        continue;
    cpu_interrupts_off();
}

uint64_t one_shot(struct one_shot_timer *t, uint32_t counts, bool halt)
{
    uint64_t armed;

    if (t->lost)
        return 0;
    t->shots++;
    cpu_interrupts_off();
    if (halt)
        timer_alarm(t->longest);
    armed = t->arm(counts);
    if (halt)
        wait_halted(t, armed);
    else
        wait_running(t, armed);
    if (halt)
        timer_alarm_off();
    t->lost = *t->fired == 0;
    t->lost_halted = halt;
    return t->lost ? 0 : *t->fired - armed;
}

static uint64_t read_twice(void)
{
    const uint64_t begin = rdtsc();

    return rdtsc() - begin;
}

uint64_t clock_grain(void)
{
    return TIMED_LEAST(read_twice());
}

static uint64_t fire(void *timer, uint32_t counts, bool halt)
{
    return one_shot(timer, counts, halt);
}

struct one_shots one_shots_of(struct one_shot_timer *t)
{
    return (struct one_shots){ fire, t };
}

struct one_shots_lengths one_shot_lengths(const struct one_shot_timer *t, uint32_t lengths)
{
    return (struct one_shots_lengths){
        .first = t->shortest, .step = SHOT_STEP, .most = UINT32_MAX, .lengths = lengths, .clocks_q24 = t->clocks_q24,
        .grain = clock_grain(),
    };
}

/* A series of shots, and what the counter shows past the end of each. */
struct series {
    struct one_shot_timer *timer;
    uint64_t past[ONE_SHOTS];
    unsigned shots;
};

static uint64_t fire_and_look(void *of, uint32_t counts, bool halt)
{
    struct series *const s = of;
    const uint64_t took = one_shot(s->timer, counts, halt);

    s->past[s->shots++] = s->timer->counts_past != 0 ? s->timer->counts_past() : 0;
    return took;
}

struct probe_lateness one_shot_lateness(struct one_shot_timer *t, bool halt)
{
    const struct one_shots_lengths lengths = one_shot_lengths(t, ONE_SHOTS);
    struct series s = { .timer = t };
    struct probe_lateness found = { 0, 0 };
    uint64_t past;

    if (!one_shots_lateness(&(struct one_shots){ fire_and_look, &s }, &lengths, halt, &found))
        return found; /* one_shot_check() says which was lost */
    past = one_shots_usual(s.past);
    if (past > t->usual_past)
        t->usual_past = (uint32_t)past;
    return found;
}

bool one_shot_check(const struct one_shot_timer *t, struct refusal *why)
{
    return !t->lost ||
           REFUSE_WITH(why, "one-shot %1 of %2 did not interrupt within a quarter of a second, %3",
                       REFUSAL_NUMBER(t->shots), REFUSAL_STRING(t->name),
                       REFUSAL_STRING(t->lost_halted ? "out of HLT" : "while code ran"));
}

/* The reference, of which no timer is known here, so that sources and calibration can both ask. */
static enum config_tick reference = TICK_NONE; /* set once, as the next */
static struct refusal no_pit;                  /* reason NULL: it works */

enum config_tick reference_tick(void)
{
    return reference;
}

void reference_set(enum config_tick tick)
{
    reference = tick;
}

bool reference_has_pit(struct refusal *why)
{
    return no_pit.reason == 0 || refusal_set(why, &no_pit);
}

void reference_refuse_pit(const struct refusal *why)
{
    no_pit = *why;
}
