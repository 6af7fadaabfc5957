/* SPDX-License-Identifier: MIT */
/* A table that is sound has no sentence; one thing wrong, its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/analysis/plausible.h"

#define HZ 1000000000ull

static struct epoch e;
static struct snapshot s;
static char said[4 * PLAUSIBLE_SENTENCE];
static unsigned sentences;

/* Ten seconds at 1000 Hz, of which 40 points fell into handlers and 9 ticks were late. */
static void set_up(void)
{
    memset(&e, 0, sizeof e);
    memset(&s, 0, sizeof s);
    e.has_hello = e.words_known = true;
    e.words.interval = INTERVAL_STRATIFIED;
    e.words.given = 1ull << CONFIG_INTERVAL;
    e.snapshot = &s;
    e.head_count = 1;
    e.hello = (struct wire_hello){
        .clock_hz = HZ, .source_clock = 54925382, .mean = 500000ull << 16, .unit = 2, .handler = 3000,
        .entry = 1200, .floor = 70, .late = 240,
        .halt_floor = 70, .halt_late = 300,
    };
    e.last_head = (struct wire_snapshot){
        .serial = 10, .ticks = 9960, .samples = 9960, .points = 10000, .in_handler = 40, .late = 9, .lateness = 900,
        .excess = 0, .begin = HZ, .first = HZ + 5000, .end = 11 * HZ, .made = 11 * HZ + 77, .monitor = HZ / 100,
        .arrivals = 3, .earliest = 9 /* zigzag: -5 */, .latest = 12, .arrived = 12,
    };
    s.late = 9;
    s.bucket[5] = 9;
}

static void hear(void *context, const char *sentence)
{
    (void)context;
    strcat(strcat(said, sentence), "\n");
    sentences++;
}

static void check(const char *wanted)
{
    said[0] = '\0';
    sentences = 0;
    plausible_table(&e, hear, NULL);
    if (sentences != (wanted != NULL) || (wanted && !strstr(said, wanted)))
        fail_msg("%u sentences, not '%s': %s", sentences, wanted ? wanted : "", said);
    set_up();
}

static void test_sound(void **state)
{
    (void)state;
    set_up();
    check(NULL);
    e.hello.unit = 0; /* no points */
    e.last_head.points = e.last_head.in_handler = 0;
    check(NULL);
    s.bucket[5] = 0; /* not sent */
    e.last_head.first = 0;
    check(NULL);
    e.hello.halt_late = UINT64_MAX; /* an NMI that HLT delayed */
    e.last_head.latest = 2000000;
    check(NULL);
    e.words.interval = INTERVAL_EXPONENTIAL;
    e.last_head.points += 500; /* five standard deviations */
    e.last_head.in_handler += 500;
    check(NULL);
}

static void test_counts(void **state)
{
    (void)state;
    set_up();
    e.last_head.in_handler++;
    check("of 10000 points 9960 are samples and 41 fell into handlers");
    e.last_head.late = 9961;
    check("what it tells of late ticks does not add up");
    s.bucket[6] = 1;
    check("9 late ticks, and 10 in the histogram");
    e.last_head.ticks++;
    check("9961 ticks and 9960 samples");
}

static void test_times(void **state)
{
    (void)state;
    set_up();
    e.last_head.first = HZ - 1;
    check("its first and last tick are not in its window");
    e.last_head.made = 11 * HZ - 1;
    check("its window ends after it was sent");
    e.last_head.monitor = 10 * HZ + 1;
    check("the handlers took longer than its window");
}

/* A point more or fewer than strata can make; a clock that is 0.1 % wrong. */
static void test_rate(void **state)
{
    (void)state;
    set_up();
    e.last_head.points += 4;
    e.last_head.in_handler += 4;
    check("10004 points in its window, and the rate makes 10000.0");
    e.last_head.end += HZ / 100;
    e.last_head.made = e.last_head.end;
    check("10000 points in its window, and the rate makes 10010.0");
    e.hello.late = 2 * HZ / 1000; /* the last tick may be two intervals behind its point: that alone is told */
    e.last_head.points += 4;
    e.last_head.in_handler += 4;
    check("a tick is late only from 1999.9 us on");
}

static void test_arrivals(void **state)
{
    (void)state;
    set_up();
    e.last_head.earliest = 2 * 1848 - 1;
    check("a tick came 1848 clock units before its point");
    e.last_head.latest = e.last_head.arrived = 2 * (300 + 3000 + 1200 + 1847 + 1);
    check("a tick came 6348 clock units after its point and is not late");
    e.last_head.latest = 2 * (300 + 3000 + 1200 + 1847);
    check(NULL);
    e.last_head.arrived = 2 * 19;
    check("the sum of the arrivals is not between their bounds");
}

static void test_threshold(void **state)
{
    (void)state;
    set_up();
    e.hello.late = 69;
    check("ticks are late from 69 clock units on, and none comes before 70");
    e.hello.late = 100071;
    check("a tick is late only from 100.0 us on");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound), cmocka_unit_test(test_counts),   cmocka_unit_test(test_times),
        cmocka_unit_test(test_rate),  cmocka_unit_test(test_arrivals), cmocka_unit_test(test_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
