/* SPDX-License-Identifier: MIT */
/*
 * The HPET's driver on registers of a model, whose comparators interrupt at equality alone:
 * no armed one-shot is lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drivers/io.h"

#define BASE 0x1000u

static uint32_t model_read(uint64_t address);
static void model_write(uint64_t address, uint32_t value);

#define mmio_read32(address)         model_read(address)
#define mmio_write32(address, value) model_write(address, value)
#include "drivers/hpet.c"

static struct {
    uint32_t capabilities, period, configuration, timer[HPET_TIMERS_MOST], comparator, counter;
    uint32_t access; /* counts that an access takes */
    uint32_t delay;  /* counts after which a written comparator is compared */
    uint32_t written_at;
    unsigned fired;
} model;

/* The counter runs on, and compares each count. */
static void pass(uint32_t counts)
{
    while (counts-- > 0) {
        model.counter++;
        model.fired += model.counter == model.comparator && model.counter - model.written_at >= model.delay;
    }
}

static uint32_t model_read(uint64_t address)
{
    const uint64_t reg = address - BASE;

    pass(model.access);
    switch (reg) {
    case CAPABILITIES:
        return model.capabilities;
    case PERIOD:
        return model.period;
    case CONFIGURATION:
        return model.configuration;
    case HPET_COUNTER:
        return model.counter;
    default:
        return (reg & 0x1f) == 0 && reg >= HPET_TIMER(0) ? model.timer[(reg - HPET_TIMER(0)) / 0x20] : 0x00f00000;
    }
}

static void model_write(uint64_t address, uint32_t value)
{
    const uint64_t reg = address - BASE;

    pass(model.access);
    if (reg == CONFIGURATION) {
        model.configuration = value;
    } else if (reg == HPET_TIMER(0) + HPET_COMPARATOR) {
        model.comparator = value;
        model.written_at = model.counter;
    } else if (reg >= HPET_TIMER(0) && (reg & 0x1f) == 0) {
        model.timer[(reg - HPET_TIMER(0)) / 0x20] = value;
    }
}

static int setup(void **state)
{
    (void)state;
    model.capabilities = 0x8086a201;
    model.period = 69841279; /* 14.31818 MHz */
    model.configuration = CONFIG_LEGACY;
    model.access = 0;
    model.delay = 0;
    model.counter = 0xffffff00;
    model.timer[0] = TIMER_LEVEL | TIMER_ENABLE | TIMER_PERIODIC | TIMER_MESSAGE | 7u << TIMER_ROUTE |
                     TIMER_HAS_MESSAGES;
    missed = 0;
    hz_milli = 0;
    assert_true(hpet_init(BASE));
    return 0;
}

static void test_found(void **state)
{
    (void)state;
    assert_int_equal(hpet_timers(), 3);
    assert_int_equal(hpet_hz_milli(), 14318179940);
    assert_int_equal(model.configuration, CONFIG_ENABLE);
    assert_int_equal(model.timer[0], TIMER_32 | TIMER_HAS_MESSAGES);
    assert_int_equal(hpet_routes(1), 0x00f00000);
    assert_true(hpet_has_messages(0));
    assert_false(hpet_has_messages(1));
    hpet_route(0, 23);
    assert_int_equal(model.timer[0] >> TIMER_ROUTE & 31, 23);
    assert_true(model.timer[0] & TIMER_ENABLE);
}

/* What is no HPET, or says what cannot be: no register of it is written. */
static void test_untrue(void **state)
{
    static const struct {
        uint32_t capabilities, period;
    } untrue[] = {{0, 0}, {0xffffffff, 0xffffffff}, {0x8086a200, 69841279}, {0x8086a201, 0}, {0x8086a201, 999999},
                  {0x8086a201, 100000001}, {0x8086a201, 0xffffffff}};

    (void)state;
    for (size_t i = 0; i < sizeof untrue / sizeof untrue[0]; i++) {
        model.capabilities = untrue[i].capabilities;
        model.period = untrue[i].period;
        model.configuration = CONFIG_LEGACY;
        hz_milli = 0;
        assert_false(hpet_init(BASE));
        assert_false(hpet_in_use());
        assert_int_equal(model.configuration, CONFIG_LEGACY);
    }
}

/* The comparator is ahead, and will be compared, or it has interrupted: whatever an access takes. */
static void test_no_shot_is_lost(void **state)
{
    unsigned rearmed = 0;

    (void)state;
    for (model.access = 0; model.access <= 600; model.access += model.access / 4 + 1)
        for (model.delay = 0; model.delay <= HPET_GUARD; model.delay += 4)
            for (uint32_t counts = 1; counts < 3000; counts += counts / 3 + 1) {
                const uint64_t before = missed;

                model.fired = 0;
                hpet_arm(0, counts, &(uint64_t){0});
                pass(ROOM_LAST * 2);
                assert_true(model.fired > 0);
                assert_true(missed - before <= 1);
                assert_true(missed != before || counts > HPET_GUARD);
                rearmed += missed != before;
            }
    assert_true(rearmed > 0);
}

/* A counter that makes more counts in an access than there is room for: it ends. */
static void test_bounded(void **state)
{
    (void)state;
    model.access = ROOM_LAST + 1;
    hpet_arm(0, 1, &(uint64_t){0});
    assert_int_equal(missed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_found, setup), cmocka_unit_test_setup(test_untrue, setup),
        cmocka_unit_test_setup(test_no_shot_is_lost, setup), cmocka_unit_test_setup(test_bounded, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
