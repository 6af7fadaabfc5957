/* SPDX-License-Identifier: MIT */
/* Tells kernel.c of timer and clock of QEMU's board virt. */
#pragma once

#define MACHINE        "port-riscv64"
#define TIMER          "clint"
#define TIMER_HZ       10000000u
#define TIMER_MAX      0x40000000u
#define CLOCK_HZ       10000000u /* the timer is the clock */
#define OWN_CLOCK_HZ   CLOCK_HZ
#define INTERRUPTS_ON  8u /* MIE of mstatus */
