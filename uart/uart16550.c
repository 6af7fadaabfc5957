/* SPDX-License-Identifier: MIT */
/*
 * The 16550 UART.  National Semiconductor PC16550D data sheet; for its predecessors the INS8250
 * and NS16450 data sheets.
 */
#include "uart/uart16550.h"

#include "drivers/io.h"
#include "uart/uart_regs.h"

/* Bound of a wait, in polls: enough for a FIFO of bytes at 1200 bit/s with 50 ns a poll; 3 s with 1 us a poll. */
#define TRIES 3000000
#define TRIES_LOOP 35000u /* for one byte at divisor 1: two bytes' time with 5 ns a poll; 35 ms with 1 us */

/* Apart from the hot path: one test decides for the ports of the PC/AT. */
static __attribute__((noinline)) uint8_t read_wide(const struct uart *u, unsigned reg)
{
    const uint64_t at = u->base + (uint64_t)reg * u->stride;
    const bool ports = u->access == UART_PORTS;

    switch (u->width) {
    case 4:
        return (uint8_t)(ports ? inl((uint16_t)at) : *(volatile uint32_t *)(uintptr_t)at);
    case 2:
        return (uint8_t)(ports ? inw((uint16_t)at) : *(volatile uint16_t *)(uintptr_t)at);
    default:
        return ports ? inb((uint16_t)at) : *(volatile uint8_t *)(uintptr_t)at;
    }
}

static __attribute__((noinline)) void write_wide(const struct uart *u, unsigned reg, uint8_t value)
{
    const uint64_t at = u->base + (uint64_t)reg * u->stride;
    const bool ports = u->access == UART_PORTS;

    if (u->width == 4 && ports)
        outl((uint16_t)at, value);
    else if (u->width == 4)
        *(volatile uint32_t *)(uintptr_t)at = value;
    else if (u->width == 2 && ports)
        outw((uint16_t)at, value);
    else if (u->width == 2)
        *(volatile uint16_t *)(uintptr_t)at = value;
    else if (ports)
        outb((uint16_t)at, value);
    else
        *(volatile uint8_t *)(uintptr_t)at = value;
}

static uint8_t reg_read(const struct uart *u, unsigned reg)
{
    if (u->access != UART_BYTE_PORTS)
        return read_wide(u, reg);
    return inb((uint16_t)(u->base + reg));
}

static void reg_write(const struct uart *u, unsigned reg, uint8_t value)
{
    if (u->access != UART_BYTE_PORTS)
        write_wide(u, reg, value);
    else
        outb((uint16_t)(u->base + reg), value);
}

void uart_init(const struct uart *u, uint16_t divisor)
{
    reg_write(u, UART_LCR, UART_LCR_8N1);
    reg_write(u, UART_IER, 0);
    reg_write(u, UART_MCR, UART_MCR_DTR | UART_MCR_RTS | UART_MCR_OUT2);
    reg_write(u, UART_LCR, UART_LCR_8N1 | UART_LCR_DLAB);
    reg_write(u, UART_DLL, (uint8_t)divisor);
    reg_write(u, UART_DLM, (uint8_t)(divisor >> 8));
    reg_write(u, UART_LCR, UART_LCR_8N1);
    reg_write(u, UART_FCR, UART_FCR_ENABLE | UART_FCR_CLEAR_RX | UART_FCR_CLEAR_TX);
    reg_read(u, UART_LSR); /* reading clears what was pending */
    uart_flush_rx(u);
    reg_read(u, UART_IIR);
    reg_read(u, UART_MSR);
}

static bool wait_so_long(const struct uart *u, uint8_t bits, uint32_t tries)
{
    for (uint32_t i = 0; i < tries; i++)
        if ((reg_read(u, UART_LSR) & bits) == bits)
            return true;
    return false;
}

static bool wait_for(const struct uart *u, uint8_t bits)
{
    return wait_so_long(u, bits, TRIES);
}

/*
 * The byte may come behind others: QEMU gives what its host sends in the loop, too,
 * where a chip disconnects its input.
 */
static bool loops_back(const struct uart *u, uint8_t byte, uint32_t tries)
{
    uart_flush_rx(u);
    reg_write(u, UART_THR, byte);
    for (unsigned n = 0; n < UART_FIFO_DEPTH; n++) {
        if (!wait_so_long(u, UART_LSR_DR, tries))
            return false;
        if (reg_read(u, UART_RBR) == byte)
            return true;
    }
    return false;
}

