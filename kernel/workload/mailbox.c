/* SPDX-License-Identifier: MIT */
/* The mailbox of tasks=messages. */
#include "kernel/workload/mailbox.h"

static uint64_t held; /* interrupts off */
static bool full;     /* interrupts off */

bool mailbox_put(uint64_t word)
{
    if (full)
        return false;
    held = word;
    full = true;
    return true;
}

bool mailbox_take(uint64_t *word)
{
    if (!full)
        return false;
    *word = held;
    full = false;
    return true;
}
