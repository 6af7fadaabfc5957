/* SPDX-License-Identifier: MIT */
/*
 * The TSC against each clock of a known rate.  Intel SDM 2A, CPUID leaf 15h; MC146818A data sheet.
 */
#include "kernel/measure/yardstick.h"

#include "drivers/hpet.h"
#include "drivers/io.h"
#include "drivers/pm_timer.h"
#include "drivers/rtc.h"
#include "kernel/cpu/cpu.h"
#include "kernel/firmware/firmware_tables.h"
#include "kernel/io/log.h"
#include "kernel/measure/clock_pair.h"

#define SPAN_PART  24u      /* of a second, that counters are watched: 41 ms */
#define POLLS_MOST 4000000u /* of a device: 0.4 s where an access takes 0.1 us, 6 s where it takes 1.5 us */
#define POLLS_STILL 1000u   /* a counter that has not changed by then stands still */
#define CRYSTALS_PPM 500u   /* two crystals of 100 ppm each, and what temperature does, stay below */
#define LEAF_TSC   0x15u
#define TSC_LEAST  100000000u   /* Hz that are believed of CPUID */
#define TSC_MOST   20000000000u
#define RTC_POLL_HZ 1024u
#define OTHER_PPM  100000  /* no crystal is as far off: CPUID tells of another clock than the TSC that counts */

static struct found {
    struct clock_rate rate;
    const char *why_not; /* where the rate is 0 */
} found[YARDSTICKS];     /* set once, at the start */
static bool measured;    /* likewise */

static const char *const names[YARDSTICKS] = {
    [YARDSTICK_PIT] = "the 8254", [YARDSTICK_HPET] = "the HPET", [YARDSTICK_PM_TIMER] = "the power management timer",
    [YARDSTICK_CPUID] = "CPUID", [YARDSTICK_RTC] = "the RTC",
};

/* ---- counters ---- */

struct counter {
    enum yardstick which;
    struct clock_counter clock;
    struct clock_reading first;
};

static bool moves(const struct clock_counter *c)
{
    const uint64_t first = c->read();

    for (unsigned i = 0; i < POLLS_STILL; i++)
        if (c->read() != first)
            return true;
    return false;
}

static uint32_t counts_from(const struct counter *c, uint64_t count)
{
    return (uint32_t)((count - c->first.count) & (c->clock.modulus - 1));
}

/* The counters that there are and that count; returns their number. */
static unsigned find_counters(struct counter *to)
{
    const struct counter all[] = {
        { .which = YARDSTICK_HPET, .clock = clock_counter_hpet() }, { .which = YARDSTICK_PM_TIMER,
                                                                      .clock = clock_counter_pm_timer() },
    };
    unsigned n = 0;

    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].clock.hz_milli == 0)
            found[all[i].which].why_not = "is not there";
        else if (!moves(&all[i].clock))
            found[all[i].which].why_not = "stands still";
        else
            to[n++] = all[i];
    }
    return n;
}

/* All of them over the same time, which the first one measures. */
static void measure_counters(void)
{
    struct counter c[YARDSTICKS];
    const unsigned n = find_counters(c);
    uint64_t wanted;

    for (unsigned i = 0; i < n; i++)
        c[i].first = clock_read(c[i].clock.read);
    if (n == 0)
        return;
    wanted = c[0].clock.hz_milli / 1000 / SPAN_PART;
    for (unsigned i = 0; i < POLLS_MOST && counts_from(&c[0], c[0].clock.read()) < wanted; i++)
        continue;
    for (unsigned i = 0; i < n; i++) {
        const struct clock_reading last = clock_read(c[i].clock.read);

        found[c[i].which].rate = clock_pair_rate(&c[i].first, &last, counts_from(&c[i], last.count),
                                                 c[i].clock.hz_milli);
        found[c[i].which].why_not = "stands still";
    }
}

/* ---- CPUID and RTC ---- */

/* The crystal's rate, and the ratio of the TSC to it; each may be left out. */
static void ask_cpuid(void)
{
    uint32_t r[4];
    uint64_t hz;

    found[YARDSTICK_CPUID].why_not = "does not tell the TSC's rate";
    cpu_identify(0, 0, r);
    if (r[0] < LEAF_TSC)
        return;
    cpu_identify(LEAF_TSC, 0, r);
    if (r[0] == 0 || r[1] == 0 || r[2] == 0 || r[1] / r[0] > TSC_MOST / r[2])
        return;
    hz = mul_div64(r[2], r[1], r[0]);
    if (hz >= TSC_LEAST && hz <= TSC_MOST)
        found[YARDSTICK_CPUID].rate.hz = hz;
}

/* The next period of the RTC that ends: the TSC on both sides of that reading of its flag.  False: none ends. */
static bool await_period(struct clock_reading *p)
{
    for (unsigned i = 0; i < POLLS_MOST / 10; i++) {
        p->from = p->to;
        if (rtc_acknowledge()) {
            p->to = rdtsc();
            return true;
        }
        p->to = rdtsc();
    }
    return false;
}

