/* SPDX-License-Identifier: MIT */
/*
 * The software monitors of monitor= that do not look at ticks: each counts by windows, from zero in
 * each epoch, and has a file of its own in this room.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct software_monitor {
    uint64_t word; /* its bit of enum config_monitor */
    /* A window begins at the TSC `now`: count from zero.  end(): stop, where it is on.  Interrupts off. */
    void (*begin)(uint64_t now);
    void (*end)(void);
    /* Keep the counters as they are at the TSC `now`, for the reports.  Interrupts off, or the tick that closes a window. */
    void (*close)(uint64_t now);
};

/* Whether this one, a bit of enum config_monitor, counts in the window.  Task PROBE. */
bool software_monitors_has(uint64_t word);

/* Have windows switch them on and off.  Once, before the first window. */
void software_monitors_init(void);

/*
 * Before a closed window is reported: where ticks are NMIs nobody could close the counters with it, and
 * they are closed now.  Task PROBE.
 */
void software_monitors_settle(void);
