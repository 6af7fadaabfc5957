/* SPDX-License-Identifier: MIT */
/* QEMU's board virt, RISC-V of 64 bits in machine mode: CLINT, a 16550, its clock of 10 MHz. */
#include "tests/port/machine.h"

#define MTIMECMP ((volatile uint64_t *)0x02004000)
#define MTIME    ((volatile uint64_t *)0x0200bff8)
#define UART     ((volatile uint8_t *)0x10000000)
#define FINISHER ((volatile uint32_t *)0x00100000)
#define TIMER_ON 0x80u /* MTIE of mie */

extern void timer_stub(void);

static uint64_t period_counts; /* 0: one-shots */

void machine_begin(uint32_t period, bool nmi)
{
    (void)nmi; /* there is none */
    period_counts = period;
    *MTIMECMP = period != 0 ? *MTIME + period : UINT64_MAX;
    __asm__ volatile("csrw mtvec, %0; csrs mie, %1" : : "r"(timer_stub), "r"(TIMER_ON));
}

void timer_arm(uint32_t counts)
{
    *MTIMECMP = *MTIME + counts;
}

void timer_end(void)
{
    *MTIMECMP = period_counts != 0 ? *MTIMECMP + period_counts : UINT64_MAX;
}

uint64_t clock_read(void)
{
    return *MTIME;
}

void uart_put(char c)
{
    while ((UART[5] & 0x20) == 0)
        continue;
    UART[0] = (uint8_t)c;
}

int uart_get(void)
{
    return UART[5] & 1 ? UART[0] : -1;
}

/* WFI ends for what is pending though interrupts are off. */
void halt(void)
{
    __asm__ volatile("wfi; csrsi mstatus, 8" : : : "memory");
}

uintptr_t interrupts_off(void)
{
    uintptr_t was;

    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(was) : : "memory");
    return was;
}

void interrupts_restore(uintptr_t was)
{
    __asm__ volatile("csrs mstatus, %0" : : "r"(was & INTERRUPTS_ON) : "memory");
}

_Noreturn void power_off(void)
{
    *FINISHER = 0x5555;
    for (;;)
        __asm__ volatile("wfi");
}
