/* SPDX-License-Identifier: MIT */
/* A profile comes in frames of one snapshot; the next snapshot replaces it. */
#include "tools/records/profil_records.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tools/base/alloc.h"

#define COUNTER_BYTES sizeof(uint16_t)

/* NULL: there are too many. */
static struct profil_record *record_of(struct profil_records *p, const struct wire_profil *head, size_t *taken)
{
    const size_t found = index_find(&p->of_number, head->number);

    if (found != INDEX_NONE || p->count == PROFIL_TASKS)
        return found != INDEX_NONE ? &p->of[found] : NULL;
    index_put(&p->of_number, head->number, p->count);
    GROW(p->of, p->count);
    p->of[p->count] = (struct profil_record){.head = {.number = head->number}};
    *taken += sizeof(*p->of) + INDEX_BYTES;
    return &p->of[p->count++];
}

static bool is_possible(const struct wire_profil *h)
{
    return h->serial && h->id <= UINT32_MAX && h->bytes <= WIRE_PROFIL_BYTES && h->stopped <= 1 &&
           !(h->stopped && h->scale);
}

static bool is_possible_row(const struct profil_record *r, const struct wire_profil_row *row)
{
    return row->counter < r->head.bytes / COUNTER_BYTES && row->count && row->count <= UINT16_MAX &&
           (!r->rows || row->counter > r->row[r->rows - 1].counter);
}

static void add_rows(struct profil_record *r, struct wire_reader *rows, size_t *taken, struct violations **v)
{
    struct wire_profil_row row;

    while (wire_read_row(rows, &row)) {
        if (!is_possible_row(r, &row)) {
            violation_note(v, VIOLATION_VALUE, "PROFIL of row #%" PRIx64, r->head.id);
            return;
        }
        GROW(r->row, r->rows);
        r->row[r->rows++] = row;
        *taken += sizeof(*r->row);
    }
}

size_t profil_records_add(struct profil_records *p, const struct wire_profil *head, struct wire_reader *rows,
                          struct violations **v)
{
    size_t taken = 0;
    struct profil_record *r = is_possible(head) ? record_of(p, head, &taken) : NULL;

    if (!r) {
        violation_note(v, VIOLATION_VALUE, "PROFIL of row #%" PRIx64, head->id);
        return taken;
    }
    if (head->serial < r->head.serial || (head->serial == r->head.serial && head->part <= r->head.part)) {
        violation_note(v, VIOLATION_BACKWARD, "PROFIL of row #%" PRIx64, head->id);
        return taken;
    }
    if (head->serial != r->head.serial)
        r->rows = r->missing = 0;
    r->missing += head->part - (head->serial == r->head.serial ? r->head.part + 1 : 0);
    r->head = *head;
    add_rows(r, rows, &taken, v);
    return taken;
}

const struct profil_record *profil_record_of(const struct profil_records *p, uint32_t id)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->of[i].head.id == id)
            return &p->of[i];
    return NULL;
}

void profil_records_free(struct profil_records *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->of[i].row);
    free(p->of);
    index_free(&p->of_number);
    *p = (struct profil_records){.count = 0};
}
