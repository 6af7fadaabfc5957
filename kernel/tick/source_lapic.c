/* SPDX-License-Identifier: MIT */
/*
 * The local APIC's timer as tick source: a one-shot, armed in the handler.  Its
 * counter stops at zero, so the TSC alone says how late the handler is.
 */
#include "drivers/io.h"
#include "drivers/lapic.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/log.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/calibrate.h"
#include "kernel/tick/source.h"
#include "kernel/tick/tick_record.h"
#include "probe/text/text_span.h"

#define SHORT_PART 1000u /* shots to measure with: a thousandth of a second, */
#define LONG_PART  24u   /* and 41 ms */
#define LIMIT_PART 4u    /* a quarter of a second for a shot of 41 ms at most */
#define FACTOR     24    /* binary places of a timer clock in clock units */
#define LATE_PART  4     /* of the mean interval: more, and every tick may be late */
#define LOOK_PART  5657u /* of a second: a shot whose lateness is measured, and longer ones */
#define SENTENCE   160

static uint64_t factor;         /* clock units in a timer clock, 40.24; set once */
static uint64_t slack;          /* a tick may seem so much early, clock units; set once */
static uint32_t hz;             /* timer clocks a second; set once */
static uint64_t due;            /* clock units; ISR only */
static uint64_t early;          /* ISR only */
static volatile uint64_t fired; /* detect() and the handler */
static uint64_t longest;        /* that a shot is waited for, clock units; detect() */
static unsigned shots;          /* in detect(), as the next */
static bool lost;               /* the last of them did not interrupt: then there are no more */
static bool lost_halted;        /* that was out of HLT */
static bool running;            /* interrupts off */
static struct probe *owner; /* whose ticks they are; interrupts off */

static uint64_t clocks_of(uint64_t counts)
{
    return counts * factor >> FACTOR;
}

static void arm(uint64_t counts)
{
    lapic_timer_arm((uint32_t)counts);
    due = rdtsc() + clocks_of(counts);
}

static void quiet(void)
{
    running = false;
    lapic_timer_arm(0);
}

/*
 * Before its time by the clock, and the timer counts still.  By the clock alone an NMI
 * or an SMI between the arming and the reading that `due` is made of would make every
 * tick early, and the last one: a timer that stands at zero interrupts no more.
 */
static bool is_early(uint64_t lateness)
{
    return (int64_t)lateness < -(int64_t)slack && lapic_timer_count() != 0;
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    uint64_t *const cell = account.cell;
    uint64_t lateness = now - due, next;

    if (!running || is_early(lateness)) {
        early += running;
        fired = now;
        lapic_eoi();
        return;
    }
    if ((int64_t)lateness < 0)
        lateness = 0;
    next = tick_record(owner, f, now, lateness);
    lapic_eoi();
    if (next != 0)
        arm(next);
    else
        quiet();
    account_tick_exit(cell);
}

/* What is in the local APIC already is let in, and means nothing. */
static void stop(void)
{
    quiet();
    cpu_interrupts_on();
    __asm__ volatile("nop\n\tnop");
    cpu_interrupts_off();
    lapic_timer_enable(false);
}

static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)f;
    owner = p;
    lapic_timer_enable(true);
    running = true;
    arm(first);
}

/* The system clock ends a HLT whose interrupt does not come. */
static void await_halted(uint64_t from)
{
    while (fired == 0 && rdtsc() - from < longest)
        halt_until(&fired);
}

static void await_running(uint64_t from)
{
    cpu_interrupts_on();
    while (fired == 0 && rdtsc() - from < longest)
        continue;
    cpu_interrupts_off();
}

/* Clock units from arming to the entry of the handler; 0 where it is lost. */
static uint64_t one_shot(uint32_t counts, bool halt)
{
    uint64_t from;

    if (lost)
        return 0;
    shots++;
    fired = 0;
    if (halt)
        timer_alarm(longest);
    lapic_timer_arm(counts);
    from = rdtsc();
    if (halt)
        await_halted(from);
    else
        await_running(from);
    if (halt)
        timer_alarm_off();
    lost = fired == 0;
    lost_halted = halt;
    return lost ? 0 : fired - from;
}

