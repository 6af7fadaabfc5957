/* SPDX-License-Identifier: MIT */
/* Each record of a task replaces the one before. */
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

/* The record of this task, found or made; NULL: there are too many.  Takes over the name. */
static struct process_record *record_of(struct process_records *p, uint64_t id, char *name, size_t *taken)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->of[i].id == id && !strcmp(p->of[i].name, name)) {
            free(name);
            return &p->of[i];
        }
    if (p->count == PROCESS_TASKS) {
        free(name);
        return NULL;
    }
    GROW(p->of, p->count);
    p->of[p->count] = (struct process_record){.id = id, .name = name};
    *taken += sizeof(*p->of);
    return &p->of[p->count++];
}

static bool is_possible(const struct wire_process *h)
{
    return h->id <= UINT32_MAX && h->program && h->state <= 2;
}

static void add_calls(struct process_record *r, struct wire_reader *rows, size_t *taken, struct violations **v)
{
    struct wire_process_row row;

    while (wire_read_row(rows, &row)) {
        if (r->calls == PROCESS_CALLS || !row.count) {
            violation_note(v, VIOLATION_VALUE, "PROCESS of row #%" PRIx64, r->id);
            return;
        }
        GROW(r->call, r->calls);
        r->call[r->calls++] = (struct process_call){row.call, row.count, printable_copy(row.name.bytes, row.name.length)};
        *taken += sizeof(*r->call);
    }
}

size_t process_records_add(struct process_records *p, const struct wire_process *head, struct wire_reader *rows,
                           struct violations **v)
{
    size_t taken = 0;
    struct process_record *r = NULL;

    if (is_possible(head))
        r = record_of(p, head->id, printable_copy(head->name.bytes, head->name.length), &taken);
    if (!r) {
        violation_note(v, VIOLATION_VALUE, "PROCESS of row #%" PRIx64, head->id);
        return taken;
    }
    if (head->generation < r->generation)
        violation_note(v, VIOLATION_BACKWARD, "PROCESS of row #%" PRIx64, head->id);
    r->program = head->program;
    r->base = head->base;
    r->state = head->state;
    r->status = head->status;
    r->generation = head->generation;
    free_calls(r);
    add_calls(r, rows, &taken, v);
    return taken;
}

/* Where the list is full the last range grows. */
static void add_range(struct process_record *r, uint64_t from, uint64_t to, size_t *taken)
{
    struct process_range *const last = r->changes ? &r->changed[r->changes - 1] : NULL;

    if (last && (r->changes == PROCESS_RANGES || (from <= last->to && to >= last->from))) {
        last->from = from < last->from ? from : last->from;
        last->to = to > last->to ? to : last->to;
        return;
    }
    GROW(r->changed, r->changes);
    r->changed[r->changes++] = (struct process_range){from, to};
    *taken += sizeof(*r->changed);
}

size_t process_records_add_code(struct process_records *p, const struct wire_code *head, struct violations **v)
{
    size_t taken = 0;
    struct process_record *r = NULL;

    if (head->id <= UINT32_MAX && head->from < head->to)
        r = record_of(p, head->id, printable_copy(head->name.bytes, head->name.length), &taken);
    if (r)
        add_range(r, head->from, head->to, &taken);
    else
        violation_note(v, VIOLATION_VALUE, "CODE of row #%" PRIx64, head->id);
    return taken;
}

void process_records_add_output(struct process_records *p, const struct wire_output *head, struct violations **v)
{
    if (head->id > UINT32_MAX || !head->bytes.length)
        violation_note(v, VIOLATION_VALUE, "OUTPUT of row #%" PRIx64, head->id);
    p->outputs++;
    p->output_bytes += head->bytes.length;
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
    *p = (struct process_records){.count = 0};
}
