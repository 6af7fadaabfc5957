/* SPDX-License-Identifier: MIT */
/* Keeps the addresses at which tasks had, for a part of the run, other code than their files have (record CODE). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"
#include "tools/records/violations.h"

#define CODE_ROWS   4096 /* row ids: no image has more tasks */
#define CODE_RANGES 1024 /* kept of each; more of them count as one that has all between */

struct changed_code {
    struct code_of_row {
        struct code_range { uint64_t from, to; } *range; /* [from, to) */
        size_t ranges;
    } *of;
    size_t count;
    struct index of_id; /* by row id */
};

/* Take a record.  A violation is noted where it is impossible.  Returns the bytes of memory that were taken. */
size_t changed_code_add(struct changed_code *c, const struct wire_code *head, struct violations **v);

/* Whether tasks of the row had other code at this address for a part of the run. */
bool changed_code_at(const struct changed_code *c, uint32_t id, uint64_t address);

void changed_code_free(struct changed_code *c);