/* Two shots of different length share their latencies: their difference is exact. */
static void measure_clock(struct source_facts *f, const struct calibration *c)
{
    const uint32_t shorter = hz / SHORT_PART, longer = hz / LONG_PART;
    const uint64_t clocks = calibrate_shortest_shot(one_shot, longer) - calibrate_shortest_shot(one_shot, shorter);

    factor = mul_div64(clocks, 1u << FACTOR, longer - shorter);
    f->hz_milli = mul_div64(c->rate.clock_hz * 1000, longer - shorter, clocks);
    f->clock_65536 = (factor + (1u << (FACTOR - 17))) >> (FACTOR - 16);
}

/* Counts of every phase against the CPU. */
static uint64_t lateness_of_shot(unsigned number, bool halt)
{
    const uint32_t counts = hz / LOOK_PART + 7 * number;
    const uint64_t took = one_shot(counts, halt), wanted = clocks_of(counts);

    return took > wanted ? took - wanted : 0;
}

static const char *refuse(const char *why, uint32_t number, const char *rest)
{
    static char sentence[SENTENCE];
    struct text_buf out = { sentence, sizeof sentence };

    buf_text(&out, why);
    buf_number(&out, number);
    buf_text(&out, rest);
    return sentence;
}

static const char *refuse_lost(void)
{
    return refuse("one-shot ", shots, lost_halted ?
                  " of the local APIC's timer did not interrupt within a quarter of a second, out of HLT" :
                  " of the local APIC's timer did not interrupt within a quarter of a second, while code ran");
}

static const char *measure(struct source_facts *f, const struct calibration *c)
{
    longest = c->rate.clock_hz / LIMIT_PART;
    one_shot(hz / SHORT_PART, false); /* before anything is made of it */
    if (!lost)
        measure_clock(f, c);
    if (lost)
        return refuse_lost();
    f->running = calibrate_lateness(lateness_of_shot, false);
    f->halted = calibrate_lateness(lateness_of_shot, true);
    slack = f->running.late - f->running.floor;
    return lost ? refuse_lost() : 0;
}

static const char *set_rate(struct source_facts *f, const struct source_request *r)
{
    f->mean = mul_div64(f->hz_milli, 1u << 16, r->rate * 1000ull);
    if (f->mean >> 16 > UINT32_MAX / 4) /* no policy goes further than four times the mean */
        return refuse("the local APIC's timer counts to 4294967295, too little at ", hz, " Hz");
    if (f->running.late > clocks_of(f->mean >> 16) / LATE_PART)
        return refuse("the local APIC's timer interrupts up to ", (uint32_t)f->running.late,
                      " clocks late");
    return 0;
}

static const char *detect(struct source_facts *f, const struct calibration *c, uint32_t rate)
{
    const char *why;

    (void)rate;
    if (!lapic_in_use())
        return "this CPU has no local APIC";
    if (c->tsc_stops)
        return "the TSC stops in HLT, and nothing else tells how late the local APIC's timer is";
    hz = (uint32_t)(c->rate.clock_hz * c->rate.timer_q32 >> 32);
    lapic_timer_enable(true);
    why = measure(f, c);
    stop();
    return why;
}

static void report(void)
{
    if (early != 0)
        log_line(LOG_WARNING, DECIMAL(early), " interrupts of the local APIC's timer came before its time");
}

const struct source source_lapic = {
    .name = "lapic", .what = "local APIC timer, one-shot, armed in the handler",
    .variable = true, .vector = LAPIC_TIMER_VECTOR,
    .detect = detect, .set_rate = set_rate, .start = start, .stop = stop, .interrupt = interrupt, .report = report,
};
