/* SPDX-License-Identifier: MIT */
/*
 * The profiles that tasks kept (record PROFIL), each as its newest snapshot has it.  The counters are the task's:
 * nothing here says that they are possible.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"
#include "tools/records/violations.h"

#define PROFIL_TASKS 4096 /* no image has more tasks */

struct profil_record {
    struct wire_profil head;      /* of the newest snapshot; `part`: that of its last frame */
    struct wire_profil_row *row;  /* of that snapshot, ascending */
    size_t rows;
    uint64_t missing;             /* frames of that snapshot which did not arrive */
};

struct profil_records {
    struct profil_record *of; /* no two of one task */
    size_t count;
    struct index of_number;
};

/*
 * Take a frame.  A violation is noted where it contradicts itself or the one before.
 * Returns the bytes that were taken.
 */
size_t profil_records_add(struct profil_records *p, const struct wire_profil *head, struct wire_reader *rows,
                          struct violations **v);

/* Of the first task with this row id; NULL: there is none. */
const struct profil_record *profil_record_of(const struct profil_records *p, uint32_t id);

void profil_records_free(struct profil_records *p);
