/* SPDX-License-Identifier: MIT */
/* The counters of a known rate that a machine may have beside the 8254, and readings of them with the TSC. */
#pragma once

#include <stdint.h>

#include "probe/survey/clock_track.h"

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
