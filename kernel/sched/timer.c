/* SPDX-License-Identifier: MIT */
/*
 * The system clock and the sleeps.  Where the device is a one-shot, ticks are at fixed
 * times in TSC clocks, so that lateness does not add up, and the device is armed for
 * whatever comes first.  Where it is periodic each interrupt is a tick, and a sleep ends
 * at the first tick that is not too early.
 */
#include "kernel/cpu/irq.h"
#include "kernel/sched/timer.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/activity.h"
#include "kernel/sched/sched.h"
#include "kernel/trace/trace.h"

#define ALARM_PART 8    /* an alarm comes so much later than asked for, so that it is never early */
#define EARLY_PART 4096 /* of a period: an interrupt no earlier than this counts as the tick */
#define LOST_PART  4    /* of a second: an interrupt that is overdue by more may be lost */

static const struct clock *clock; /* set once, as all until `origin`: */
static uint64_t clock_hz;         /* TSC */
static uint32_t hz;               /* ticks a second */
static uint64_t period_q16;       /* of the system clock, TSC clocks, 48.16 */
static uint64_t period, slack;    /* the same, and its part EARLY_PART, TSC clocks */
static uint64_t origin;           /* TSC of the first tick; of a periodic device, of the last */
static bool started;
static void (*watch)(uint64_t now); /* called at each tick; NULL: nothing is */
static bool alarming;             /* an alarm is set before the clock has started; interrupts off */
static uint64_t next_tick;        /* interrupts off */
static bool ticks_paused;         /* next_tick is a second later than it would be; interrupts off */
static struct task *sleepers;     /* soonest first; interrupts off */
static void (*attendant)(void);   /* interrupts off, as the next two; NULL: none */
static uint64_t attend_period;    /* TSC clocks; 0: at each tick */
static uint64_t next_attend;
static uint64_t due; /* TSC that the device is armed for; 0: it is periodic, or was not armed; interrupts off */

uint64_t timer_watch = UINT64_MAX;          /* legend in timer.h; interrupts off, or NMI, as the next two */
static uint64_t suspected = UINT64_MAX;     /* the interrupt that was missing at the last look, by awaited() */
static uint64_t lost;

static uint64_t deadline = UINT64_MAX; /* the first of these, TSC; interrupts off, as the next */
static struct {
    uint64_t when; /* UINT64_MAX: it is not set */
    void (*call)(uint64_t now);
} deadlines[DEADLINES] = {[DEADLINE_DISK] = {.when = UINT64_MAX}, [DEADLINE_TRACE] = {.when = UINT64_MAX}};

void timer_choose(const struct clock *device, uint32_t wanted)
{
    if (clock != 0)
        irq_register(clock->vector, 0);
    clock = device;
    irq_register(device->vector, timer_interrupt);
    hz = device->hz != 0 ? device->hz : wanted;
}

bool timer_calibrate(const struct timer_rate *rate, struct refusal *why)
{
    bool works;

    clock_hz = rate->clock_hz;
    period_q16 = (clock_hz / hz) << 16;
    works = clock->calibrate(rate, &period_q16, why);
    period = period_q16 >> 16;
    slack = period / EARLY_PART;
    return works;
}

void timer_on_tick(void (*call)(uint64_t now))
{
    watch = call;
}

uint32_t timer_hz(void)
{
    return hz;
}

uint64_t timer_period(void)
{
    return period_q16;
}

uint64_t timer_origin(void)
{
    return origin;
}

unsigned timer_vector(void)
{
    return clock->vector;
}

const char *timer_device(void)
{
    return clock->name;
}

uint64_t timer_due(void)
{
    return due;
}

bool timer_is_periodic(void)
{
    return clock->arm == 0;
}

uint64_t timer_us_to_clocks(uint64_t microseconds)
{
    return mul_div64(microseconds, clock_hz, 1000000);
}

/* Its interrupt is due at `time`: from when on the others look for it. */
static inline void watch_from(uint64_t time)
{
    timer_watch = time + clock_hz / LOST_PART;
}

static void arm(uint64_t now)
{
    uint64_t when = next_tick;

    if (clock->arm == 0)
        return;
    if (sleepers != 0 && sleepers->wake < when)
        when = sleepers->wake;
    if (attend_period != 0 && next_attend < when)
        when = next_attend;
    if (deadline < when)
        when = deadline;
    due = when > now ? when : now;
    watch_from(due);
    clock->arm(when > now ? when - now : 0);
}

void timer_alarm(uint64_t clocks)
{
    alarming = true;
    clock->start();
    if (clock->arm != 0)
        clock->arm(clocks + clocks / ALARM_PART);
}

void timer_alarm_off(void)
{
    clock->stop();
    alarming = false;
}

void timer_start(void)
{
    const uint64_t now = rdtsc();

    next_tick = now + period;
    watch_from(next_tick);
    if (clock->arm != 0)
        origin = next_tick;
    started = true;
    clock->start();
    arm(now);
}

