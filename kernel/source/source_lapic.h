/* SPDX-License-Identifier: MIT */
/* The part of the local APIC's tick source (kernel/source/source.h) that calibration uses where there is no 8254. */
#pragma once

#include "kernel/sched/timer.h"
#include "kernel/measure/one_shot.h"

/*
 * Its one-shots, for measurements, by the rate of its timer; it is open from here on until source_lapic.stop().  The
 * start, interrupts off.
 */
struct one_shot_timer source_lapic_shots(const struct timer_rate *rate);
