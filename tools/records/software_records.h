/* SPDX-License-Identifier: MIT */
/* The records of the software monitors of an epoch, in the order of their arrival. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"
#include "tools/records/violations.h"

/* A vector of monitor=intercept, by the last record that has it. */
struct intercept_vector {
    struct wire_intercept_row row; /* without its name */
    char name[16];
};

/* A task at one moment, as monitor=acct told it. */
struct acct_entry {
    uint64_t serial, time; /* of the snapshot, and when the rows were closed */
    struct wire_acct_row row;
};

/* The time of tasks after user events of one number, at one moment. */
struct range_entry {
    uint64_t serial, time; /* of the snapshot, and when it was read */
    struct wire_ranges_row row;
};

struct software_records {
    struct wire_idle *idle; /* each no earlier than the one before; those that contradict it are dropped */
    struct wire_disk *disk; /* likewise */
    struct wire_intercept intercept; /* the last head; serial 0: none arrived */
    struct intercept_vector *vector;
    struct acct_entry *acct; /* by time; of one moment all that arrived */
    struct index acct_of;    /* by task: its last entry */
    uint64_t acct_lost;      /* records of ended tasks that found no room, by the last head */
    struct range_entry *range; /* by time; no counter is less than one before */
    size_t *range_last;        /* by event: the number of its last entry, from 1; 0: none.  NULL: no range at all */
    size_t idle_count, disk_count, vector_count, acct_count, range_count;
};

/* Keep a record.  A violation is noted where it contradicts itself or the one before.  Returns the bytes that were taken. */
size_t software_add_idle(struct software_records *s, const struct wire_idle *from, struct violations **v);
size_t software_add_intercept(struct software_records *s, const struct wire_intercept *head, struct wire_reader *rows,
                              struct violations **v);
size_t software_add_acct(struct software_records *s, const struct wire_acct *head, struct wire_reader *rows,
                         struct violations **v);
size_t software_add_ranges(struct software_records *s, const struct wire_ranges *head, struct wire_reader *rows,
                           struct violations **v);
size_t software_add_disk(struct software_records *s, const struct wire_disk *from, struct violations **v);

void software_records_free(struct software_records *s);
