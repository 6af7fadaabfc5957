/* SPDX-License-Identifier: MIT */
/*
 * The 16550 behind registers in memory, or at ports, with a stride and a width, over a register file
 * that is plain memory: no emulator here has such a UART.  What plain memory
 * cannot do (a byte that moves by itself) is set by hand.
 */
#include "tests/host/simulated_ports.h"
#include "uart/uart16550.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define STRIDE 4u
#define FILL   0xee /* what lies between the registers, and must stay */

struct file {
    uint8_t byte[8 * STRIDE];
    struct uart uart;
};

static void make(struct file *f)
{
    memset(f->byte, FILL, sizeof f->byte);
    for (unsigned reg = 0; reg < 8; reg++)
        f->byte[reg * STRIDE] = 0;
    f->uart = (struct uart){ .base = (uintptr_t)f->byte, .stride = STRIDE, .width = 1, .access = UART_MEMORY };
}

static uint8_t *reg(struct file *f, unsigned number)
{
    return &f->byte[number * STRIDE];
}

static void check_between(const struct file *f)
{
    for (unsigned i = 0; i < sizeof f->byte; i++)
        if (i % STRIDE != 0)
            assert_int_equal(f->byte[i], FILL);
}

static void test_init(void **state)
{
    struct file f;

    (void)state;
    make(&f);
    *reg(&f, UART_LCR) = UART_LCR_DLAB; /* left so, and in loopback */
    *reg(&f, UART_MCR) = UART_MCR_LOOP;
    uart_init(&f.uart, 0x0180);
    assert_int_equal(*reg(&f, UART_DLL), 0x80);
    assert_int_equal(*reg(&f, UART_DLM), 0x01);
    assert_int_equal(*reg(&f, UART_LCR), UART_LCR_8N1);
    assert_int_equal(*reg(&f, UART_MCR), UART_MCR_DTR | UART_MCR_RTS | UART_MCR_OUT2);
    assert_int_equal(*reg(&f, UART_FCR),
                     UART_FCR_ENABLE | UART_FCR_CLEAR_RX | UART_FCR_CLEAR_TX);
    check_between(&f);
}

/* ---- ports with a stride, and every width ---- */

#define PORT     0x3e8u
#define STRIDE_MOST 8u

static uint8_t space[8 * STRIDE_MOST]; /* the ports from PORT on */
static unsigned width_seen, accesses;

static void note(uint16_t port, unsigned bytes)
{
    assert_true(port >= PORT && port + bytes <= PORT + sizeof space);
    assert_int_equal(port % bytes, PORT % bytes);
    width_seen |= bytes;
    accesses++;
}

static uint32_t port_read(uint16_t port, unsigned bytes)
{
    uint32_t value = 0;

    note(port, bytes);
    memcpy(&value, &space[port - PORT], bytes);
    return value;
}

static void port_write(uint16_t port, uint32_t value, unsigned bytes)
{
    note(port, bytes);
    memcpy(&space[port - PORT], &value, bytes);
}

/* Each register is where its stride says, an access has its width and no more, and a register is its lowest byte. */
static void check_access(enum uart_access access, unsigned stride, unsigned width)
{
    const struct uart u = {
        .base = access == UART_MEMORY ? (uintptr_t)space : PORT, .stride = stride, .width = (uint8_t)width,
        .access = access,
    };

    memset(space, FILL, sizeof space);
    width_seen = accesses = 0;
    uart_init(&u, 0x0180);
    assert_int_equal(space[UART_DLL * stride], 0x80);
    assert_int_equal(space[UART_DLM * stride], 0x01);
    assert_int_equal(space[UART_LCR * stride], UART_LCR_8N1);
    assert_int_equal(space[UART_MCR * stride], UART_MCR_DTR | UART_MCR_RTS | UART_MCR_OUT2);
    for (unsigned i = 0; i < sizeof space; i++) {
        const unsigned reg = i / stride, byte = i % stride;
        const bool is_written = reg == UART_DLL || reg == UART_DLM || reg == UART_FCR || reg == UART_LCR ||
                                reg == UART_MCR;

        if (byte >= width || reg > UART_SCR || !is_written)
            assert_int_equal(space[i], FILL);
        else if (byte != 0)
            assert_int_equal(space[i], 0);
    }
    space[UART_LSR * stride] = UART_LSR_THRE;
    assert_int_equal(uart_status(&u), UART_LSR_THRE); /* FILL beside it does not count */
    assert_int_equal(width_seen, access == UART_MEMORY ? 0 : width);
}

static void test_access(void **state)
{
    (void)state;
    for (unsigned stride = 1; stride <= STRIDE_MOST; stride *= 2)
        for (unsigned width = 1; width <= stride && width <= 4; width *= 2) {
            check_access(UART_PORTS, stride, width);
            check_access(UART_MEMORY, stride, width);
        }
    check_access(UART_BYTE_PORTS, 1, 1);
    assert_true(accesses > 0);
}

