/* SPDX-License-Identifier: MIT */
/* monitor=idle: the counters CNT1 and CNT2 of Thurner's Figure 5, by windows. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/idle.h"

/* As they were closed: CNT1 is counters.time, CNT2 is end - begin; all cumulative since the window began. */
struct idle_window {
    uint64_t begin, end; /* TSC */
    struct idle_counters counters;
};

/*
 * The counter across HLT has two users, this monitor and procstat with nohz=on: each switches it on, from zero, or
 * off for itself, both at the beginning of a window.  Interrupts off.
 */
void idle_counters_use(uint64_t word, bool on);

/* The last one.  Task PROBE. */
const struct idle_window *idle_counters_closed(void);