/* By the flag of its periodic interrupt, which is masked in the 8259. */
static void measure_rtc(void)
{
    struct clock_reading first = { .to = rdtsc() }, last;
    uint32_t periods = 0;

    found[YARDSTICK_RTC].why_not = "does not answer";
    if (!rtc_answers())
        return;
    rtc_start_periodic(RTC_POLL_HZ);
    found[YARDSTICK_RTC].why_not = "stands still";
    if (await_period(&first) && await_period(&first)) {
        last = first;
        while (periods < RTC_POLL_HZ / SPAN_PART && await_period(&last))
            periods++;
        if (periods == RTC_POLL_HZ / SPAN_PART)
            found[YARDSTICK_RTC].rate = clock_pair_rate(&first, &last, periods, RTC_POLL_HZ * 1000ull);
        /* Each period is awaited: no count is begun when it is read. */
        if (found[YARDSTICK_RTC].rate.hz != 0)
            found[YARDSTICK_RTC].rate.error_ppm -= (CLOCK_PPM + periods - 1) / periods;
    }
    rtc_stop();
}

/* ---- the choice ---- */

/* An emulator may give the CPUID of a chip whose rate it does not keep (Bochs does). */
static void doubt_cpuid(void)
{
    struct found *const f = &found[YARDSTICK_CPUID];
    int64_t ppm;

    if (f->rate.hz == 0 || yardstick() == YARDSTICK_CPUID)
        return;
    ppm = clock_ppm(f->rate.hz, yardstick_hz());
    if (ppm >= -OTHER_PPM && ppm <= OTHER_PPM)
        return;
    f->rate.hz = 0;
    f->why_not = "tells the rate of another clock than the TSC, as in an emulator";
}

void yardstick_measure(void)
{
    if (measured)
        return;
    measured = true;
    measure_counters();
    ask_cpuid();
    doubt_cpuid();
    if (found[YARDSTICK_PIT].rate.hz == 0 && yardstick() == YARDSTICK_RTC)
        measure_rtc();
}

void yardstick_set_pit(uint64_t hz)
{
    found[YARDSTICK_PIT].rate.hz = hz;
    doubt_cpuid();
}

enum yardstick yardstick(void)
{
    enum yardstick y = YARDSTICK_PIT;

    while (y < YARDSTICK_RTC && found[y].rate.hz == 0)
        y++;
    return y;
}

uint64_t yardstick_hz(void)
{
    return found[yardstick()].rate.hz;
}

uint64_t yardstick_of(enum yardstick which)
{
    return found[which].rate.hz;
}

uint32_t yardstick_error_ppm(enum yardstick which)
{
    return found[which].rate.error_ppm;
}

const char *yardstick_name(enum yardstick which)
{
    return names[which];
}

static void put_difference(struct text_buf *b, enum yardstick y)
{
    const struct clock_rate *const r = &found[y].rate;
    const int64_t ppm = clock_ppm(r->hz, yardstick_hz());

    buf_parts(b, "; ", names[y], ": ", ppm < 0 ? "-" : "+", DECIMAL((uint64_t)(ppm < 0 ? -ppm : ppm)),
              " ppm, known to ", DECIMAL(r->error_ppm));
}

void yardstick_put(struct text_buf *b)
{
    buf_text(b, names[yardstick()]);
    if (!measured)
        buf_text(b, "; others were not measured: health=off");
    for (enum yardstick y = yardstick() + 1; measured && y < YARDSTICK_RTC; y++) {
        if (found[y].rate.hz != 0)
            put_difference(b, y);
        else
            buf_parts(b, "; ", names[y], " ", found[y].why_not);
    }
}

void yardstick_warn(void)
{
    for (enum yardstick y = yardstick() + 1; y < YARDSTICK_RTC; y++) {
        const struct clock_rate *const r = &found[y].rate;
        const int64_t ppm = r->hz != 0 ? clock_ppm(r->hz, yardstick_hz()) : 0;
        const uint64_t apart = (uint64_t)(ppm < 0 ? -ppm : ppm);

        if (apart > CRYSTALS_PPM + r->error_ppm)
            log_line(LOG_WARNING, names[yardstick()], " and ", names[y], " differ by ", DECIMAL(apart),
                     " ppm: one of them is wrong, and so may be all times");
    }
}

/* HPET specification 1.0a, 2.3.4; ACPI specification 6.5, 4.8.2.1. */

#define TRIES 8

static struct pm_timer pm; /* set at the start */

static uint64_t read_hpet(void)
{
    return hpet_count();
}

static uint64_t read_pm(void)
{
    return pm_timer_read(&pm);
}

struct clock_counter clock_counter_hpet(void)
{
    return (struct clock_counter){ read_hpet, 1ull << 32, hpet_in_use() ? hpet_hz_milli() : 0 };
}

struct clock_counter clock_counter_pm_timer(void)
{
    const bool there = firmware_pm_timer(&pm);

    return (struct clock_counter){ read_pm, 1ull << pm.bits, there ? PM_TIMER_HZ * 1000ull : 0 };
}

struct clock_reading clock_read_once(uint64_t (*read)(void))
{
    struct clock_reading r;

    r.from = rdtsc();
    r.count = read();
    r.to = rdtsc();
    return r;
}

struct clock_reading clock_read(uint64_t (*read)(void))
{
    struct clock_reading best = clock_read_once(read);

    for (int i = 1; i < TRIES; i++) {
        const struct clock_reading r = clock_read_once(read);

        if (r.to - r.from < best.to - best.from)
            best = r;
    }
    return best;
}
