/* SPDX-License-Identifier: MIT */
/* Time in the kernel by call stack (record CALL_STACKS), as the newest frames of each stack have it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "probe/core/call_stacks.h"
#include "probe/stream/wire.h"
#include "tools/records/violations.h"

#define STACK_RECORDS_MAX (2 * CALL_STACKS) /* an image has two tables */

struct stack_record {
    struct call_stack_key key;
    struct wire_call_stacks_row row; /* without its addresses */
};

struct stack_records {
    struct wire_call_stacks head; /* the newest; serial 0: none arrived */
    struct stack_record *of;      /* no two of one stack */
    size_t count;
};

/*
 * Take a frame.  A violation is noted where it contradicts itself or the one before, or has more stacks than an
 * image does.  Returns the bytes that were taken.
 */
size_t stack_records_add(struct stack_records *s, const struct wire_call_stacks *head, struct wire_reader *rows,
                         struct violations **v);

void stack_records_free(struct stack_records *s);