static void test_idles(void **state)
{
    struct file f;

    (void)state;
    make(&f);
    uart_init(&f.uart, 1);
    assert_false(uart_idles(&f.uart)); /* never empty */
    *reg(&f, UART_LSR) = UART_LSR_THRE | UART_LSR_TEMT;
    assert_true(uart_idles(&f.uart));
    memset(f.byte, 0xff, sizeof f.byte); /* a bus that nobody drives */
    assert_false(uart_idles(&f.uart));
}

static void test_present(void **state)
{
    struct file f;

    (void)state;
    make(&f);
    uart_init(&f.uart, 1);
    assert_false(uart_present(&f.uart, 1)); /* no byte ever comes back */
    *reg(&f, UART_LSR) = UART_LSR_DR | UART_LSR_THRE;
    assert_true(uart_present(&f.uart, 1));
    assert_int_equal(*reg(&f, UART_MCR) & UART_MCR_LOOP, 0);
    memset(f.byte, 0xff, sizeof f.byte); /* a bus that nobody drives */
    assert_false(uart_present(&f.uart, 1));
}

static void test_kind(void **state)
{
    static const struct {
        uint8_t iir;
        enum uart_kind kind;
        unsigned depth;
    } rows[] = {
        { 0x01, UART_16450, 1 }, { 0x81, UART_16550, 1 }, { 0xc1, UART_16550A, 16 },
    };
    struct file f;

    (void)state;
    make(&f);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *reg(&f, UART_IIR) = rows[i].iir;
        assert_int_equal(uart_kind(&f.uart), rows[i].kind);
        assert_int_equal(uart_fifo_depth(rows[i].kind), rows[i].depth);
    }
    assert_string_equal(uart_kind_name(UART_16550A), "16550A");
}

static void test_send_and_interrupt(void **state)
{
    struct file f;

    (void)state;
    make(&f);
    assert_false(uart_tx_ready(&f.uart));
    assert_false(uart_send(&f.uart, 'x')); /* bounded: it comes back */
    assert_false(uart_wait_empty(&f.uart));
    *reg(&f, UART_LSR) = UART_LSR_THRE | UART_LSR_TEMT;
    assert_true(uart_tx_ready(&f.uart));
    assert_true(uart_send(&f.uart, 'x'));
    assert_true(uart_wait_empty(&f.uart));
    assert_int_equal(*reg(&f, UART_THR), 'x');
    uart_transmit_interrupt(&f.uart, true);
    assert_int_equal(*reg(&f, UART_IER), UART_IER_THRI);
    uart_transmit_interrupt(&f.uart, false);
    assert_int_equal(*reg(&f, UART_IER), 0);
    *reg(&f, UART_IIR) = 0xc1;
    assert_int_equal(uart_interrupt_cause(&f.uart), UART_IIR_NONE);
    *reg(&f, UART_IIR) = 0xc2;
    assert_int_equal(uart_interrupt_cause(&f.uart), UART_IIR_THRI);
    *reg(&f, UART_LSR) = UART_LSR_DR; /* bytes without end: a FIFO of them is taken */
    assert_int_equal(uart_flush_rx(&f.uart), UART_FIFO_DEPTH);
    check_between(&f);
}

/* Emulators make none of these: errors of a byte, and bytes lost before it. */
static void test_errors(void **state)
{
    static const uint8_t errors[] = {0, UART_LSR_OE, UART_LSR_PE, UART_LSR_FE, UART_LSR_BI | UART_LSR_FE};
    struct file f;
    uint8_t byte, found;

    (void)state;
    make(&f);
    *reg(&f, UART_RBR) = 'x';
    for (unsigned i = 0; i < sizeof errors; i++) {
        *reg(&f, UART_LSR) = (uint8_t)(UART_LSR_DR | UART_LSR_THRE | UART_LSR_TEMT | errors[i]);
        assert_true(uart_receive(&f.uart, &byte, &found));
        assert_int_equal(byte, 'x');
        assert_int_equal(found, UART_LSR_DR | UART_LSR_THRE | UART_LSR_TEMT | errors[i]);
    }
    *reg(&f, UART_LSR) = UART_LSR_OE; /* nothing to take, and something was lost */
    assert_false(uart_receive(&f.uart, &byte, &found));
    assert_int_equal(found, UART_LSR_OE);
    check_between(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_init),
        cmocka_unit_test(test_access),
        cmocka_unit_test(test_idles),
        cmocka_unit_test(test_present),
        cmocka_unit_test(test_kind),
        cmocka_unit_test(test_send_and_interrupt),
        cmocka_unit_test(test_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
