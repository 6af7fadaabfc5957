/* SPDX-License-Identifier: MIT */
/* Tells kernel.c of timer and clock of a PC. */
#pragma once

#define MACHINE        sizeof(void *) == 8 ? "port-x86_64" : "port-i386"
#define TIMER          "pit"
#define TIMER_HZ       1193182u
#define TIMER_MAX      0xffffu
#define CLOCK_HZ       0u /* measured */
#define OWN_CLOCK_HZ   1000000000u /* what QEMU's TSC counts */
#define INTERRUPTS_ON  0x200u /* IF of EFLAGS */
