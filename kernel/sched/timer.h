/* SPDX-License-Identifier: MIT */
/*
 * The system clock and the sleeps, both by one device (kernel/sched/clock.h).  The
 * probe's tick never shares it, except with tick=clock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/text/refusal.h"

struct clock;
struct task;

/* The rates that kernel/source/calibrate.c measured. */
struct timer_rate {
    uint64_t clock_hz;  /* TSC */
    uint64_t timer_q32; /* clocks of the local APIC's timer in a TSC clock, 32.32; 0: there is no such timer */
};

/*
 * Use this device, with `hz` ticks a second unless it has a fixed rate; one that was chosen before is let go.
 * The start.
 */
void timer_choose(const struct clock *clock, uint32_t hz);

/*
 * Test and measure it.  False, and *why, where it cannot be used.
 * Once, after the clocks were measured, interrupts off.
 */
bool timer_calibrate(const struct timer_rate *rate, struct refusal *why);

/* Ticks a second; the period in clock units, 48.16, after timer_calibrate(); the vector of its interrupt. */
uint32_t timer_hz(void);
uint64_t timer_period(void);
unsigned timer_vector(void);

/* The device, for messages.  After timer_choose(). */
const char *timer_device(void);

/* The TSC at one of its ticks; 0: it has not started. */
uint64_t timer_origin(void);

/* The TSC at which its next interrupt is due; 0: not known.  Interrupts off. */
uint64_t timer_due(void);

/* Whether sleeps end only at ticks of the clock. */
bool timer_is_periodic(void);

/* Call this at each tick, in interrupt context, with the TSC at the interrupt's entry; NULL: nothing. */
void timer_on_tick(void (*call)(uint64_t now));

/*
 * Set an alarm, and switch it off: an interrupt so many clock units from now or a little
 * later; a periodic device interrupts at each of its ticks.  It ends a HLT whose own
 * interrupt does not come.  During the start, after timer_calibrate(); interrupts off.
 */
void timer_alarm(uint64_t clocks);
void timer_alarm_off(void);

/* Start the system clock.  Once, interrupts off. */
void timer_start(void);

/* Microseconds as clock units. */
uint64_t timer_us_to_clocks(uint64_t microseconds);

/* Put the running task to sleep until the clock reads `wake`. Task context. */
void timer_sleep_until(uint64_t wake);

/* The same, for so many microseconds. */
void timer_sleep_us(uint64_t microseconds);

/*
 * The same until `wake`, unless over(), called with interrupts off, says that there is
 * nothing to wait for.  timer_wake() ends the sleep early.  Task context.
 */
void timer_sleep_unless(uint64_t wake, bool (*over)(void));

/* Remove a sleeping task from the sleepers without waking it; false where it does not sleep.  Interrupts off. */
bool timer_cancel(struct task *t);

/* Wake a sleeping task now; nothing where it does not sleep.  Interrupts off. */
void timer_wake(struct task *t);

/*
 * Call this in interrupt context every `every` clock units; 0: at each tick.  A periodic
 * clock calls it at ticks only.  There is one such function at a time.  Interrupts off.
 */
void timer_set_poll(void (*look)(void), uint64_t every);

/*
 * Call this once in interrupt context, at the TSC `when` or a little later; a periodic clock at its next
 * tick.  Of each device that is made of the clock's timer (kernel/load/disk.c, kernel/tick/trace_control.c)
 * there is one at a time: a new deadline replaces the one before, UINT64_MAX is none.  Interrupts off.
 */
enum timer_deadline { DEADLINE_DISK, DEADLINE_TRACE, DEADLINES };
void timer_set_deadline(enum timer_deadline which, uint64_t when, void (*call)(uint64_t now));

/*
 * Leave out ticks, of a clock that is no periodic one, until timer_resume_ticks() or for a second: its interrupts
 * come for sleeps, deadlines and calls only.  The ticks that follow are at their old times, the first one after
 * `now`.  Interrupts off.
 */
void timer_pause_ticks(void);
void timer_resume_ticks(uint64_t now);

/* The TSC at the first tick of the system clock at or after `when`. */
uint64_t timer_tick_after(uint64_t when);

/* Whether the clock's interrupt, entered at `now`, is a tick and not only the end of a sleep. */
bool timer_is_tick(uint64_t now);

/*
 * The handler of the clock's interrupt, entered at `now`: wakes tasks whose sleep is
 * over, and tells the scheduler of a tick.  False where the interrupt was not expected,
 * because the clock has not started.  Interrupt context.
 */
bool timer_interrupt(uint64_t now);

/*
 * All other interrupts watch the clock: one that comes at or after `timer_watch`, where interrupts were on, calls
 * timer_look() with the TSC.  If the same interrupt of the clock is missing at two looks, a quarter of a second
 * apart, it is lost, and the device begins anew.  Interrupt context, or NMI: that does nothing for a periodic clock,
 * which it cannot begin anew.
 */
extern uint64_t timer_watch; /* UINT64_MAX: the clock has not started */
void timer_look(uint64_t now, bool nmi);

/* Interrupts that were lost.  Any context. */
uint64_t timer_lost(void);