/* Where the device is periodic, a sleep ends at a tick anyway. */
uint64_t timer_tick_after(uint64_t when)
{
    if (clock->arm == 0)
        return when;
    if (when <= origin)
        return origin;
    return origin + (when - origin + period - 1) / period * period;
}

/* Interrupts off. */
static void sleep_until(uint64_t wake)
{
    struct task **at = &sleepers;

    activity_sleep(current);
    current->wake = wake;
    current->state = TASK_SLEEPING;
    while (*at != 0 && (*at)->wake <= wake)
        at = &(*at)->next;
    current->next = *at;
    *at = current;
    if (at == &sleepers)
        arm(rdtsc());
    trace_event(TRACE_SLEEP, account.last, task_event(current));
    sched_switch();
}

void timer_sleep_until(uint64_t wake)
{
    irq_disable();
    sleep_until(wake);
    irq_enable();
}

void timer_sleep_us(uint64_t microseconds)
{
    timer_sleep_until(rdtsc() + timer_us_to_clocks(microseconds));
}

void timer_sleep_unless(uint64_t wake, bool (*over)(void))
{
    irq_disable();
    if (!over())
        sleep_until(wake);
    irq_enable();
}

void timer_pause_ticks(void)
{
    if (ticks_paused)
        return;
    ticks_paused = true;
    next_tick += hz * period;
    arm(rdtsc());
}

void timer_resume_ticks(uint64_t now)
{
    if (!ticks_paused)
        return;
    ticks_paused = false;
    next_tick -= hz * period;
    while (next_tick <= now)
        next_tick += period;
    arm(rdtsc());
}

static void wake(struct task *t)
{
    activity_wake(t);
    sched_wake(t);
}

/* The device stays armed for the end of the sleep: an interrupt that finds no sleeper does no harm. */
bool timer_cancel(struct task *t)
{
    struct task **at = &sleepers;

    while (*at != 0 && *at != t)
        at = &(*at)->next;
    if (*at == 0)
        return false;
    *at = t->next;
    return true;
}

void timer_wake(struct task *t)
{
    if (timer_cancel(t))
        wake(t);
}

bool timer_is_tick(uint64_t now)
{
    return started && (clock->arm == 0 || next_tick <= now + slack);
}

static void wake_sleepers(void)
{
    const uint64_t now = rdtsc();

    while (sleepers != 0 && sleepers->wake <= now) {
        struct task *t = sleepers;

        sleepers = t->next;
        wake(t);
    }
}

void timer_set_poll(void (*look)(void), uint64_t every)
{
    attendant = look;
    attend_period = every;
    next_attend = rdtsc() + every;
}

static uint64_t first_deadline(void)
{
    const uint64_t disk = deadlines[DEADLINE_DISK].when, trace = deadlines[DEADLINE_TRACE].when;

    return disk < trace ? disk : trace;
}

void timer_set_deadline(enum timer_deadline which, uint64_t when, void (*call)(uint64_t now))
{
    deadlines[which].when = when;
    deadlines[which].call = call;
    deadline = first_deadline();
    if (started)
        arm(rdtsc());
}

static void meet_deadline(void)
{
    const uint64_t now = rdtsc();

    if (__builtin_expect(deadline > now, 1))
        return;
    for (unsigned i = 0; i < DEADLINES; i++)
        if (deadlines[i].when <= now) {
            deadlines[i].when = UINT64_MAX;
            deadlines[i].call(now);
        }
    deadline = first_deadline();
}

/* Calls that were missed are not repeated. */
static void attend(uint64_t now, bool tick)
{
    if (attend_period == 0 ? !tick || attendant == 0 : next_attend > now)
        return;
    next_attend += attend_period;
    if (next_attend <= now)
        next_attend = now + attend_period;
    attendant();
}

bool timer_interrupt(uint64_t now)
{
    if (started) {
        if (clock->arm == 0) {
            origin = now;
            watch_from(now);
        }
        attend(now, timer_is_tick(now));
        meet_deadline();
        wake_sleepers();
        if (timer_is_tick(now)) {
            sched_tick();
            if (watch != 0)
                watch(now);
            while (next_tick <= now + slack)
                next_tick += period;
        }
        arm(rdtsc());
    }
    return clock->acknowledge(now) || started || alarming;
}

/* What tells one interrupt of the clock from the next. */
static uint64_t awaited(void)
{
    return clock->arm != 0 ? due : origin;
}

void timer_look(uint64_t now, bool nmi)
{
    const bool missing = suspected == awaited();

    if (nmi && clock->arm == 0)
        return;
    watch_from(now);
    suspected = awaited();
    if (!missing)
        return;
    lost++;
    clock->start();
    if (clock->arm != 0)
        clock->arm(0);
}

uint64_t timer_lost(void)
{
    return lost;
}
