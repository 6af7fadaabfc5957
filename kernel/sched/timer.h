/* SPDX-License-Identifier: MIT */
/*
 * The system clock and the sleeps, both on one device (kernel/sched/clock.h): the
 * probe's tick never shares it, but for tick=clock.
 */
#ifndef KERNEL_SCHED_TIMER_H
#define KERNEL_SCHED_TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct clock;
struct task;

/* What a timer was measured against (kernel/source/calibrate.c). */
struct timer_rate {
    uint64_t clock_hz;  /* TSC */
    uint64_t timer_q32; /* clocks of the local APIC's timer a TSC clock, 32.32; 0: there is none */
};

/* The clock is this device, `hz` ticks a second where it has no rate of its own.  Once. */
void timer_choose(const struct clock *clock, uint32_t hz);

/*
 * Measure it.  NULL, or why it cannot serve: a sentence without its full stop.
 * Once, clocks measured, interrupts off.
 */
const char *timer_calibrate(const struct timer_rate *rate);

/* Ticks a second; a tick in clock units, 48.16, once it is found; its interrupt's vector. */
uint32_t timer_hz(void);
uint64_t timer_period(void);
unsigned timer_vector(void);

/* One of its ticks, by the TSC; 0: it has not begun. */
uint64_t timer_origin(void);

/* Whether sleeps end at ticks of the clock alone. */
bool timer_is_periodic(void);

/* Call this at each tick, with the clock at its interrupt's entry: interrupt context.  Set with interrupts off. */
void timer_on_tick(void (*call)(uint64_t now));
/*
 * Interrupt once so many clock units from now, or a little later, or earlier and again where the
 * device ticks by itself: what ends a HLT whose own interrupt does not come.  And no more.
 * The start, the clock found; interrupts off.
 */
void timer_alarm(uint64_t clocks);
void timer_alarm_off(void);

/* Begin the system clock.  Once, interrupts off. */
void timer_start(void);

/* Microseconds as clock units. */
uint64_t timer_us_to_clocks(uint64_t microseconds);

/* Put the running task to sleep until the clock reads `wake`. Task context. */
void timer_sleep_until(uint64_t wake);

/* The same, for so many microseconds. */
void timer_sleep_us(uint64_t microseconds);

/*
 * Until the clock reads `wake`, unless `over()` says, with interrupts off, that there is nothing to
 * wait for; timer_wake() ends it before its time.  Task context.
 */
void timer_sleep_unless(uint64_t wake, bool (*over)(void));

/* Take a task that sleeps out of the sleepers, for ever: false where it does not.  Interrupts off. */
bool timer_cancel(struct task *t);

/* Wake a task that sleeps, now; nothing where it does not.  Interrupts off. */
void timer_wake(struct task *t);

/*
 * Have the clock's interrupt call this, each `every` clock units, or, 0, at each of its ticks;
 * where sleeps end at ticks alone, at a tick too.  One at a time.  Interrupts off.
 */
void timer_set_poll(void (*look)(void), uint64_t every);

/* The first tick of the system clock at or after `when`, clock units. */
uint64_t timer_tick_after(uint64_t when);

/* Whether the clock's interrupt, entered at `now`, is a tick of it, not the end of a sleep alone. */
bool timer_is_tick(uint64_t now);

/*
 * The clock's interrupt, entered at `now`: wakes who is due, turns the round robin.
 * False where nobody asked for it: the clock has not begun.
 */
bool timer_interrupt(uint64_t now);

#endif