bool uart_present(const struct uart *u, uint16_t divisor)
{
    const uint32_t tries = divisor * TRIES_LOOP;
    const uint8_t mcr = reg_read(u, UART_MCR);
    bool present;

    if (mcr == 0xff) /* three bits of MCR are always 0, so no device is there */
        return false;
    reg_write(u, UART_MCR, UART_MCR_LOOP);
    present = loops_back(u, 0x55, tries) && loops_back(u, 0xaa, tries);
    reg_write(u, UART_MCR, mcr & (uint8_t)~UART_MCR_LOOP);
    return present;
}

bool uart_idles(const struct uart *u)
{
    return reg_read(u, UART_LSR) != 0xff && uart_wait_empty(u);
}

static bool remembers(const struct uart *u, uint8_t byte)
{
    reg_write(u, UART_SCR, byte);
    return reg_read(u, UART_SCR) == byte;
}

enum uart_kind uart_kind(const struct uart *u)
{
    if (!remembers(u, 0x55) || !remembers(u, 0xaa))
        return UART_8250;
    switch (reg_read(u, UART_IIR) & UART_IIR_FIFO) {
    case UART_IIR_FIFO:
        return UART_16550A;
    case UART_IIR_FIFO_BROKEN:
        return UART_16550;
    default:
        return UART_16450;
    }
}

const char *uart_kind_name(enum uart_kind kind)
{
    static const char *const names[] = { "8250", "16450", "16550", "16550A" };

    return names[kind];
}

unsigned uart_fifo_depth(enum uart_kind kind)
{
    return kind == UART_16550A ? UART_FIFO_DEPTH : 1;
}

bool uart_tx_ready(const struct uart *u)
{
    return reg_read(u, UART_LSR) & UART_LSR_THRE;
}

bool uart_send(const struct uart *u, uint8_t byte)
{
    if (!wait_for(u, UART_LSR_THRE))
        return false;
    reg_write(u, UART_THR, byte);
    return true;
}

bool uart_wait_empty(const struct uart *u)
{
    return wait_for(u, UART_LSR_THRE | UART_LSR_TEMT);
}

void uart_transmit_interrupt(const struct uart *u, bool on)
{
    reg_write(u, UART_IER, on ? UART_IER_THRI : 0);
}

void uart_interrupts(const struct uart *u, bool receive, bool transmit)
{
    reg_write(u, UART_IER,
              (uint8_t)((receive ? UART_IER_RDI : 0) | (transmit ? UART_IER_THRI : 0)));
}

bool uart_receive(const struct uart *u, uint8_t *byte, uint8_t *status)
{
    *status = reg_read(u, UART_LSR);
    if (!(*status & UART_LSR_DR))
        return false;
    *byte = reg_read(u, UART_RBR);
    return true;
}

uint8_t uart_status(const struct uart *u)
{
    return reg_read(u, UART_LSR);
}

/* In Bochs a pending time-out survives the reset of its FIFO: acknowledge it. */
void uart_timeout_init(const struct uart *u)
{
    reg_write(u, UART_IER, 0);
    reg_write(u, UART_MCR, UART_MCR_LOOP | UART_MCR_OUT2);
    reg_write(u, UART_FCR, UART_FCR_ENABLE | UART_FCR_CLEAR_RX | UART_FCR_CLEAR_TX | UART_FCR_AT_14);
    reg_read(u, UART_IIR);
    uart_flush_rx(u);
    reg_read(u, UART_IIR);
}

void uart_timeout_interrupt(const struct uart *u, bool on)
{
    reg_write(u, UART_IER, on ? UART_IER_RDI : 0);
}

uint8_t uart_interrupt_cause(const struct uart *u)
{
    const uint8_t iir = reg_read(u, UART_IIR);

    return iir & UART_IIR_NONE ? UART_IIR_NONE : iir & UART_IIR_ID;
}

void uart_write(const struct uart *u, uint8_t byte)
{
    reg_write(u, UART_THR, byte);
}

unsigned uart_flush_rx(const struct uart *u)
{
    unsigned n = 0;

    while (n < UART_FIFO_DEPTH && reg_read(u, UART_LSR) & UART_LSR_DR) {
        reg_read(u, UART_RBR);
        n++;
    }
    return n;
}
