/* SPDX-License-Identifier: MIT */
/*
 * The core in a kernel that is simulated (probe/port/): what cpuprobe_init() says where a field is left out, sizes,
 * and a run from HELLO to END with what its callbacks give.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/core/system_monitor.h"
#include "probe/port/cpuprobe.h"
#include "probe/port/port_memory.h"
#include "probe/stream/wire.h"

#define HZ      1000000u /* of clock and source */
#define LATENCY 3u       /* clock units from expiry to the handler */

/* ---- a kernel ---- */

static struct cpuprobe *probe;
static uint64_t now, due; /* due 0: nothing is armed */
static uint32_t task;
static bool is_off;
static unsigned count[64], frames; /* records by type */
static char reason[64];

/* Each reading takes a unit; the interrupt comes where one is due and let in. */
static uint64_t clock_read(void)
{
    static bool within;

    now++;
    if (due != 0 && !is_off && !within && now >= due + LATENCY) {
        due = 0;
        within = true;
        cpuprobe_tick(probe, 0x1000, task, CPUPROBE_USER);
        within = false;
    }
    return now;
}

static void arm(uint32_t counts)
{
    due = now + counts;
}

static void wait_halted(void)
{
    is_off = false;
    while (due != 0)
        clock_read();
}

static uintptr_t lock(void)
{
    const bool was = is_off;

    is_off = true;
    return was;
}

static void unlock(uintptr_t was)
{
    is_off = was != 0;
}

static bool take_frame(const void *bytes, size_t length)
{
    uint8_t copy[WIRE_FRAME_MAX];
    struct wire_reader r;
    struct wire_end end;

    memcpy(copy, (const uint8_t *)bytes + 1, length - 2);
    assert_int_equal(wire_open(&r, copy, length - 2), WIRE_INTACT);
    assert_int_equal(r.sequence, frames++);
    count[r.type]++;
    if (r.type == WIRE_END) {
        assert_true(wire_read_head(&r, &end));
        snprintf(reason, sizeof reason, "%.*s", (int)end.reason.length, end.reason.bytes);
    }
    return true;
}

static const char *name_of(uint32_t id)
{
    return id == 1 ? "one" : NULL;
}

static int read_nothing(void)
{
    return -1;
}

static const struct cpuprobe_port whole = {
    .name = "simulated", .clock = clock_read, .source = "timer", .source_hz = HZ, .longest = 50000, .arm = arm,
    .wait = wait_halted, .name_of = name_of, .write = take_frame, .read = read_nothing, .lock = lock, .unlock = unlock,
};

static void begin(const struct cpuprobe_port *port, const struct cpuprobe_options *options)
{
    const char *why = NULL;

    memset(count, 0, sizeof count);
    frames = 0;
    due = 0;
    is_off = false;
    free(probe);
    probe = NULL;
    probe = cpuprobe_init(calloc(1, cpuprobe_size()), cpuprobe_size(), port, options, &why);
    assert_null(why);
    assert_non_null(probe);
    why = cpuprobe_begin(probe);
    assert_true(why == NULL || fprintf(stderr, "%s\n", why) < 0);
}

/* Run until END, the tasks in turn. */
static void run(unsigned tasks)
{
    for (unsigned n = 0; cpuprobe_poll(probe); n++) {
        assert_true(n < 100000);
        task = 1 + n % tasks;
        for (unsigned i = 0; i < 1500; i++)
            clock_read();
    }
}

/* ---- nothing to forget ---- */

/* The sentence that init says; it must name the field. */
static void refused(const struct cpuprobe_port *port, const struct cpuprobe_options *options, const char *field)
{
    static uint64_t memory[200000];
    const char *why = NULL;

    assert_true(cpuprobe_size() <= sizeof memory);
    assert_null(cpuprobe_init(memory, sizeof memory, port, options, &why));
    assert_non_null(why);
    if (strstr(why, field) == NULL)
        fail_msg("not about %s: %s", field, why);
}

#define WITHOUT(field)                                                                    \
    do {                                                                                  \
        struct cpuprobe_port p = whole;                                                   \
        memset(&p.field, 0, sizeof p.field);                                              \
        refused(&p, &(struct cpuprobe_options){ .seconds = 1 }, "port." #field);          \
    } while (0)
#define WRONG(field, ...) refused(&whole, &(struct cpuprobe_options){ __VA_ARGS__ }, "options." field)

static void test_forgotten(void **state)
{
    struct cpuprobe_port ticks = whole;

    (void)state;
    WITHOUT(name);
    WITHOUT(clock);
    WITHOUT(source);
    WITHOUT(source_hz);
    WITHOUT(longest);
    WITHOUT(arm); /* without clock_hz either */
    WITHOUT(write);
    WITHOUT(lock);
    WITHOUT(unlock);
    ticks.arm = NULL;
    ticks.clock_hz = HZ;
    refused(&ticks, &(struct cpuprobe_options){ .policy = "random" }, "options.policy");
    refused(&ticks, &(struct cpuprobe_options){ .rate = 100 }, "options.rate");
    refused(NULL, &(struct cpuprobe_options){ 0 }, "port");
    refused(&whole, NULL, "options");
}

static void test_wrong_options(void **state)
{
    static const struct cpuprobe_region upside = { .low = 2, .high = 1 };
    static uint64_t memory[4096];
    struct cpuprobe_port deaf = whole;

    (void)state;
    WRONG("policy", .policy = "now and then");
    WRONG("rate", .rate = 60000);
    WRONG("rate", .rate = 200000);
    WRONG("account", .account = memory, .account_size = 100);
    WRONG("nmi", .account = memory, .account_size = sizeof memory, .nmi = true);
    WRONG("commands", .commands = memory, .commands_size = 10);
    WRONG("region is", .regions = 1);
    WRONG("regions", .regions = 9);
    WRONG("region_memory", .regions = 1, .region = &upside);
    WRONG("region: low", .regions = 1, .region = &upside, .region_memory = memory, .region_size = sizeof memory);
    deaf.read = NULL;
    refused(&deaf, &(struct cpuprobe_options){ .commands = memory, .commands_size = port_commands_size() }, "port.read");
}

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
    assert_string_equal(reason, "complete");
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
    dead.clock_hz = HZ;
    is_off = true; /* the caller forgot to let interrupts in */
    due = 0;
    free(probe);
    probe = cpuprobe_init(calloc(1, cpuprobe_size()), cpuprobe_size(), &dead, &(struct cpuprobe_options){ 0 }, &why);
    why = cpuprobe_begin(probe);
    assert_non_null(why);
    assert_non_null(strstr(why, "did not interrupt"));
    is_off = false;
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
    free(probe);
    probe = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forgotten),
        cmocka_unit_test(test_wrong_options),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_account),
        cmocka_unit_test(test_silent),
        cmocka_unit_test(test_no_interrupt),
        cmocka_unit_test(test_wrong_ticks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
