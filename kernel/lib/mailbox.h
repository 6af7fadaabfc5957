/* SPDX-License-Identifier: MIT */
/* A mailbox of one word, by which two tasks pass messages (tasks=messages).  Interrupts off. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Put a word; false, and nothing changed, while the one before has not been taken. */
bool mailbox_put(uint64_t word);

/* Take the word; false where there is none. */
bool mailbox_take(uint64_t *word);
