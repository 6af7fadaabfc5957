/* SPDX-License-Identifier: MIT */
/*
 * The software monitors of monitor= beside those of the probe: each counts by windows, from zero in
 * each epoch, and has a file of its own in this room.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/mode.h"

struct software_monitor {
    uint64_t word; /* its bit of enum config_monitor */
    /* A window begins at the TSC `now`: count from zero.  end(): stop, where it is on.  Interrupts off. */
    void (*begin)(uint64_t now);
    void (*end)(void);
    /* Keep the counters as they are at the TSC `now`, for the reports.  Interrupts off, or the tick that closes a window. */
    void (*close)(uint64_t now);
    /* MONITOR_WATCHED: look at a sample of the first source, late or not.  Interrupt context, or NMI.  NULL: it does not. */
    void (*sample)(const struct sample *s, enum delay delay);
};

/*
 * All of them: M(name) is monitor_NAME of this room, and report_NAME of kernel/report/, which sends or prints what was
 * counted.  Windows call them, and their reports come, in this order.
 */
#define SOFTWARE_MONITORS(M) \
    M(idle) M(intercept) M(callers) M(idle_task) M(perf_call) M(process_table) M(profil) M(account_log) M(procstat) M(user_stacks)

#define MONITOR_DECLARE(name) extern const struct software_monitor monitor_##name;
SOFTWARE_MONITORS(MONITOR_DECLARE)
#undef MONITOR_DECLARE

/* Whether this one, a bit of enum config_monitor, counts in the window.  Task PROBE. */
bool software_monitors_has(uint64_t word);

/* Have samples handed to those that look at them.  Once, before the first tick: those that measure its handler go the same way. */
void software_monitors_take_samples(void);

/* Have windows switch them on and off.  Once, before the first window. */
void software_monitors_init(void);

/*
 * Before a closed window is reported: where ticks are NMIs nobody could close the counters with it, and
 * they are closed now.  Task PROBE.
 */
void software_monitors_settle(void);
