/* SPDX-License-Identifier: MIT */
/* Counters are cumulative: the newest row of a stack replaces the one before. */
#include "tools/records/call_stack_records.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

#define PC_BYTES sizeof(uint64_t)

/* False where the row has no such list of addresses. */
static bool read_key(struct call_stack_key *key, const struct wire_call_stacks_row *row)
{
    const size_t depth = row->pcs.length / PC_BYTES;

    memset(key, 0, sizeof(*key));
    if (row->pcs.length % PC_BYTES || !depth || depth > CALL_STACK_DEPTH || row->id > UINT32_MAX ||
        (row->mode != MODE_SUPERVISOR && row->mode != MODE_KERNEL))
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
    for (size_t i = 0; i < s->count; i++)
        if (!memcmp(&s->of[i].key, key, sizeof(*key)))
            return &s->of[i];
    if (s->count == STACK_RECORDS_MAX)
        return NULL;
    GROW(s->of, s->count);
    s->of[s->count] = (struct stack_record){.key = *key};
    return &s->of[s->count++];
}

static bool is_possible(const struct wire_call_stacks_row *row, const struct wire_call_stacks *head)
{
    const uint64_t window = head->end - head->begin;

    return row->unmasked <= window && row->masked <= window && row->time <= window;
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

    if (!head->serial || head->begin > head->end || head->serial < s->head.serial || head->end < s->head.end) {
        violation_note(v, VIOLATION_BACKWARD, "CALL_STACKS of snapshot %" PRIu64, head->serial);
        return 0;
    }
    s->head = *head;
    while (wire_read_row(rows, &row))
        add_row(s, head, &row, v);
    return (s->count - before) * sizeof(*s->of);
}

void stack_records_free(struct stack_records *s)
{
    free(s->of);
    *s = (struct stack_records){.count = 0};
}
