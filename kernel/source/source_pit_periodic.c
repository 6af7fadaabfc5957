/* SPDX-License-Identifier: MIT */
/*
 * The 8254 in mode 2 as tick source: it repeats one interval by itself, as the clock of most
 * samplers does.  With a period shorter than the handler the interrupted code would never run.
 * So where the handler takes more than half of the time in STORM ticks in a row, the period is
 * doubled, and each period left out is counted as an overrun.
 */
#include "drivers/io.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/irq.h"
#include "kernel/io/log.h"
#include "kernel/measure/one_shot.h"
#include "kernel/sched/period_meter.h"
#include "kernel/source/source.h"
#include "kernel/source/tick_periodic.h"

#define IRQ_PIT    0
#define LOOK_COUNT 1193u /* 1 ms: the period that is measured */
#define STORM      64u   /* ticks in a row */

static struct period_meter meter;       /* detect() and the handler */
static struct timeline timeline;       /* ISR only */
static uint32_t count;         /* clocks of the PIT; set by begin() */
static uint32_t extra;         /* clocks that a period has more than its count; set once */
static uint64_t per_65536;     /* set once */
static unsigned slowed;        /* the period is 2^slowed times the one asked for; ISR only */
static uint64_t left, spent;   /* end and length of the last tick, clock units; ISR only */
static uint32_t storm;         /* ticks with more time in than out, in a row; ISR only */
static uint64_t early;         /* ISR only */
static bool running;           /* interrupts off */
static struct probe *owner; /* whose ticks they are; interrupts off */
static bool restarted;         /* no tick since repeat(); ISR only */

static void repeat(void)
{
    const uint32_t clocks = count << slowed;

    pit_start_periodic(clocks);
    timeline_start(&timeline, rdtsc() + ((clocks + extra) * per_65536 >> 16),
                   (clocks + extra) * per_65536, owner->running.floor);
    storm = 0;
    restarted = true; /* a request from before may be pending: it will seem early */
}

static void quiet(void)
{
    running = false;
    pit_init();
}

static bool is_storm(uint64_t now)
{
    if (now - left >= spent)
        storm = 0;
    else
        storm++;
    return storm >= STORM && count << (slowed + 1) <= PIT_REPEAT_MAX;
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    uint64_t *const cell = account.cell;

    if (!running || (timeline_is_early(&timeline, now) && !timeline.doubtful)) {
        early += running && !restarted;
        restarted = false;
        period_meter_note(&meter, now);
        pic_eoi_master(IRQ_PIT);
        return;
    }
    restarted = false;
    if (!tick_record_periodic(owner, &timeline, f, now, slowed)) {
        quiet();
    } else if (is_storm(now)) {
        slowed++;
        repeat();
    }
    pic_eoi_master(IRQ_PIT);
    account_tick_exit(cell);
    left = rdtsc();
    spent = left - now;
}

/* A request that is pending in the 8259 is let in and ignored. */
static void stop(void)
{
    quiet();
    pic_unmask(IRQ_PIT);
    cpu_take_pending();
    pic_mask(IRQ_PIT);
    idt_set_tick();
}

static void open(void)
{
    idt_set_own_tick(TICK_VECTOR, irqs[TICK_VECTOR].tick);
    pic_unmask(IRQ_PIT);
}

static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)first; /* there is one interval only */
    owner = p;
    open();
    count = (uint32_t)(f->mean >> 16) - extra;
    running = true;
    slowed = 0;
    repeat();
}

/* By the data sheet a count of N takes N clocks in this mode; some chips take N + 1. */
static bool measure(const struct calibration *c, struct refusal *why)
{
    bool works;
    const struct period_request asked = {
        "the 8254's interrupt (IRQ 0)", LOOK_COUNT * c->per_65536, c->rate.clock_hz,
    };

    open();
    pit_start_periodic(LOOK_COUNT);
    works = period_meter_measure(&meter, &asked, why);
    stop();
    extra = works && period_meter_mean(&meter) > asked.period + c->per_65536 / 2;
    return works;
}

static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    if (!reference_has_pit(why) || !measure(c, why))
        return false;
    per_65536 = c->per_65536;
    f->hz_milli = PIT_HZ_NOMINAL * 1000ull;
    f->clock_65536 = per_65536;
    f->note.reason = extra != 0 ? ", a count of N takes N+1 clocks" : ", a count of N takes N clocks";
    source_allow_jitter(f, period_meter_jitter(&meter));
    return true;
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    const uint32_t clocks = (PIT_HZ_NOMINAL + r->rate / 2) / r->rate;

    f->mean = (uint64_t)(clocks + extra) << 16;
    if (clocks <= PIT_REPEAT_MAX)
        return true;
    return REFUSE_WITH(why, "the 8254 repeats 2 to 65536 clocks of 1193182 Hz, and %1 Hz would take %2",
                       REFUSAL_NUMBER(r->rate), REFUSAL_NUMBER(clocks));
}

static void report(void)
{
    if (early != 0)
        log_line(LOG_WARNING, DECIMAL(early), " interrupts of the PIT came before its time");
    if (slowed != 0)
        log_line(LOG_WARNING, "the tick's handler took more than half of the time: one period in ",
                 DECIMAL(1ull << slowed), " ticked, the others are overruns");
}

const struct source source_pit_periodic = {
    .name = "pit-periodic", .what = "8254, periodic, as most samplers have it",
    .explicit_only = true, .vector = TICK_VECTOR,
    .detect = detect, .set_rate = set_rate, .start = start, .stop = stop, .interrupt = interrupt, .report = report,
};
