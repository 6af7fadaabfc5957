/* SPDX-License-Identifier: MIT */
/*
 * Samples and times by call stack (records CALL_STACKS and STACK_WALKS), as the newest frames of each stack have it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/call_stacks.h"
#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"
#include "tools/records/violations.h"

#define STACK_RECORDS_MAX (2 * CALL_STACKS_MOST) /* an image has a table of this size and two smaller ones */

struct stack_record {
    struct call_stack_key key;
    struct wire_call_stacks_row row; /* without its addresses */
};

struct stack_records {
    struct wire_call_stacks head; /* the newest; serial 0: none arrived */
    struct stack_record *of;      /* no two of one stack */
    size_t count;
    struct index of_key;
    struct wire_stack_walks walks; /* the newest; serial 0: none arrived */
};

/*
 * Take a frame.  A violation is noted where it contradicts itself or the one before, or has more stacks than an
 * image does.  Returns the bytes that were taken.
 */
size_t stack_records_add(struct stack_records *s, const struct wire_call_stacks *head, struct wire_reader *rows,
                         struct violations **v);

/* The same for STACK_WALKS, which takes no memory. */
void stack_records_add_walks(struct stack_records *s, const struct wire_stack_walks *from, struct violations **v);

/* How samples found their callers, in words: "12 whole, 1 cut, ..."; valid until the next call.  Host. */
const char *stack_walks_text(const struct wire_stack_walks *w);

/* Walks that did not reach the outermost caller, and stacks that found no record. */
static inline bool stack_walks_any_lost(const struct wire_stack_walks *w)
{
    return w->cut || w->broken || w->absent || w->lost;
}

/* Whether calls and services were counted (monitor=callers), and not only stacks of user mode (stack=). */
bool stack_records_has_calls(const struct stack_records *s);

void stack_records_free(struct stack_records *s);
