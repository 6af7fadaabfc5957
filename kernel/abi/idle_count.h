/* SPDX-License-Identifier: MIT */
/*
 * What a task that counts at idle priority keeps in its own memory, for monitor=idletask to read
 * (SYS_IDLE_COUNT): how far it got, and how far it gets where nothing else runs.
 */
#pragma once

#include <stdint.h>

struct idle_count {
    volatile uint64_t count;
    uint64_t calibrated, took; /* it counted so far in so many clock units, at time-critical priority */
};
