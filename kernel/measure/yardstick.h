/* SPDX-License-Identifier: MIT */
/*
 * The clocks whose rate is known by themselves, by which the TSC is measured: the first that works of 8254, HPET,
 * ACPI's power management timer, CPUID 15h and RTC is the yardstick.  The others tell how far they are from it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/survey/clock_track.h"
#include "probe/text/text_buf.h"

enum yardstick { YARDSTICK_PIT, YARDSTICK_HPET, YARDSTICK_PM_TIMER, YARDSTICK_CPUID, YARDSTICK_RTC, YARDSTICKS };

/*
 * Measure the TSC by each of them but the 8254, over 41 ms together; by the RTC, in another 41 ms, only where no
 * other works.  Each wait is bounded by readings of the device.  Later calls do nothing.
 * Before the probe runs, interrupts off.
 */
void yardstick_measure(void);

/* Tell what the 8254's one-shots say: TSC clocks a second.  Not called where there is no 8254 that counts. */
void yardstick_set_pit(uint64_t hz);

/* TSC clocks a second by the yardstick; 0: no clock works.  After both above; any context, as the next. */
uint64_t yardstick_hz(void);
enum yardstick yardstick(void);

/* TSC clocks a second by one of them; 0: it does not work, or was not measured. */
uint64_t yardstick_of(enum yardstick which);

/* By how many millionths that rate may be wrong, if the clock itself is right.  Any context. */
uint32_t yardstick_error_ppm(enum yardstick which);

/* Its name: "the 8254". */
const char *yardstick_name(enum yardstick which);

/* Which it is, and by how many ppm each other one differs: for the machine report. */
void yardstick_put(struct text_buf *b);

/* Warn where two differ by more than two crystals may.  Task context. */
void yardstick_warn(void);

/* The counters of a known rate that a machine may have beside the 8254, and readings of them with the TSC. */

struct clock_counter {
    uint64_t (*read)(void);
    uint64_t modulus;  /* a power of two */
    uint64_t hz_milli; /* 0: it is not there */
};

struct clock_counter clock_counter_hpet(void); /* its lower half */
struct clock_counter clock_counter_pm_timer(void);

/* Read a counter between two readings of the TSC; and the narrowest of a few times, since an SMI may come between. */
struct clock_reading clock_read_once(uint64_t (*read)(void));
struct clock_reading clock_read(uint64_t (*read)(void));
