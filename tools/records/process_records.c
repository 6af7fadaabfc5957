/* SPDX-License-Identifier: MIT */
/* Each record of a row replaces the one before; tasks of one name share a row, so that no number of it need grow. */
#include "tools/records/process_records.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/printable.h"

static void free_calls(struct process_record *r)
{
    for (size_t i = 0; i < r->calls; i++)
        free(r->call[i].name);
    free(r->call);
    r->call = NULL;
    r->calls = 0;
}

#define TEXT_BYTES 32 /* of a text beside its own: an estimate */

/* What the record takes now, as far as it never took as much before. */
static size_t taken_by(struct process_record *r)
{
    const size_t before = r->bytes;
    size_t bytes = sizeof(*r) + INDEX_BYTES + TEXT_BYTES + strlen(r->name) + r->changes * sizeof(*r->changed);

    for (size_t i = 0; i < r->calls; i++)
        bytes += sizeof(*r->call) + TEXT_BYTES + strlen(r->call[i].name);
    if (bytes <= before)
        return 0;
    r->bytes = bytes;
    return bytes - before;
}

/* The record of this task, found or made; NULL: there are too many.  Takes over the name. */
static struct process_record *record_of(struct process_records *p, uint64_t id, char *name)
{
    const uint64_t words[] = {id, index_key(name, strlen(name))}, key = index_key(words, sizeof(words));
    const size_t found = index_find(&p->of_key, key);

    if (found != INDEX_NONE || p->count == PROCESS_TASKS) {
        free(name);
        return found == INDEX_NONE ? NULL : &p->of[found];
    }
    index_put(&p->of_key, key, p->count);
    GROW(p->of, p->count);
    p->of[p->count] = (struct process_record){.id = id, .name = name};
    return &p->of[p->count++];
}

static bool is_possible(const struct wire_process *h)
{
    return h->id <= UINT32_MAX && h->program && h->state < PROGRAM_STATES;
}

static void add_calls(struct process_record *r, struct wire_reader *rows, struct violations **v)
{
    struct wire_process_row row;

    while (wire_read_row(rows, &row)) {
        if (r->calls == PROCESS_CALLS || !row.count) {
            violation_note(v, VIOLATION_VALUE, "PROCESS of row #%" PRIx64, r->id);
            return;
        }
        GROW(r->call, r->calls);
        r->call[r->calls++] = (struct process_call){row.call, row.count,
                                                    printable_copy(row.name.bytes, row.name.length)};
    }
}

size_t process_records_add(struct process_records *p, const struct wire_process *head, struct wire_reader *rows,
                           struct violations **v)
{
    struct process_record *r = NULL;

    if (is_possible(head))
        r = record_of(p, head->id, printable_copy(head->name.bytes, head->name.length));
    if (!r) {
        violation_note(v, VIOLATION_VALUE, "PROCESS of row #%" PRIx64, head->id);
        return 0;
    }
    if (r->program && r->program != head->program) {
        violation_note(v, VIOLATION_PROGRAMS_MIXED, "%s", r->name);
        r->mixed = true;
    }
    r->program = head->program;
    r->base = head->base;
    r->state = (enum program_state)head->state;
    r->status = head->status;
    r->generation = head->generation > r->generation ? head->generation : r->generation;
    free_calls(r);
    add_calls(r, rows, v);
    return taken_by(r);
}

/* Where the list is full the last range grows. */
static void add_range(struct process_record *r, uint64_t from, uint64_t to)
{
    struct process_range *const last = r->changes ? &r->changed[r->changes - 1] : NULL;

    if (last && (r->changes == PROCESS_RANGES || (from <= last->to && to >= last->from))) {
        last->from = from < last->from ? from : last->from;
        last->to = to > last->to ? to : last->to;
        return;
    }
    GROW(r->changed, r->changes);
    r->changed[r->changes++] = (struct process_range){from, to};
}

size_t process_records_add_code(struct process_records *p, const struct wire_code *head, struct violations **v)
{
    struct process_record *r = NULL;

    if (head->id <= UINT32_MAX && head->from < head->to)
        r = record_of(p, head->id, printable_copy(head->name.bytes, head->name.length));
    if (!r) {
        violation_note(v, VIOLATION_VALUE, "CODE of row #%" PRIx64, head->id);
        return 0;
    }
    add_range(r, head->from, head->to);
    return taken_by(r);
}

bool process_changed_at(const struct process_record *r, uint64_t address)
{
    for (size_t i = 0; i < r->changes; i++)
        if (address >= r->changed[i].from && address < r->changed[i].to)
            return true;
    return false;
}

const struct process_record *process_record_of(const struct process_records *p, uint32_t id)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->of[i].id == id)
            return &p->of[i];
    return NULL;
}

void process_records_free(struct process_records *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free_calls(&p->of[i]);
        free(p->of[i].changed);
        free(p->of[i].name);
    }
    free(p->of);
    index_free(&p->of_key);
    *p = (struct process_records){.count = 0};
}
