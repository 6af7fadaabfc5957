/* SPDX-License-Identifier: MIT */
/*
 * Each clock is read between two readings of the TSC, the narrowest of a few (probe/survey/clock_track.h).  The RTC,
 * which shows whole seconds, is known by the edges of its update.  The local APIC's timer is the system clock's
 * during the run, so that it is measured before.
 */
#include "kernel/survey/survey_parts.h"

#include <stdbool.h>

#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pit.h"
#include "drivers/rtc.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/measure/one_shot.h"
#include "kernel/measure/yardstick.h"
#include "kernel/tick/window.h"
#include "probe/survey/clock_track.h"

#define PIT_MILLI    1193181667u   /* 14.31818 MHz / 12 */
#define LAPIC_PART   2u            /* of a second: how long its timer is watched */
#define EARLY_PART   500u          /* of a second: the RTC's edge is looked for so long before it is due, */
#define LATE_PART    500u          /* and so long after; then from the beginning */
#define SEARCH_SECONDS 4u          /* since the first look: then there is no edge to be seen */
#define COARSE_PART  20000u        /* of a second: an edge that was seen no better than 50 us is not used */
#define FOUR_GIB     (1ull << 32)

struct clock { /* one that counts up */
    const char *name, *note;
    struct clock_counter counts;
    bool there;
    struct clock_track track;
    uint64_t step;    /* greatest common divisor of differences */
};

static uint64_t read_pit(void)
{
    return pit_counter2_read();
}

enum { PIT, HPET, PM, COUNTERS };

static struct clock counter[COUNTERS] = { /* interrupts off, as the next two */
    [PIT] = { .name = "8254", .counts = { read_pit, 1u << 16, PIT_MILLI } },
    [HPET] = { .name = "HPET" }, [PM] = { .name = "PM-timer" },
};

static struct {
    bool there, updating;       /* updating: the last look found it so */
    uint64_t expected;          /* TSC of the next edge; 0: not known */
    uint64_t begun;             /* TSC of the first look; 0: none yet */
    struct clock_track track;
} rtc;

static struct wire_survey_clocks_row lapic_row, tsc_row; /* set at the start */

static uint64_t clock_hz(void)
{
    return tick_facts.calibration.rate.clock_hz;
}

