/* SPDX-License-Identifier: MIT */
/* Joins ranges that follow one another, so that a program that writes its code again and again takes little. */
#include "tools/records/changed_code.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/alloc.h"

/* NULL: there are too many. */
static struct code_of_row *row_of(struct changed_code *c, uint64_t id)
{
    if (c->count == CODE_ROWS && index_find(&c->of_id, id) == INDEX_NONE)
        return NULL;
    return INDEX_ROW(&c->of_id, id, c->of, c->count, NULL);
}

/* Where the list is full the last range grows. */
static void add_range(struct code_of_row *r, uint64_t from, uint64_t to)
{
    struct code_range *const last = r->ranges ? &r->range[r->ranges - 1] : NULL;

    if (last && (r->ranges == CODE_RANGES || (from <= last->to && to >= last->from))) {
        last->from = from < last->from ? from : last->from;
        last->to = to > last->to ? to : last->to;
        return;
    }
    APPEND(r->range, r->ranges, (struct code_range){from, to});
}

size_t changed_code_add(struct changed_code *c, const struct wire_code *head, struct violations **v)
{
    const size_t rows = c->count;
    struct code_of_row *const r = head->id <= UINT32_MAX && head->from < head->to ? row_of(c, head->id) : NULL;
    size_t ranges;

    if (!r) {
        violation_note(v, VIOLATION_VALUE, "CODE, id %" PRIu64, head->id);
        return 0;
    }
    ranges = r->ranges;
    add_range(r, head->from, head->to);
    return (c->count - rows) * (sizeof(*r) + INDEX_BYTES) + (r->ranges - ranges) * sizeof(*r->range);
}

bool changed_code_at(const struct changed_code *c, uint32_t id, uint64_t address)
{
    const size_t at = index_find(&c->of_id, id);

    for (size_t i = 0; at != INDEX_NONE && i < c->of[at].ranges; i++)
        if (address >= c->of[at].range[i].from && address < c->of[at].range[i].to)
            return true;
    return false;
}

void changed_code_free(struct changed_code *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->of[i].range);
    free(c->of);
    index_free(&c->of_id);
    *c = (struct changed_code){0};
}
