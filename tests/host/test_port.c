/* SPDX-License-Identifier: MIT */
/*
 * The core in a kernel that is simulated (probe/port/): its memory, and runs from HELLO to END with what its
 * callbacks and its buffers give.  What is left out or wrong: tests/host/test_port_fields.c.
 */
#include "tests/host/simulated_port.h"

/* ---- memory ---- */

static void test_memory(void **state)
{
    const char *why = NULL;
    static uint64_t memory[16];

    (void)state;
    assert_null(cpuprobe_init(NULL, 1 << 20, &whole, &(struct cpuprobe_options){ 0 }, &why));
    assert_non_null(strstr(why, "memory"));
    assert_null(cpuprobe_init((char *)memory + 4, 1 << 20, &whole, &(struct cpuprobe_options){ 0 }, &why));
    assert_non_null(strstr(why, "aligned"));
    assert_null(cpuprobe_init(memory, sizeof memory, &whole, &(struct cpuprobe_options){ 0 }, &why));
    assert_non_null(strstr(why, "cpuprobe_size"));
}

/* ---- runs ---- */

static void test_run(void **state)
{
    (void)state;
    begin(&whole, &(struct cpuprobe_options){ .seconds = 3, .seed = 1 });
    run(3);
    assert_true(hello.late >= 2 * hello.floor && hello.floor != 0); /* the way in out of a task may be longer */
    check_run();
    assert_in_range(count[WIRE_SNAPSHOT], 3, 4);
    assert_int_equal(count[WIRE_CELLS], count[WIRE_SNAPSHOT]);
    assert_int_equal(count[WIRE_EXACT], 0);
    assert_false(cpuprobe_poll(probe));
}

static void test_account(void **state)
{
    static uint64_t memory[CPUPROBE_ACCOUNT_SIZE(16) / 8 + 1];
    uint32_t cell;

    (void)state;
    begin(&whole, &(struct cpuprobe_options){ .seconds = 2, .account = memory, .account_size = sizeof memory });
    cell = cpuprobe_now(probe, 1, CPUPROBE_USER, false);
    cpuprobe_masked(probe, true);
    cpuprobe_back(probe, cell);
    run(2);
    assert_true(count[WIRE_EXACT] >= 2);
    assert_int_equal(cpuprobe_now(NULL, 1, CPUPROBE_USER, false), 0);
}

/* ---- buffers ---- */

/* All that there is. */
static struct cpuprobe_options with_buffers(uint32_t events)
{
    struct cpuprobe_options o = { .seconds = 2, .seed = 3, .rate = 1000 };

    o.intervals_size = CPUPROBE_INTERVALS_SIZE(64u);
    o.samples_size = CPUPROBE_SAMPLES_SIZE;
    o.events_size = CPUPROBE_EVENTS_SIZE(events);
    o.intervals = calloc(1, o.intervals_size);
    o.samples = calloc(1, o.samples_size);
    o.events = calloc(1, o.events_size);
    return o;
}

static void free_buffers(struct cpuprobe_options *o)
{
    free(o->intervals);
    free(o->samples);
    free(o->events);
}

/* Every point is told by itself, every switch is an event, and HELLO says that both are there. */
static void test_buffers(void **state)
{
    struct cpuprobe_options o = with_buffers(1024);

    (void)state;
    begin(&whole, &o);
    run(3);
    check_run();
    assert_non_null(strstr(words, "monitor=system,samples,events"));
    assert_int_equal(hello.stamp, 1);
    assert_true(hello.unit == 2 && hello.lead == 0 && hello.minimum == 0);
    assert_int_equal(samples_told, snapshot.points);
    assert_int_equal(snapshot.lost_ring, 0);
    assert_true(events_told > 1000 && events_told == events_counted);
    free_buffers(&o);
}

/* Without memory for intervals each tick draws its own: the same ones. */
static void test_drawn_in_ticks(void **state)
{
    struct cpuprobe_options o = with_buffers(64);
    uint64_t generator, ticks;

    (void)state;
    begin(&whole, &o);
    run(2);
    generator = snapshot.generator;
    ticks = snapshot.ticks;
    free(o.intervals);
    o.intervals = NULL;
    begin(&whole, &o);
    run(2);
    check_run();
    assert_in_range(snapshot.ticks, ticks - 50, ticks + 50);
    assert_true(generator != 0 && snapshot.generator != 0);
    free_buffers(&o);
}

/* More events than there is room for: counted and told, and the rest of the run is right. */
static void test_events_lost(void **state)
{
    struct cpuprobe_options o = with_buffers(64);

    (void)state;
    begin(&whole, &o);
    for (unsigned i = 0; i < 1000; i++)
        cpuprobe_event(probe, (uint8_t)i, i);
    run(2);
    check_run();
    assert_true(events_told == events_counted && events_told < 3000);
    cpuprobe_event(NULL, 1, 1);
    cpuprobe_switch(NULL, 1);
    cpuprobe_event(probe, 1, 1); /* behind END */
    free_buffers(&o);
}