/* Clock units in 65536 counts. */
static uint64_t per_65536(uint64_t milli)
{
    return mul_div64(clock_hz() << 16, 1000, milli);
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/*
 * What a reading takes, and what the differences of readings are multiples of.  Each second turn is an instruction
 * longer: turns of one length would have their own length for a divisor, where all instructions take equally long.
 */
static void time_readings(struct survey *s, struct clock *c, const char *name)
{
    const uint64_t grain = clock_grain();
    uint64_t last = c->counts.read();

    for (unsigned i = 0; i < TIME_LIST; i++) {
        const struct clock_reading r = clock_read_once(c->counts.read);

        time_list[i] = r.to - r.from;
        c->step = divisor(c->step, (r.count - last) & (c->counts.modulus - 1));
        last = r.count;
        if (i % 2 != 0)
            __asm__ volatile ("nop");
    }
    time_list_add(s, name, TIME_LIST, grain);
}

static void find(struct survey *s)
{
    static const char *const readings[COUNTERS] = { "8254 reading", "HPET reading", "PM-timer reading" };
    static const char *const absent[COUNTERS] = { "", "none answers at 0xfed00000",
                                                  "the firmware's tables name none" };

    pit_counter2_run();
    counter[HPET].counts = clock_counter_hpet();
    counter[PM].counts = clock_counter_pm_timer();
    for (int i = 0; i < COUNTERS; i++) {
        struct clock *const c = &counter[i];

        c->note = c->counts.hz_milli != 0 ? "" : absent[i];
        if (c->counts.hz_milli == 0)
            continue;
        time_readings(s, c, readings[i]);
        c->there = c->step != 0;
        if (!c->there)
            c->note = "it stands still";
        clock_track_begin(&c->track, c->counts.modulus, per_65536(c->counts.hz_milli));
    }
}

static uint64_t read_tsc(void)
{
    return rdtsc();
}

static uint64_t read_rtc(void)
{
    return rtc_is_updating();
}

static struct wire_text text(const char *t)
{
    return (struct wire_text){ t, string_length(t) };
}

static void find_rtc(struct survey *s)
{
    struct clock c = { .counts = { read_rtc, 2, 0 } };

    rtc.there = rtc_answers();
    if (rtc.there)
        time_readings(s, &c, "RTC reading");
    clock_track_begin(&rtc.track, 1, clock_hz() << 16);
}

static void measure_tsc(struct survey *s)
{
    struct clock c = { .counts = { read_tsc, FOUR_GIB, 0 } };

    time_readings(s, &c, "TSC reading");
    tsc_row = (struct wire_survey_clocks_row){
        .name = text("TSC"), .counts = clock_hz(), .shortest = clock_hz(), .longest = clock_hz(), .step = c.step,
        .note = text(""),
    };
}

static uint64_t read_lapic(void)
{
    return (uint32_t)-lapic_timer_count();
}

static void measure_lapic(struct survey *s)
{
    struct clock c = { .counts = { read_lapic, FOUR_GIB, 0 } };
    struct clock_reading first, last;

    lapic_row = (struct wire_survey_clocks_row){ .name = text("APIC-timer"),
                                                 .note = text("this CPU's local APIC is not in use") };
    if (!lapic_in_use())
        return;
    lapic_timer_arm(UINT32_MAX);
    time_readings(s, &c, "APIC-timer reading");
    lapic_timer_arm(UINT32_MAX);
    first = clock_read(read_lapic);
    while (rdtsc() - first.to < clock_hz() / LAPIC_PART)
        continue;
    last = clock_read(read_lapic);
    lapic_timer_arm(0);
    lapic_row.counts = (uint32_t)(last.count - first.count);
    lapic_row.slack = 1;
    lapic_row.shortest = last.from - first.to;
    lapic_row.longest = last.to - first.from;
    lapic_row.step = c.step;
    lapic_row.note = text("for half a second before the run");
}

void clock_survey_begin(struct survey *s)
{
    measure_tsc(s);
    find(s);
    find_rtc(s);
    measure_lapic(s);
}

void clock_survey_read(void)
{
    for (int i = 0; i < COUNTERS; i++)
        if (counter[i].there) {
            const struct clock_reading r = clock_read(counter[i].counts.read);

            clock_track_add(&counter[i].track, &r);
        }
}

/*
 * An edge lies between the look that found it updating, which began at from, and the one that did not.  Between two
 * slices interrupts have come: an edge there (from is 0) says when the next one is due, and is not used.
 */
static void take_edge(uint64_t from, uint64_t to)
{
    rtc.expected = to + clock_hz();
    if (from != 0 && to - from < clock_hz() / COARSE_PART)
        clock_track_add(&rtc.track, &(struct clock_reading){ from, to, 0 });
}

bool clock_survey_watch_rtc(uint64_t stop)
{
    uint64_t now = rdtsc(), looked = 0;

    if (rtc.expected != 0 && now > rtc.expected + clock_hz() / LATE_PART)
        rtc.expected += ((now - rtc.expected) / clock_hz() + 1) * clock_hz();
    if (rtc.begun == 0)
        rtc.begun = now;
    if (!rtc.there || (rtc.expected == 0 && now - rtc.begun > SEARCH_SECONDS * clock_hz()) ||
        (rtc.expected != 0 && stop + clock_hz() / EARLY_PART < rtc.expected))
        return false;
    while (now < stop) {
        const bool updating = rtc_is_updating();
        const uint64_t after = rdtsc();

        if (rtc.updating && !updating)
            take_edge(looked, after);
        rtc.updating = updating;
        looked = now;
        now = after;
    }
    return true;
}

static struct wire_survey_clocks_row row_of(const char *name, uint64_t should, const struct clock_track *t,
                                            uint64_t slack)
{
    const bool measured = t->begun && t->last_from > t->first_to;

    return (struct wire_survey_clocks_row){
        .name = text(name), .should = should, .counts = measured ? t->counts : 0, .slack = slack,
        .shortest = measured ? t->last_from - t->first_to : 0, .longest = measured ? t->last_to - t->first_from : 0,
    };
}

void clock_survey_tell(struct survey *s)
{
    struct wire_survey_clocks_row *const row = s->clock;

    s->clocks = 0;
    row[s->clocks++] = tsc_row;
    for (int i = 0; i < COUNTERS; i++) {
        row[s->clocks] = row_of(counter[i].name, counter[i].counts.hz_milli, &counter[i].track, 1);
        row[s->clocks].step = counter[i].step;
        row[s->clocks++].note = text(counter[i].track.lost ? "followed until it was not read for too long"
                                                           : counter[i].note);
    }
    row[s->clocks] = row_of("RTC", 1000, &rtc.track, 0);
    row[s->clocks].step = rtc.there;
    row[s->clocks++].note = text(!rtc.there ? "it does not answer"
                                            : rtc.track.counts == 0 ? "no two ends of its update were seen" : "");
    row[s->clocks++] = lapic_row;
}
