/* SPDX-License-Identifier: MIT */
/* Counters are cumulative: the newest row of a stack replaces the one before. */
#include "tools/records/call_stack_records.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/records/record_roles.h"

#define PC_BYTES sizeof(uint64_t)

/* False where the row has no such list of addresses. */
static bool read_key(struct call_stack_key *key, const struct wire_call_stacks_row *row)
{
    const size_t depth = row->pcs.length / PC_BYTES;

    memset(key, 0, sizeof(*key));
    if (row->pcs.length % PC_BYTES || !depth || depth > CALL_STACK_DEPTH || row->id > UINT32_MAX ||
        row->mode > MODE_KERNEL)
        return false;
    key->task = (uint32_t)row->id;
    key->mode = (uint16_t)row->mode;
    key->depth = (uint16_t)depth;
    for (size_t i = 0; i < row->pcs.length; i++)
        key->pc[i / PC_BYTES] |= (uint64_t)(uint8_t)row->pcs.bytes[i] << 8 * (i % PC_BYTES);
    return true;
}

/* NULL: there are too many. */
static struct stack_record *record_of(struct stack_records *s, const struct call_stack_key *key)
{
    const uint64_t hash = index_key(key, sizeof(*key));
    const size_t found = index_find(&s->of_key, hash);

    if (found != INDEX_NONE)
        return &s->of[found];
    if (s->count == STACK_RECORDS_MAX)
        return NULL;
    index_put(&s->of_key, hash, s->count);
    GROW(s->of, s->count);
    s->of[s->count] = (struct stack_record){.key = *key};
    return &s->of[s->count++];
}

static bool is_possible(const struct wire_call_stacks_row *row, const struct wire_call_stacks *head)
{
    const uint64_t window = head->end - head->begin;

    return row->unmasked <= window && row->masked <= window && row->time <= window &&
           (row->mode != MODE_USER || !(row->calls | row->ticks | row->time | row->unmasked | row->masked));
}

static bool goes_on(const struct wire_call_stacks_row *row, const struct wire_call_stacks_row *before)
{
    return row->samples >= before->samples && row->calls >= before->calls && row->ticks >= before->ticks &&
           row->time >= before->time && row->unmasked >= before->unmasked && row->masked >= before->masked;
}

static void add_row(struct stack_records *s, const struct wire_call_stacks *head, struct wire_call_stacks_row *row,
                    struct violations **v)
{
    struct call_stack_key key;
    struct stack_record *to = NULL;

    if (read_key(&key, row) && is_possible(row, head))
        to = record_of(s, &key);
    row->pcs = (struct wire_text){NULL, 0};
    if (!to)
        violation_note(v, VIOLATION_VALUE, "CALL_STACKS of row #%" PRIx64, row->id);
    else if (!goes_on(row, &to->row))
        violation_note(v, VIOLATION_BACKWARD, "CALL_STACKS of row #%" PRIx64, row->id);
    else
        to->row = *row;
}

size_t stack_records_add(struct stack_records *s, const struct wire_call_stacks *head, struct wire_reader *rows,
                         struct violations **v)
{
    const size_t before = s->count;
    struct wire_call_stacks_row row;

    if (!head->serial || head->begin > head->end ||
        (s->head.serial && !head_follows(WIRE_CALL_STACKS, head, &s->head))) {
        violation_note(v, VIOLATION_BACKWARD, "CALL_STACKS of snapshot %" PRIu64, head->serial);
        return 0;
    }
    s->head = *head;
    while (wire_read_row(rows, &row))
        add_row(s, head, &row, v);
    return (s->count - before) * sizeof(*s->of);
}

bool stack_records_has_calls(const struct stack_records *s)
{
    if (!s->walks.serial)
        return s->head.serial;
    for (size_t i = 0; i < s->count; i++)
        if (s->of[i].key.mode != MODE_USER)
            return true;
    return s->head.outside || s->head.lost || s->head.lost_returns;
}

static bool is_possible_walks(const struct wire_stack_walks *w)
{
    return w->callers && w->callers < CALL_STACK_DEPTH && w->lost <= w->whole + w->cut + w->broken + w->absent;
}

void stack_records_add_walks(struct stack_records *s, const struct wire_stack_walks *from, struct violations **v)
{
    const struct wire_stack_walks *const before = &s->walks;

    if (!is_possible_walks(from))
        violation_note(v, VIOLATION_VALUE, "STACK_WALKS of snapshot %" PRIu64, from->serial);
    else if (!head_follows(WIRE_STACK_WALKS, from, before))
        violation_note(v, VIOLATION_BACKWARD, "STACK_WALKS of snapshot %" PRIu64, from->serial);
    else
        s->walks = *from;
}

const char *stack_walks_text(const struct wire_stack_walks *w)
{
    static char text[200]; /* five numbers of 20 digits */

    snprintf(text, sizeof(text), "%" PRIu64 " whole, %" PRIu64 " cut, %" PRIu64 " broken, %" PRIu64
                                 " absent; %" PRIu64 " lost", w->whole, w->cut, w->broken, w->absent, w->lost);
    return text;
}

void stack_records_free(struct stack_records *s)
{
    index_free(&s->of_key);
    free(s->of);
    *s = (struct stack_records){.count = 0};
}
