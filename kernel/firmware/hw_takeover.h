/* SPDX-License-Identifier: MIT */
/* Taking the machine over from firmware or a loader. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/pci.h"

/*
 * Disable every interrupt source, then initialise the 8259 and the local APIC so that the PIT's
 * IRQ 0 reaches the CPU once it is unmasked.  Once, interrupts off, IDT loaded.
 */
void hw_takeover(void);

/*
 * What firmware, or the system before, left at work and what could write into memory that is ours now: bus masters of
 * storage and network controllers, other processors.
 */

struct hw_quiesced {
    struct pci_masters masters; /* that were switched off */
    bool others_stopped;        /* INIT was sent to all other processors */
};

/* Stop all of it.  Once, interrupts off, before a page of memory is taken. */
void hw_quiesce(void);

/* What was stopped.  After hw_quiesce(), any context. */
const struct hw_quiesced *hw_quiesced(void);

/*
 * The chipset's watchdog that firmware or the system before has started (drivers/ich9.h): it would reset the
 * machine in mid-run.
 */

enum watchdog {
    WATCHDOG_NONE,    /* there is none that is known, or it does not run, or it does not reset the machine */
    WATCHDOG_RUNS,
    WATCHDOG_STOPPED,
    WATCHDOG_LOCKED,  /* it was to be stopped, and it cannot be */
};

/*
 * Look whether it runs, which takes up to 0.7 s where it is not halted, and stop it if it does and `stop` says so.
 * `clock_hz`: rate of the TSC.  `seconds`, of one that goes on: until the reset, at the least and rounded down.  Task
 * context, interrupts off.
 */
enum watchdog watchdog_look(uint64_t clock_hz, bool stop, uint32_t *seconds);
