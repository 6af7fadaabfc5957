/* SPDX-License-Identifier: MIT */
/*
 * Wrappers for two sources.  Both come through the common entry, so that a single source pays
 * nothing for this.  The time of one handler delays the other source, and is noted for the
 * other's probe.
 */
#include "kernel/tick/tick_plan.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/irq.h"
#include "kernel/source/sampler.h"
#include "kernel/source/tick_record.h"
#include "kernel/tick/sources.h"
#include "probe/core/timed.h"

static const struct source *wrapped[SAMPLERS]; /* interrupts off */
static struct source wrapper[SAMPLERS];           /* the same */
static uint64_t exit_cost; /* from the last reading of the clock to the end of IRETQ, clock units; set once */

/* The exit is longer than the source assumed: MONITOR has the time until its end. */
static void prolong(struct probe *p, uint64_t entry)
{
    if (account_on != ACCOUNT_KEPT || (int64_t)(account.last - entry) <= 0 ||
        (int64_t)(p->busy_to - account.last) <= 0)
        return;
    p->monitor += p->busy_to - account.last;
    account.last = p->busy_to;
}

/* A handler that begins where the last one ended extends the same delay. */
static void note_held(struct probe *p, const struct source *s, const struct cpu_frame *f, uint64_t now)
{
    const uint64_t entry = now - account_entry_cost;

    if (entry - p->running.floor > p->busy_to) {
        p->busy_from = entry;
        p->busy_since = account.last;
    }
    s->interrupt(f, now);
    p->busy_to = rdtsc();
    if (s->vector == 0) /* the system clock's handler follows */
        return;
    p->busy_to += exit_cost;
    prolong(p, now);
}

static void interrupt_first(const struct cpu_frame *f, uint64_t now)
{
    note_held(&probe, wrapped[0], f, now);
}

static void interrupt_second(const struct cpu_frame *f, uint64_t now)
{
    note_held(&probe2, wrapped[1], f, now);
}

const struct source *dual_source_wrap(unsigned number, const struct source *s)
{
    wrapped[number] = s;
    wrapper[number] = *s;
    wrapper[number].interrupt = number == 0 ? interrupt_first : interrupt_second;
    return &wrapper[number];
}

/* Its exit is that of a tick. */
static void empty_tick(const struct cpu_frame *f, uint64_t now)
{
    (void)f;
    (void)now;
    TICK_SAVED();
    account_tick_exit(account.cell);
}

static uint64_t exit_wrapper(void)
{
    uint64_t after;

    __asm__ volatile("int %0" : : "i"(TICK_VECTOR) : "memory");
    after = rdtsc();
    return after - probe.busy_to + exit_cost;
}

void dual_source_measure(void)
{
    static const struct source none = { .vector = TICK_VECTOR, .interrupt = empty_tick };
    const struct source *const before = tick_source;
    const struct account kept = account;
    const uint32_t asked = account_on;
    uint64_t nobodys = 0;

    account_on = ACCOUNT_KEPT;
    account.cell = &nobodys;
    exit_cost = 2 * account_tick_exit_cost; /* more than the account assumes, as in a tick */
    sources_set(dual_source_wrap(0, &none), 0);
    exit_cost = TIMED_LEAST(exit_wrapper());
    account_on = asked;
    account = kept;
    sources_set(before, 0);
}
