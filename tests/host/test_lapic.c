/* SPDX-License-Identifier: MIT */
/* The local APIC's driver on registers of a model: as memory, and by MSRs where firmware has locked x2APIC mode. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "drivers/io.h"

#define DIRECT_MAP 0x100000000000u

static struct cpuid model_cpuid(uint32_t leaf);
static uint64_t model_rdmsr(uint32_t msr);
static void model_wrmsr(uint32_t msr, uint64_t value);
static uint32_t model_read(uint64_t address);
static void model_write(uint64_t address, uint32_t value);

#define cpuid(leaf, sub)             model_cpuid(leaf)
#define rdmsr(msr)                   model_rdmsr(msr)
#define wrmsr(msr, value)            model_wrmsr(msr, value)
#define mmio_read32(address)         model_read(address)
#define mmio_write32(address, value) model_write(address, value)
#include "drivers/lapic.c"

#define VERSION 0x00060015u /* seven local vectors */

static struct {
    uint64_t base, capabilities, status, deadline, icr;
    uint32_t reg[0x40]; /* by offset / 16 */
    uint32_t features7; /* EDX of CPUID leaf 7 */
    unsigned mapped, msrs, faults; /* accesses of registers, and what a processor faults at */
} model;

static bool is_x2apic(void)
{
    return model.base & BASE_X2APIC;
}

static struct cpuid model_cpuid(uint32_t leaf)
{
    return leaf == 0 ? (struct cpuid){ .eax = 7 } : leaf == 7 ? (struct cpuid){ .edx = model.features7 } :
                                                                (struct cpuid){ .ecx = 1u << 24, .edx = 1u << 9 };
}

static uint64_t model_rdmsr(uint32_t msr)
{
    switch (msr) {
    case MSR_APIC_BASE:
        return model.base;
    case MSR_ARCH_CAPABILITIES:
        model.faults += !(model.features7 >> 29 & 1);
        return model.capabilities;
    case MSR_XAPIC_DISABLE_STATUS:
        model.faults += !(model.capabilities >> 21 & 1);
        return model.status;
    case MSR_TSC_DEADLINE:
        return model.deadline;
    default:
        model.msrs++;
        model.faults += !is_x2apic() || msr < MSR_X2APIC || msr >= MSR_X2APIC + 0x40;
        return model.reg[msr & 0x3f];
    }
}

static void set_base(uint64_t value)
{
    const bool leaves = is_x2apic() && !(value & BASE_X2APIC);

    model.faults += leaves && (model.status & 1 || value & BASE_ENABLE); /* locked, or not by way of disabled */
    model.base = value;
}

static void set_register(uint32_t number, uint64_t value)
{
    model.reg[number] = (uint32_t)value;
    if (number == REG_ICR_LOW >> 4)
        model.icr = value;
}

static void model_wrmsr(uint32_t msr, uint64_t value)
{
    if (msr == MSR_APIC_BASE) {
        set_base(value);
    } else if (msr == MSR_TSC_DEADLINE) {
        model.deadline = model.reg[REG_LVT_TIMER >> 4] & LVT_DEADLINE ? value : 0;
    } else {
        model.msrs++;
        model.faults += !is_x2apic() || msr < MSR_X2APIC || msr >= MSR_X2APIC + 0x40 ||
                        (msr == MSR_X2APIC + (REG_EOI >> 4) && value != 0);
        set_register(msr & 0x3f, value);
    }
}

static uint32_t number_of(uint64_t address)
{
    model.mapped++;
    model.faults += is_x2apic() || address - DIRECT_MAP - 0xfee00000u > 0x3f0;
    return (uint32_t)address >> 4 & 0x3f;
}

static uint32_t model_read(uint64_t address)
{
    return model.reg[number_of(address)];
}

static void model_write(uint64_t address, uint32_t value)
{
    set_register(number_of(address), value);
}

/*
 * What the processor says of a lock, one step after the other: no MSR, one that tells of no other,
 * one that says no, a lock.
 */
enum lock { NO_CAPABILITIES, NO_STATUS, UNLOCKED, LOCKED };

/* As firmware left it. */
static void power_on(bool x2apic, enum lock lock, uint32_t id)
{
    memset(&model, 0, sizeof model);
    model.base = 0xfee00000u | BASE_ENABLE | BASE_BSP | (x2apic ? BASE_X2APIC : 0);
    model.features7 = lock >= NO_STATUS ? 1u << 29 : 0;
    model.capabilities = lock >= UNLOCKED ? 1u << 21 : 0;
    model.status = lock == LOCKED;
    model.reg[REG_VERSION >> 4] = VERSION;
    model.reg[REG_ID >> 4] = x2apic ? id : id << 24;
    base = 0;
    in_use = false;
    assert_true(lapic_init_others(DIRECT_MAP));
    assert_int_equal(model.icr, ICR_OTHERS | ICR_ASSERT | ICR_INIT);
    lapic_init(DIRECT_MAP);
    if (x2apic && lock != LOCKED)
        model.reg[REG_ID >> 4] = id << 24;
}

