/* SPDX-License-Identifier: MIT */
/*
 * QEMU's board mps2-an385, a Cortex-M3 of 25 MHz: SysTick is source and clock, a CMSDK UART the line.
 *
 * SysTick counts 24 bits down, interrupts at 0 and begins again from LOAD.  Each time that it is armed LOAD is set to
 * TOP behind it: it goes on counting when it has ended, so that the time until it is armed again is known.  The clock
 * is the sum of all that was armed, less what is left.  A second end with interrupts off, 0.67 s later, is missed.
 */
#include "tests/port/machine.h"

#define SYSTICK ((volatile uint32_t *)0xe000e010) /* control, LOAD, what is left */
#define ICSR    (*(volatile uint32_t *)0xe000ed04)
#define AIRCR   (*(volatile uint32_t *)0xe000ed0c)
#define UART    ((volatile uint32_t *)0x40004000) /* data, state, control, -, divisor */
#define PENDING (1u << 26) /* of ICSR: SysTick has ended, and its interrupt waits */
#define FORGET  (1u << 25)
#define RESET   0x05fa0004u
#define TOP     0xffffffu
#define LEAST   64u /* counts that can be armed, and more than pass in look() */
#define LOST    8u  /* counts from the reading in timer_arm() to the beginning there: nine instructions of 32 ns */

void timer_interrupt(uintptr_t pc);
void systick_interrupt(uintptr_t pc);

static uint64_t end; /* when what is armed has passed: by the clock */
static bool armed;   /* by timer_arm(), and not by its own end */

/* What is left, and whether that is of the turn behind `end`.  Interrupts are off. */
static inline uint32_t look(bool *ended)
{
    uint32_t left;

    do {
        left = SYSTICK[2];
        *ended = ICSR & PENDING;
    } while (*ended && left < LEAST); /* it ended between both */
    return left;
}

uint64_t clock_read(void)
{
    const uintptr_t was = interrupts_off();
    bool ended;
    const uint32_t left = look(&ended);
    const uint64_t now = end + (ended ? TOP + 1 : 0) - left;

    interrupts_restore(was);
    return now;
}

void timer_arm(uint32_t counts)
{
    const uintptr_t was = interrupts_off();
    const uint32_t load = counts > LEAST ? counts : LEAST;
    bool ended;
    const uint32_t left = look(&ended);

    SYSTICK[1] = load - 1;
    SYSTICK[2] = 0; /* the next count begins from LOAD */
    end = end + (ended ? TOP + 1 : 0) - left + LOST + load;
    while (SYSTICK[2] == 0)
        continue;
    SYSTICK[1] = TOP;
    ICSR = FORGET;
    armed = true;
    interrupts_restore(was);
}

/* From the stub, interrupts of its own kind are off; and those that a task can switch off are never above it. */
void systick_interrupt(uintptr_t pc)
{
    while (SYSTICK[2] == 0)
        continue;
    end += TOP + 1;
    if (armed) {
        armed = false;
        timer_interrupt(pc);
    }
}

void machine_begin(uint32_t period, bool nmi)
{
    (void)period, (void)nmi; /* one-shots, and there is no NMI */
    UART[4] = 16;
    UART[2] = 3;
    SYSTICK[1] = TOP;
    SYSTICK[2] = 0;
    SYSTICK[0] = 7; /* the processor's clock, an interrupt, on */
    end = TOP + 1;
}

void timer_end(void)
{
    /* the processor did */
}

void uart_put(char c)
{
    while (UART[1] & 1)
        continue;
    UART[0] = (uint8_t)c;
}

int uart_get(void)
{
    return UART[1] & 2 ? (int)UART[0] : -1;
}

/* WFI ends for what is pending though interrupts are off. */
void halt(void)
{
    __asm__ volatile("wfi; cpsie i; isb" : : : "memory");
}

uintptr_t interrupts_off(void)
{
    uint32_t masked;

    __asm__ volatile("mrs %0, primask; cpsid i" : "=r"(masked) : : "memory");
    return masked ^ INTERRUPTS_ON;
}

void interrupts_restore(uintptr_t was)
{
    if (was & INTERRUPTS_ON)
        __asm__ volatile("cpsie i; isb" : : : "memory");
}

/* A reset, which ends QEMU with -no-reboot. */
_Noreturn void power_off(void)
{
    AIRCR = RESET;
    for (;;)
        continue;
}
