/* SPDX-License-Identifier: MIT */
/*
 * The interrupt of the system clock as tick source: the classic mistake.  Work that the clock
 * wakes begins right after a sample and can end before the next one, so that no sample sees it
 * (McCanne and Torek, "A Randomized Sampling Clock for CPU Utilization Estimation", 1993).
 * It is here to show that.
 */
#include "kernel/sched/timer.h"
#include "kernel/source/source.h"
#include "kernel/source/tick_periodic.h"

static struct timeline timeline; /* ISR only */
static bool running;     /* interrupts off */
static struct probe *owner; /* whose ticks they are; interrupts off */

static void stop(void)
{
    running = false;
}

/* The clock's own handler is called after this one, and charged to the interrupted task (kernel/trap/dispatch.c). */
static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    if (!running || !timer_is_tick(now))
        return;
    if (!tick_record_periodic(owner, &timeline, f, now, 0))
        stop();
    account_switch(account_cell(&current->account, MODE_INTERRUPT, 1));
}

static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)f;
    (void)first; /* there is one interval only */
    owner = p;
    timeline_start(&timeline, 0, timer_period(), p->running.floor);
    running = true;
}

static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    (void)why;
    f->hz_milli = c->rate.clock_hz * 1000;
    f->clock_65536 = 65536;
    return true;
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    f->mean = timer_period();
    return r->rate == timer_hz() || REFUSE_WITH(why, "the system clock ticks at %1 Hz", REFUSAL_NUMBER(timer_hz()));
}

const struct source source_clock = {
    .name = "clock", .what = "the system clock's own interrupt: the classic mistake",
    .explicit_only = true, .precalibrated = true,
    .default_rate = timer_hz, .detect = detect, .set_rate = set_rate, .start = start, .stop = stop,
    .interrupt = interrupt,
};
