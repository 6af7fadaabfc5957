/* SPDX-License-Identifier: MIT */
/* A mailbox of one word, by which two tasks pass messages (tasks=messages).  Interrupts off. */
#ifndef KERNEL_WORKLOAD_MAILBOX_H
#define KERNEL_WORKLOAD_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

/* Put a word; false, and nothing changed, while the one before has not been taken. */
bool mailbox_put(uint64_t word);

/* Take the word; false where there is none. */
bool mailbox_take(uint64_t *word);

#endif
