/* SPDX-License-Identifier: MIT */
/* monitor=idle: the counters CNT1 and CNT2 of Thurner's Figure 5, by windows. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/monitor/software_monitors.h"

/*
 * The counter across HLT has two users, this monitor and procstat with nohz=on: each switches it on, from zero, or
 * off for itself, both at the beginning of a window.  Interrupts off.
 */
void idle_counters_use(uint64_t word, bool on);
