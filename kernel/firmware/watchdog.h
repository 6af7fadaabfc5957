/* SPDX-License-Identifier: MIT */
/*
 * The chipset's watchdog that firmware or the system before has started (drivers/tco.h): it would reset the
 * machine in mid-run.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
