/* SPDX-License-Identifier: MIT */
/* What the kernel of this folder needs of a processor and its board; one file a machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Where an emulator counts instructions: all tasks together, before everything else. */
#define TASK __attribute__((noinline, section(".text.tasks")))

#ifdef __riscv
#include "tests/port/riscv.h"
#elif defined __arm__
#include "tests/port/cortexm.h"
#else
#include "tests/port/x86.h"
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
