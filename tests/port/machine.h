/* SPDX-License-Identifier: MIT */
/* What the kernel of this folder needs of a processor and its board; one file a machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where an emulator counts instructions: all tasks together, before everything else. */
#define TASK __attribute__((noinline, section(".text.tasks")))

#ifdef __riscv
#define MACHINE        "port-riscv64"
#define TIMER          "clint"
#define TIMER_HZ       10000000u
#define TIMER_MAX      0x40000000u
#define CLOCK_HZ       10000000u /* the timer is the clock */
#define OWN_CLOCK_HZ   CLOCK_HZ
#define INTERRUPTS_ON  8u /* MIE of mstatus */
#else
#define MACHINE        sizeof(void *) == 8 ? "port-x86_64" : "port-i386"
#define TIMER          "pit"
#define TIMER_HZ       1193182u
#define TIMER_MAX      0xffffu
#define CLOCK_HZ       0u /* measured */
#define OWN_CLOCK_HZ   1000000000u /* what QEMU's TSC counts */
#define INTERRUPTS_ON  0x200u /* IF of EFLAGS */
#endif

void machine_begin(uint32_t period, bool nmi); /* 0: one-shots; else a tick each so many counts */
void timer_arm(uint32_t counts);
void timer_end(void); /* of its interrupt */
uint64_t clock_read(void);
void uart_put(char c);
int uart_get(void); /* -1: nothing came */
void halt(void);
uintptr_t interrupts_off(void);
void interrupts_restore(uintptr_t was);
_Noreturn void power_off(void);
