/* SPDX-License-Identifier: MIT */
/*
 * Read before the one-shot sources in build/struck.elf: behind one arming in so many an
 * NMI that nobody asked for comes, before the clock is read from which the next tick's
 * lateness is told.  An SMI there would do the same.
 */
#ifndef TESTS_QEMU_STRUCK_H
#define TESTS_QEMU_STRUCK_H

#include "drivers/lapic.h"
#include "drivers/pit.h"
#include "tests/qemu/own_nmi.h"

#define STRUCK_EACH 3u

static inline void struck(void)
{
    static uint32_t armings;

    if (armings++ % STRUCK_EACH == 0)
        own_nmi_ask();
}

#define pit_arm(count)         (pit_arm(count), struck())
#define lapic_timer_arm(count) (lapic_timer_arm(count), struck())

#endif
