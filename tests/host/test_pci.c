/* SPDX-License-Identifier: MIT */
/*
 * A function of the PCI bus by number, over a model of its configuration space: it leaves power state D3, its base
 * addresses are as they were, and lists and devices that are wrong do no harm.  No emulator here has a UART in D3.
 */
#include "tests/host/simulated_ports.h"

#include "drivers/pci.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FUNCTION PCI_FUNCTION(0, 22, 3)
#define PM       0x50u
#define MSI      0x80u
#define PORT_BAR 0xf0e1u

static uint32_t config[64], selected;
static bool forgets; /* base addresses and command are cleared by the change to D0 */
static bool stuck;   /* the power state does not change */
static unsigned slow; /* readings until the power state is D0 */
static unsigned accesses;

static uint32_t *reg(uint32_t at)
{
    return &config[at / 4];
}

static uint32_t port_read(uint16_t port, unsigned bytes)
{
    const uint32_t at = selected & 0xfc;

    accesses++;
    assert_int_equal(bytes, 4);
    assert_int_equal(port, CONFIG_DATA);
    if ((selected & 0x7fffff00u) != FUNCTION << 8)
        return 0xffffffffu;
    if (at == PM + PMCSR && slow != 0 && --slow == 0)
        *reg(at) &= ~PMCSR_STATE;
    return *reg(at);
}

static void write_power(uint32_t value)
{
    const uint32_t now = *reg(PM + PMCSR);

    assert_int_equal(value & PMCSR_PME, 0); /* its status is the driver's that comes next */
    assert_int_equal(value & 0x100, now & 0x100);
    if (stuck)
        return;
    *reg(PM + PMCSR) = slow != 0 ? now : (now & ~PMCSR_STATE) | (value & PMCSR_STATE);
    if (!forgets)
        return;
    memset(reg(REG_BAR0), 0, REG_BARS * 4);
    *reg(REG_COMMAND) &= 0xffff0000u;
}

static void port_write(uint16_t port, uint32_t value, unsigned bytes)
{
    assert_int_equal(bytes, 4);
    if (port == CONFIG_ADDRESS) {
        selected = value;
        return;
    }
    assert_int_equal(port, CONFIG_DATA);
    assert_int_equal(selected & 0x7fffff00u, FUNCTION << 8);
    if ((selected & 0xfc) == PM + PMCSR)
        write_power(value);
    else if ((selected & 0xfc) == REG_COMMAND)
        *reg(REG_COMMAND) = (*reg(REG_COMMAND) & 0xffff0000u) | (value & 0xffff);
    else
        *reg(selected & 0xfc) = value;
}

/* In power state D`state`, with the PM capability behind another one. */
static void make(uint32_t state)
{
    memset(config, 0, sizeof config);
    forgets = stuck = false;
    slow = accesses = 0;
    *reg(REG_VENDOR) = 0x1c3d8086;
    *reg(REG_COMMAND) = HAS_CAPABILITIES | 0x4;
    *reg(REG_CLASS) = 0x07000204;
    *reg(REG_BAR0) = PORT_BAR;
    *reg(REG_BAR0 + 4) = 0xf7d3d000;
    *reg(REG_CAPABILITY) = MSI;
    *reg(MSI) = PM << 8 | 0x05;
    *reg(PM) = CAPABILITY_PM;
    *reg(PM + PMCSR) = PMCSR_PME | 0x100 | state;
}

static void check_opens(void)
{
    struct pci_bar window;

    assert_null(pci_open(FUNCTION, &window));
    assert_false(window.memory);
    assert_int_equal(window.base, PORT_BAR & ~3u);
    assert_int_equal(*reg(REG_BAR0), PORT_BAR);
    assert_int_equal(*reg(REG_BAR0 + 4), 0xf7d3d000);
    assert_int_equal(*reg(REG_COMMAND) & 0xffff, 0x4 | COMMAND_IO);
    assert_int_equal(*reg(PM + PMCSR) & PMCSR_STATE, 0);
}

static void test_states(void **state)
{
    (void)state;
    for (uint32_t power = 0; power < 4; power++)
        for (int which = 0; which < 2; which++) {
            make(power);
            forgets = which;
            check_opens();
            assert_true(power == 0 ? accesses < 100 : accesses >= SETTLE_READS); /* the time is waited out */
        }
    make(3);
    slow = SETTLE_READS / 2;
    check_opens();
}

static void check_refused(const char *sentence)
{
    struct pci_bar window;
    const char *const wrong = pci_open(FUNCTION, &window);

    assert_non_null(wrong);
    assert_non_null(strstr(wrong, sentence));
    assert_true(accesses <= 2 * SETTLE_READS); /* bounded */
}

static void test_refused(void **state)
{
    struct pci_bar window;

    (void)state;
    make(3);
    stuck = true;
    check_refused("does not leave its power state");
    make(0);
    *reg(REG_HEADER) = 1u << 16;
    check_refused("bridge");
    make(0);
    *reg(REG_BAR0) = BAR_IO;
    check_refused("not assigned");
    make(0);
    assert_non_null(pci_open(FUNCTION + 1, &window));
}

/* A list in a circle, one that leads below the capabilities, none at all: as a function without power states. */
static void test_lists(void **state)
{
    (void)state;
    make(0);
    *reg(MSI) = MSI << 8 | 0x05;
    check_opens();
    make(0);
    *reg(MSI) = 0x10 << 8 | 0x05;
    check_opens();
    make(0);
    *reg(REG_COMMAND) &= ~HAS_CAPABILITIES;
    check_opens();
    make(0);
    memset(reg(0x40), 0xff, 0xc0); /* all ones: the last dword is a head that leads to itself */
    *reg(PM + PMCSR) = 0;
    check_opens();
}

static void test_windows(void **state)
{
    struct pci_bar window;

    (void)state;
    make(3);
    forgets = true;
    *reg(REG_BAR0) = 0x12345004; /* in memory, 64 bits */
    *reg(REG_BAR0 + 4) = 0x7f;
    assert_null(pci_open(FUNCTION, &window));
    assert_true(window.memory);
    assert_true(window.base == 0x7f12345000);
    assert_int_equal(*reg(REG_COMMAND) & 0xffff, 0x4 | COMMAND_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_windows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
