/* SPDX-License-Identifier: MIT */
/*
 * Read before the one-shot sources in build/struck.elf: an NMI that nobody asked for comes after
 * each third arming, before the clock is read from which the next tick's lateness is computed;
 * an SMI there would do the same.  Read before one_shot.c in build/disturbed.elf: one comes in
 * each third wait for a one-shot that is measured in running code.
 */
#pragma once

#include "drivers/lapic.h"
#include "drivers/pit.h"
#include "kernel/cpu/cpu.h"
#include "tests/qemu/own_nmi.h"

#define STRUCK_EACH 3u

static inline void struck(void)
{
    static uint32_t armings;

    if (armings++ % STRUCK_EACH == 0)
        own_nmi_ask();
}

static inline void struck_wait(void)
{
    static uint32_t waits;

    if (waits++ % STRUCK_EACH == 0)
        own_nmi_ask();
}

#define cpu_interrupts_on()    (cpu_interrupts_on(), struck_wait())
#define pit_arm(count)         (pit_arm(count), struck())
#define lapic_timer_arm(count) (lapic_timer_arm(count), struck())
