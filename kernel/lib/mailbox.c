/* SPDX-License-Identifier: MIT */
/* A mailbox of one word, by which the tasks of tasks=messages talk. */
#include "kernel/lib/mailbox.h"

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
