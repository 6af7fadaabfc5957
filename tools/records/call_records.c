/* SPDX-License-Identifier: MIT */
/* Counters are cumulative: the newest row of a function replaces the one before. */
#include "tools/records/call_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

/* NULL: there are too many. */
static struct call_record *record_of(struct call_records *c, const struct wire_calls *head, size_t *taken)
{
    const uint64_t words[] = {head->id, head->number}, key = index_key(words, sizeof(words));
    const size_t found = index_find(&c->of_task, key);

    if (found != INDEX_NONE || c->count == CALL_TASKS)
        return found != INDEX_NONE ? &c->of[found] : NULL;
    index_put(&c->of_task, key, c->count);
    GROW(c->of, c->count);
    c->of[c->count] = (struct call_record){.head = *head};
    *taken += sizeof(*c->of) + INDEX_BYTES;
    return &c->of[c->count++];
}

static void put_row(struct call_record *r, const struct wire_calls_row *row, size_t *taken)
{
    size_t at = index_find(&r->of_function, row->function);

    if (at == INDEX_NONE && r->rows == CALL_FUNCTIONS) {
        r->left_out++;
        return;
    }
    if (at == INDEX_NONE) {
        GROW(r->row, r->rows);
        at = r->rows++;
        index_put(&r->of_function, row->function, at);
        *taken += sizeof(*r->row) + INDEX_BYTES;
    }
    r->row[at] = *row;
}

size_t call_records_add(struct call_records *c, const struct wire_calls *head, struct wire_reader *rows,
                        struct violations **v)
{
    size_t taken = 0;
    struct call_record *const r = record_of(c, head, &taken);
    struct wire_calls_row row;

    if (!r || head->id > UINT32_MAX)
        violation_note(v, VIOLATION_VALUE, "CALLS of row #%" PRIx64, head->id);
    if (!r)
        return 0;
    r->head = *head;
    while (wire_read_row(rows, &row))
        put_row(r, &row, &taken);
    return taken;
}

const struct call_record *call_record_of(const struct call_records *c, uint32_t id)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->of[i].head.id == id)
            return &c->of[i];
    return NULL;
}

void call_records_free(struct call_records *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->of[i].row);
        index_free(&c->of[i].of_function);
    }
    free(c->of);
    index_free(&c->of_task);
    *c = (struct call_records){0};
}