/* A source that dies after the calibration: the run ends, and says so. */
static void test_silent(void **state)
{
    (void)state;
    begin(&whole, &(struct cpuprobe_options){ .seconds = 1 });
    for (uint64_t n = 0; cpuprobe_poll(probe); n++) {
        due = 0;
        now += HZ;
        assert_true(n < 100);
    }
    assert_non_null(strstr(reason, "stopped"));
}

static void test_no_interrupt(void **state)
{
    struct cpuprobe_port dead = whole;
    const char *why = NULL;

    (void)state;
    is_off = true; /* the caller forgot to let interrupts in */
    due = 0;
    probe = cpuprobe_init(core_memory(), cpuprobe_size(), &dead, &(struct cpuprobe_options){ 0 }, &why);
    why = cpuprobe_begin(probe);
    assert_non_null(why);
    assert_non_null(strstr(why, "no interrupt came of a one-shot"));
    is_off = false;
}

/* ---- symptoms of docs/PORTING.md, but for those that other tests have ---- */

/* A timer of fewer bits than it is told. */
static void arm_always(uint32_t counts)
{
    arm(counts % 256);
}

static void test_wrong_arm(void **state)
{
    struct cpuprobe_port stuck = whole;

    (void)state;
    stuck.arm = arm_always;
    assert_non_null(strstr(try_begin(&stuck, &(struct cpuprobe_options){ .seconds = 1 }),
                           "port.arm does not arm for as many counts"));
}

/* A threshold below the latency: all ticks are late. */
static void test_all_masked(void **state)
{
    (void)state;
    begin(&whole, &(struct cpuprobe_options){ .seconds = 1, .late = 1 });
    run(2);
    check_run();
    assert_int_equal(snapshot.late, snapshot.samples);
}

static bool write_sometimes(const void *bytes, size_t length)
{
    static unsigned n;

    if (++n % 7 != 0)
        return take_frame(bytes, length);
    frames++; /* its number is not given again */
    return false;
}

/* No room now and then: whole frames are missing, and the last snapshot has all counters. */
static void test_gaps(void **state)
{
    struct cpuprobe_port full = whole;

    (void)state;
    full.write = write_sometimes;
    begin(&full, &(struct cpuprobe_options){ .seconds = 3 });
    run(2);
    assert_true(count[WIRE_SNAPSHOT] >= 2 && count[WIRE_HELLO] >= 2);
    assert_in_range(snapshot.samples, 900, 1600);
}

/*
 * What cpuprobe_begin() says of a source that ticks by itself: each 10000 counts as it is told, in truth each `real`.
 */
static const char *begin_own_ticks(uint32_t real, uint64_t told_hz)
{
    struct cpuprobe_port ticks = whole;
    const char *why = NULL;

    ticks.arm = NULL;
    ticks.longest = 10000;
    ticks.clock_hz = told_hz;
    frames = 0;
    period = real;
    due = real != 0 ? now + real : 0;
    probe = cpuprobe_init(core_memory(), cpuprobe_size(), &ticks, &(struct cpuprobe_options){ .seconds = 1 }, &why);
    assert_non_null(probe);
    why = cpuprobe_begin(probe);
    due = period = 0;
    return why;
}

/* A port that gives nothing which is optional. */
static const char *begin_bare(void)
{
    struct cpuprobe_port bare = whole;

    bare.build = NULL;
    bare.arm = NULL;
    bare.wait = NULL;
    bare.name_of = NULL;
    bare.read = NULL;
    return try_begin(&bare, &(struct cpuprobe_options){ .seconds = 1 });
}

static void test_own_ticks(void **state)
{
    (void)state;
    assert_null(begin_own_ticks(10000, HZ));
    assert_null(begin_own_ticks(10000, 0)); /* measured */
    assert_int_equal(hello.clock_hz, HZ);
    assert_int_equal(hello.line.length, strlen("wait name_of read") + strlen("build ")); /* what it gives */
    assert_true(begin_bare() == NULL && hello.line.length == 0);
    assert_non_null(strstr(begin_own_ticks(2000, HZ), "port.longest"));
    assert_non_null(strstr(begin_own_ticks(10000, 3 * HZ), "port.clock_hz"));
    assert_non_null(strstr(begin_own_ticks(0, HZ), "port.arm missing"));
}

/* Ids and modes that no task can have write nowhere but into records. */
static void test_wrong_ticks(void **state)
{
    (void)state;
    begin(&whole, &(struct cpuprobe_options){ .seconds = 1 });
    for (unsigned i = 0; i < 100; i++)
        cpuprobe_tick(probe, UINT64_MAX, 0xffff0000u + i, (enum cpuprobe_mode)i);
    cpuprobe_tick(NULL, 0, 0, CPUPROBE_USER);
    cpuprobe_ended(probe, 5);
    cpuprobe_ended(NULL, 5);
    run(2);
    assert_string_equal(reason, "complete");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_account),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_drawn_in_ticks),
        cmocka_unit_test(test_events_lost),
        cmocka_unit_test(test_silent),
        cmocka_unit_test(test_no_interrupt),
        cmocka_unit_test(test_wrong_arm),
        cmocka_unit_test(test_all_masked),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_own_ticks),
        cmocka_unit_test(test_wrong_ticks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
