/* SPDX-License-Identifier: MIT */
/* A PC, 64 and 32 bits: 8254, 8259, COM1, the TSC. */
#include "tests/port/machine.h"

#define PIT     0x40
#define COM1    0x3f8
#define VECTOR  0x20
#define CODE    0x08 /* its selector (tests/port/x86.S) */

static struct gate {
    uint16_t low, selector, type, middle;
#ifdef __x86_64__
    uint32_t high, zero;
#endif
} idt[VECTOR + 1];

extern void timer_stub(void);

static void out(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static uint8_t in(uint16_t port)
{
    uint8_t value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void set_gate(unsigned vector)
{
    struct __attribute__((packed)) { uint16_t limit; uintptr_t base; } where = { sizeof idt - 1, (uintptr_t)idt };
    const uint64_t at = (uintptr_t)timer_stub;

    idt[vector] = (struct gate){ .low = (uint16_t)at, .selector = CODE, .type = 0x8e00,
                                 .middle = (uint16_t)(at >> 16),
#ifdef __x86_64__
                                 .high = (uint32_t)(at >> 32)
#endif
    };
    __asm__ volatile("lidt %0" : : "m"(where));
}

/* Both 8259s at vectors from 0x20, IRQ 0 alone let in. */
static void set_pic(void)
{
    static const uint8_t words[2][4] = { { 0x11, 0x20, 4, 1 }, { 0x11, 0x28, 2, 1 } };

    for (unsigned chip = 0; chip < 2; chip++)
        for (unsigned i = 0; i < 4; i++)
            out((uint16_t)(0x20 + chip * 0x80 + (i > 0)), words[chip][i]);
    out(0x21, 0xfe);
    out(0xa1, 0xff);
}

/* The PIT as NMI: pin 2 of the I/O APIC, delivery mode 4, to processor 0, whose local APIC is switched on. */
static void route_nmi(void)
{
    volatile uint32_t *const io = (volatile uint32_t *)0xfec00000, *const spurious = (volatile uint32_t *)0xfee000f0;

    *spurious |= 0x100;
    io[0] = 0x14;
    io[4] = 0x400;
    out(0x21, 0xff);
}

void machine_begin(uint32_t period, bool nmi)
{
    set_gate(2);
    set_gate(VECTOR);
    set_pic();
    if (nmi)
        route_nmi();
    out(COM1 + 3, 3);
    out(PIT + 3, period != 0 ? 0x34 : 0x30); /* mode 2, or mode 0 without a count: no interrupt */
    if (period != 0)
        timer_arm(period);
}

void timer_arm(uint32_t counts)
{
    out(PIT, (uint8_t)counts);
    out(PIT, (uint8_t)(counts >> 8));
}

void timer_end(void)
{
    out(0x20, 0x20);
}

uint64_t clock_read(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

void uart_put(char c)
{
    while ((in(COM1 + 5) & 0x20) == 0)
        continue;
    out(COM1, (uint8_t)c);
}

int uart_get(void)
{
    return in(COM1 + 5) & 1 ? in(COM1) : -1;
}

void halt(void)
{
    __asm__ volatile("sti; hlt" : : : "memory");
}

uintptr_t interrupts_off(void)
{
    uintptr_t was;

    __asm__ volatile("pushf; pop %0; cli" : "=r"(was) : : "memory");
    return was;
}

void interrupts_restore(uintptr_t was)
{
    if (was & INTERRUPTS_ON)
        __asm__ volatile("sti" : : : "memory");
}

_Noreturn void power_off(void)
{
    out(0xf4, 0); /* isa-debug-exit of QEMU */
    for (;;)
        __asm__ volatile("cli; hlt");
}
