/* SPDX-License-Identifier: MIT */
/* Declares what the mutate_*.c of streams share: lists of frames, and draws of one generator. */
#pragma once

#include "probe/stream/wire.h"
#include "probe/stream/wire_fields.h"
#include "tests/fuzz/frames.h"

#define FUZZ_ITEMS_MOST  8192
#define FUZZ_FIELDS_MOST 2048
#define FUZZ_ROOM        (512 << 10)

struct fuzz_list {
    struct fuzz_item item[FUZZ_ITEMS_MOST];
    size_t count;
};

/* What has no room is left out. */
struct fuzz_output {
    uint8_t *bytes;
    size_t length, most;
};

/* Where a field's bytes stand in its frame; of a text without its length. */
struct fuzz_place {
    size_t start, length, at; /* `start`: of the number, or of the text's length */
    bool text;
};

uint32_t fuzz_draw(uint32_t below);
uint64_t fuzz_some_number(uint64_t before, uint64_t other);
void fuzz_put(struct fuzz_output *out, const void *bytes, size_t length);
void fuzz_put_number(struct fuzz_output *out, uint64_t n);

/* The bytes that the number takes, 0 where there is none. */
size_t fuzz_number_at(const uint8_t *at, const uint8_t *end, uint64_t *n);

/* The fields of a frame, as far as they can be read: at most FUZZ_FIELDS_MOST; their number. */
size_t fuzz_find_fields(const struct fuzz_item *item, struct fuzz_place *p);

/* The field at this place in a frame of the record: of its head, or of a row; NULL: it has no such one. */
static inline const struct wire_field *fuzz_field(const struct wire_record *r, size_t i)
{
    return i < r->heads ? &r->head[i] : r->rows ? &r->row[(i - r->heads) % r->rows] : NULL;
}

/* tests/fuzz/mutate_records.c: `arena` keeps the bytes of the frames that are made. */
void fuzz_insert_records(struct fuzz_list *l, struct fuzz_output *arena);
void fuzz_insert_items(struct fuzz_list *l, struct fuzz_output *arena);
void fuzz_move_times(struct fuzz_list *l, struct fuzz_output *arena);

/* tests/fuzz/mutate_events.c: frames of events, or of classes of states, from `time` on, of six tasks; how many. */
size_t fuzz_make_items(uint64_t epoch, uint64_t time, const uint64_t *id, struct fuzz_item *item, size_t most,
                       struct fuzz_output *arena);
