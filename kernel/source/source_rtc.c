/* SPDX-License-Identifier: MIT */
/* The periodic interrupt of the real-time clock as tick source: its rates are powers of two. */
#include "drivers/rtc.h"
#include "kernel/io/log.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/sched/period_meter.h"
#include "kernel/source/rtc_line.h"
#include "kernel/source/source.h"
#include "kernel/source/tick_periodic.h"

#define LOOK_HZ  1024u /* the lowest rate that it is measured at */
#define RATE     128u  /* the default */

static struct period_meter meter; /* detect() and the handler */
static struct timeline timeline; /* ISR only */
static uint32_t look_hz; /* measured at this rate; set once */
static bool running;     /* interrupts off */
static struct probe *owner; /* whose ticks they are; interrupts off */
static uint64_t suspected;  /* the expiry whose tick was missing at the last look; interrupts off, as the next two */
static uint64_t stops;      /* how often its ticks ended because register C was not read, */
static uint64_t untaken;    /* and the ticks that did not come until it was */

static void stop(void)
{
    running = false;
    rtc_stop();
}

static void close(void)
{
    stop();
    rtc_line_close();
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    uint64_t *const cell = account.cell;
    const bool periodic = rtc_acknowledge();

    if (!running || !periodic) {
        if (periodic)
            period_meter_note(&meter, now);
        rtc_line_end();
        return;
    }
    if (!tick_record_periodic(owner, &timeline, f, now, 0))
        stop();
    rtc_line_end();
    account_tick_exit(cell);
}

static uint64_t period(void)
{
    return timeline.period >> 16;
}

/*
 * A tick is missing at two looks, between which interrupts were on, though another one was due after it: what was
 * read for register C was another byte.  The periods that had no tick are the device's.
 */
static void poll(uint64_t now)
{
    const uint64_t due = timeline.due;
    uint64_t missed;

    if (!running || due == 0 || (int64_t)(now - due) < (int64_t)(2 * period()))
        return;
    if (suspected != due) {
        suspected = due;
        return;
    }
    rtc_acknowledge_anywhere();
    missed = (uint64_t)timeline_skip(&timeline, (int64_t)(now - due)) + 1;
    timeline_advance(&timeline, 0);
    timeline.doubtful = timeline.lost = true;
    owner->counters.missed_source += missed;
    untaken += missed;
    stops++;
}

static void report(void)
{
    if (stops != 0)
        log_line(LOG_WARNING, "the RTC's ticks stopped and were begun anew, because somebody else had "
                              "moved its index", ": ", DECIMAL(stops), "; ticks that were lost: ", DECIMAL(untaken));
}

/* The divider runs all the time, so that the time of the first tick is not known. */
static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    const uint32_t hz = RTC_HZ_BASE / (uint32_t)(f->mean >> 16);

    (void)first; /* there is one interval only */
    owner = p;
    timeline_start(&timeline, 0, mul_div64(period_meter_mean(&meter), look_hz, hz), p->running.floor);
    running = true;
    rtc_start_periodic(hz);
    rtc_line_open();
}

static bool has(uint32_t rate)
{
    return rate >= RTC_HZ_LEAST && rate <= RTC_HZ_MOST && (rate & (rate - 1)) == 0;
}

static bool refuse(uint32_t rate, struct refusal *why)
{
    uint32_t below = RTC_HZ_LEAST;

    while (below < RTC_HZ_MOST && below * 2 <= rate)
        below *= 2;
    if (rate < below || below == RTC_HZ_MOST)
        return REFUSE_WITH(why, "the RTC has powers of two from 2 to 8192 Hz, and %1 is none: the nearest is %2",
                           REFUSAL_NUMBER(rate), REFUSAL_NUMBER(below));
    return REFUSE_WITH(why, "the RTC has powers of two from 2 to 8192 Hz, and %1 is none: the nearest are %2 and %3",
                       REFUSAL_NUMBER(rate), REFUSAL_NUMBER(below), REFUSAL_NUMBER(below * 2));
}

static bool measure(const struct calibration *c, uint32_t at, struct refusal *why)
{
    const struct period_request asked = {
        "the RTC's interrupt (IRQ 8)", (c->rate.clock_hz << 16) / at, c->rate.clock_hz,
    };
    bool works;

    source_rtc.vector = rtc_line_vector();
    irq_register_tick(source_rtc.vector, interrupt, false);
    rtc_start_periodic(at);
    rtc_line_open();
    works = period_meter_measure(&meter, &asked, why);
    close();
    return works;
}

static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    look_hz = has(f->rate) && f->rate > LOOK_HZ ? f->rate : LOOK_HZ;
    rtc_line_choose(c->rate.clock_hz);
    if (rtc_line_by_input && !measure(c, look_hz, why))
        rtc_line_use_8259();
    if (!rtc_line_by_input && !measure(c, look_hz, why))
        return false;
    f->hz_milli = RTC_HZ_BASE * 1000ull;
    f->clock_65536 = period_meter_mean(&meter) * look_hz / RTC_HZ_BASE;
    source_allow_jitter(f, period_meter_jitter(&meter));
    return true;
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    if (!has(r->rate))
        return refuse(r->rate, why);
    f->mean = (uint64_t)(RTC_HZ_BASE / r->rate) << 16;
    return source_check_load(f, r, "a lower rate", why);
}

static uint32_t rate_unasked(void)
{
    return RATE;
}

struct source source_rtc = {
    .name = "rtc", .what = "real-time clock, powers of two from 2 to 8192 Hz",
    .vector = PIC_SLAVE_VECTOR,
    .default_rate = rate_unasked, .detect = detect, .set_rate = set_rate, .start = start, .stop = close,
    .interrupt = interrupt,
    .poll = poll, .report = report,
};