static void check_set_up(void)
{
    assert_true(lapic_in_use());
    assert_int_equal(model.reg[REG_SVR >> 4], SVR_ENABLE | LAPIC_SPURIOUS_VECTOR);
    assert_int_equal(model.reg[REG_LVT_LINT0 >> 4], LVT_EXTINT);
    assert_int_equal(model.reg[REG_LVT_LINT1 >> 4], LVT_NMI);
    assert_int_equal(model.reg[REG_LVT_CMCI >> 4], LVT_MASKED);
    assert_int_equal(model.reg[REG_LVT_TIMER >> 4], LVT_MASKED | LAPIC_TIMER_VECTOR);
    assert_int_equal(model.reg[REG_DIVIDE >> 4], DIVIDE_BY_1);
    lapic_interrupt_self(0x54);
    assert_int_equal(model.icr, ICR_SELF | ICR_ASSERT | 0x54);
    assert_int_equal(model.faults, 0);
}

/* Accesses of a tick: its arming and its EOI. */
static void tick(bool by_deadline)
{
    model.mapped = model.msrs = 0;
    if (by_deadline)
        lapic_deadline_arm(1000);
    else
        lapic_timer_arm(1000);
    lapic_eoi();
}

static void test_memory(void **state)
{
    (void)state;
    power_on(false, NO_CAPABILITIES, 3);
    check_set_up();
    assert_false(lapic_in_x2apic_mode());
    assert_int_equal(model.msrs, 0);
    assert_int_equal(lapic_id(), 3);
    lapic_timer_use(LAPIC_TIMER_COUNT);
    assert_int_equal(model.reg[REG_LVT_TIMER >> 4], LAPIC_TIMER_VECTOR);
    tick(false);
    assert_int_equal(model.mapped, 2);
    lapic_timer_use(LAPIC_TIMER_DEADLINE);
    tick(true);
    assert_int_equal(model.mapped, 1);
    assert_int_equal(lapic_deadline(), 1000);
    assert_int_equal(model.faults, 0);
}

/* It is left, by way of a disabled APIC, where nothing locks it. */
static void test_left(void **state)
{
    (void)state;
    for (enum lock lock = NO_CAPABILITIES; lock < LOCKED; lock++) {
        power_on(true, lock, 3);
        assert_false(lapic_in_x2apic_mode());
        assert_false(is_x2apic());
        check_set_up();
        assert_int_equal(lapic_id(), 3);
    }
}

static void test_locked(void **state)
{
    (void)state;
    power_on(true, LOCKED, 3);
    assert_true(lapic_in_x2apic_mode());
    check_set_up();
    assert_int_equal(model.mapped, 0);
    assert_null(lapic_harmless());
    assert_int_equal(lapic_harmless_msr(), 0x802);
    assert_true(lapic_takes_messages());
    lapic_timer_use(LAPIC_TIMER_COUNT);
    tick(false);
    assert_int_equal(model.mapped, 0);
    assert_int_equal(model.msrs, 2);
    assert_int_equal(model.reg[REG_INITIAL >> 4], 1000);
    lapic_timer_use(LAPIC_TIMER_DEADLINE);
    assert_int_equal(model.reg[REG_LVT_TIMER >> 4], LVT_DEADLINE | LAPIC_TIMER_VECTOR);
    tick(true);
    assert_int_equal(model.mapped, 0);
    assert_int_equal(model.msrs, 1);
    assert_int_equal(lapic_deadline(), 1000);
    model.reg[REG_ISR >> 4] = 0;
    assert_true(lapic_eoi_all());
    model.reg[(REG_IRR >> 4) + 7] = 1;
    assert_false(lapic_eoi_all());
    assert_int_equal(model.faults, 0);
}

/*
 * The lock is in force in x2APIC mode alone: elsewhere its bit, that of another processor's meaning, forbids nothing.
 */
static void test_locked_elsewhere(void **state)
{
    (void)state;
    power_on(false, LOCKED, 3);
    assert_false(lapic_in_x2apic_mode());
    check_set_up();
}

/* An id of 32 bits; entries of I/O APICs and messages have room for eight, of which 255 is no processor's own. */
static void test_ids(void **state)
{
    static const struct {
        uint32_t id;
        bool takes;
    } ids[] = {{0, true}, {254, true}, {255, false}, {256, false}, {0x12345678, false}, {0x01000000, false}};

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        power_on(true, LOCKED, ids[i].id);
        assert_int_equal(lapic_id(), ids[i].id);
        assert_int_equal(lapic_takes_messages(), ids[i].takes);
    }
    in_use = false;
    assert_false(lapic_takes_messages());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory), cmocka_unit_test(test_left), cmocka_unit_test(test_locked),
        cmocka_unit_test(test_locked_elsewhere), cmocka_unit_test(test_ids),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
