/* SPDX-License-Identifier: MIT */
/* ACPI's power management timer: a counter of 3.579545 MHz.  ACPI specification 6.5, 4.8.2.1. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PM_TIMER_HZ 3579545u

struct pm_timer {
    uint64_t address; /* a port, or where the register is mapped */
    bool is_port;
    uint8_t bits;     /* 24 or 32 */
};

/*
 * Read its counter.  Some chips return a wrong number while it changes: it is read until three in a row are
 * in order, a few times at most.  Any context.
 */
uint32_t pm_timer_read(const struct pm_timer *t);
