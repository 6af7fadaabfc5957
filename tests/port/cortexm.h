/* SPDX-License-Identifier: MIT */
/* Tells kernel.c of timer and clock of QEMU's board mps2-an385. */
#pragma once

#define MACHINE        "port-cortexm"
#define TIMER          "systick"
#define TIMER_HZ       25000000u
#define TIMER_MAX      0xffffffu
#define CLOCK_HZ       25000000u /* the timer is the clock */
#define OWN_CLOCK_HZ   CLOCK_HZ
#define INTERRUPTS_ON  1u /* PRIMASK is 0 */
