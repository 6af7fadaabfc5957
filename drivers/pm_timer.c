/* SPDX-License-Identifier: MIT */
/*
 * ACPI's power management timer.  ACPI specification 6.5, 4.8.2.1; chips that do not latch it are told of in Intel's
 * PIIX4 specification update.
 */
#include "drivers/pm_timer.h"

#include "drivers/io.h"

#define TRIES 8
#define NEAR  0x1000u /* counts that readings in a row may lie apart: 1 ms */

static uint32_t read_once(const struct pm_timer *t)
{
    const uint32_t value = t->is_port ? inl((uint16_t)t->address) : mmio_read32(t->address);

    return t->bits == 32 ? value : value & 0xffffff;
}

static uint32_t apart(const struct pm_timer *t, uint32_t first, uint32_t then)
{
    return t->bits == 32 ? then - first : (then - first) & 0xffffff;
}

uint32_t pm_timer_read(const struct pm_timer *t)
{
    uint32_t first, middle, last;

    for (int i = 0; i < TRIES; i++) {
        first = read_once(t);
        middle = read_once(t);
        last = read_once(t);
        if (apart(t, first, middle) < NEAR && apart(t, middle, last) < NEAR)
            break;
    }
    return middle;
}
