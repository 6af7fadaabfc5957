/* SPDX-License-Identifier: MIT */
/*
 * Stores records in their epoch: wire.h names the function of each type.  Texts are copied, since the bytes of a
 * frame are valid only until the next frame.
 */
#include "tools/model/epoch_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"
#include "tools/base/printable.h"

/* ---- texts ---- */

/* Bytes that a text takes beside its own, with those of its record: an estimate. */
#define TEXT_BYTES 64

static struct wire_text keep(struct wire_text text)
{
    return (struct wire_text){printable_copy(text.bytes, text.length), text.length};
}

static void keep_text(struct wire_text *text)
{
    *text = keep(*text);
}

static void free_text(struct wire_text *text)
{
    free((char *)text->bytes);
}

/* keep_text() or free_text() on every text of a record's head, in place. */
static void each_text(enum wire_type type, void *head, void act(struct wire_text *text))
{
    const struct wire_record *record = wire_record(type);
    char *member = head;

    for (unsigned i = 0; i < record->heads; member += wire_member(&record->head[i++]))
        if (record->head[i].text)
            act((void *)member);
}

void epoch_free(struct epoch *e)
{
    if (e->has_hello)
        each_text(WIRE_HELLO, &e->hello, free_text);
    for (size_t i = 0; i < e->program_count; i++) {
        free((char *)e->programs[i].name.bytes);
        free((char *)e->programs[i].build.bytes);
    }
    samples_free(e->samples);
    changed_code_free(&e->code);
    record_stores_free(&e->kept);
    transitions_free(e->transitions);
    free(e->programs);
    free(e->names);
    free(e->reason);
    free(e->snapshot);
    free(e->whole);
    free(e->violations);
    index_free(&e->name_of);
    index_free(&e->program_of);
    if (e->second_source)
        epoch_free(e->second_source);
    free(e->second_source);
}

/* ---- HELLO ---- */

/* Fields of HELLO that may differ within one epoch. */
static bool may_change(const struct wire_field *field)
{
    return !strcmp(field->name, "now") || !strcmp(field->name, "clock_origin");
}

/* The first field in which two HELLOs of one epoch contradict each other, NULL: none. */
static const char *hello_differs(const struct wire_hello *one, const struct wire_hello *other)
{
    const struct wire_record *record = wire_record(WIRE_HELLO);
    const char *a = (const char *)one, *b = (const char *)other;

    for (unsigned i = 0; i < record->heads; i++) {
        const struct wire_field *field = &record->head[i];

        if (!wire_same_member(field, a, b) && !may_change(field))
            return field->name;
        a += wire_member(field);
        b += wire_member(field);
    }
    return NULL;
}

/* The first HELLO stays in force: its values have been used already. */
static void hear_hello_again(struct epoch *e, struct wire_hello *hello)
{
    const char *field = hello_differs(&e->hello, hello);

    if (field) {
        violation_note(&e->violations, VIOLATION_HELLO, "%s", field);
    } else {
        e->hello.now = hello->now;
        e->hello.clock_origin = hello->clock_origin;
    }
    each_text(WIRE_HELLO, hello, free_text);
}

/* The values for the schedule and the clock must be within bounds. */
static bool hello_valid(const struct wire_hello *h)
{
    return h->epoch & ~WIRE_SECOND && h->minimum <= UINT32_MAX && h->clock_notes <= 3 &&
           h->unit <= UINT32_MAX && !(h->unit & (h->unit - 1));
}

void keep_hello(struct frame *f)
{
    struct wire_hello *hello = &f->head.hello;
    struct epoch *e = f->epoch;
    struct refusal unused;

    each_text(WIRE_HELLO, hello, keep_text);
    e->hellos++;
    if (e->has_hello) {
        hear_hello_again(e, hello);
        return;
    }
    if (!hello_valid(hello))
        violation_note(&e->violations, VIOLATION_VALUE, "HELLO");
    e->hello = *hello;
    e->has_hello = true;
    config_default(&e->words);
    e->words_known = config_parse(&e->words, hello->words.bytes, &unused);
}

/* ---- names, texts and numbers ---- */

/* A task of a port may be given another name, by fork and exec: the last one stays in force. */
static void hear_name_again(struct epoch *e, struct epoch_name *known, const struct epoch_name *again)
{
    if (is_of_port(e) && known->program == again->program)
        *known = *again;
    else if (strcmp(known->name, again->name) || known->program != again->program)
        violation_note(&e->violations, VIOLATION_NAME_CHANGED, "id %" PRIu32, known->id);
}

static void add_name(struct epoch *e, const struct wire_names_row *row)
{
    struct epoch_name name = {.id = (uint32_t)row->id, .program = row->program};
    const size_t known = index_find(&e->name_of, row->id);
    const struct wire_text text = keep(row->name);

    strncpy(name.name, text.bytes, NAME_SIZE - 1);
    free((char *)text.bytes);
    if (row->id > UINT32_MAX) {
        violation_note(&e->violations, VIOLATION_VALUE, "NAMES, id %" PRIu64, row->id);
        return;
    }
    if (!row->name.length || row->name.length >= NAME_SIZE)
        violation_note(&e->violations, VIOLATION_NAME_LENGTH, "id %" PRIu64, row->id);
    if (known != INDEX_NONE) {
        hear_name_again(e, &e->names[known], &name);
        return;
    }
    GROW(e->names, e->name_count);
    index_put(&e->name_of, row->id, e->name_count);
    e->names[e->name_count++] = name;
}

void keep_names(struct frame *f)
{
    const size_t before = f->epoch->name_count;
    struct wire_names_row row;

    while (wire_read_row(&f->rows, &row))
        add_name(f->epoch, &row);
    f->model->kept += (f->epoch->name_count - before) * (sizeof(*f->epoch->names) + INDEX_BYTES);
}

static void add_program(struct epoch *e, const struct wire_programs_row *from)
{
    const size_t known = index_find(&e->program_of, from->number);
    struct wire_programs_row row = {from->number, keep(from->name), keep(from->build)};

    if (!from->number)
        violation_note(&e->violations, VIOLATION_VALUE, "PROGRAMS, number 0");
    if (known == INDEX_NONE) {
        GROW(e->programs, e->program_count);
        index_put(&e->program_of, row.number, e->program_count);
        e->programs[e->program_count++] = row;
        return;
    }
    if (strcmp(e->programs[known].name.bytes, row.name.bytes) ||
        strcmp(e->programs[known].build.bytes, row.build.bytes))
        violation_note(&e->violations, VIOLATION_PROGRAM_CHANGED, "number %" PRIu64, row.number);
    free_text(&row.name);
    free_text(&row.build);
}

void keep_programs(struct frame *f)
{
    const size_t before = f->epoch->program_count;
    struct wire_programs_row row;

    while (wire_read_row(&f->rows, &row))
        add_program(f->epoch, &row);
    if (f->epoch->program_count != before)
        f->model->kept += f->length +
                          (f->epoch->program_count - before) * (sizeof(row) + 2 * TEXT_BYTES + INDEX_BYTES);
}

/* ---- snapshots ---- */

void keep_snapshot(struct frame *f)
{
    snapshot_note_head(f->epoch, &f->head.snapshot);
    assembly_head(f->model, f->epoch, &f->head.snapshot);
}

void keep_delta(struct frame *f)
{
    assembly_delta(f->model, f->epoch, &f->head.delta);
}

void keep_part(struct frame *f)
{
    static void (*const add[])(struct model *m, struct epoch *e, const void *head, struct wire_reader *rows) = {
        [WIRE_CELLS] = assembly_cells, [WIRE_EXACT] = assembly_exact,
        [WIRE_REGION] = assembly_region, [WIRE_LATENESS] = assembly_lateness,
    };

    add[f->reader.type](f->model, f->epoch, &f->head, &f->rows);
}

void epoch_abandon(struct model *m, struct epoch *e)
{
    assembly_abandon(m, e);
    if (e->second_source)
        assembly_abandon(m, e->second_source);
}

void keep_end(struct frame *f)
{
    const struct wire_end *end = &f->head.end;
    struct epoch *e = f->epoch;

    if (end->epoch & WIRE_SECOND || end->status > 1)
        violation_note(&e->violations, VIOLATION_VALUE, "END");
    epoch_abandon(f->model, e);
    free(e->reason);
    e->ended = true;
    e->status = end->status;
    e->reason = printable_copy(end->reason.bytes, end->reason.length);
    if (e->second_source) {
        e->second_source->ended = true;
        e->second_source->status = end->status;
    }
}

/* Note the newest time that the image told. */
static void hear(struct frame *f, const struct wire_record *record)
{
    const char *member = (const char *)&f->head;

    for (unsigned i = 0; i < record->heads; member += wire_member(&record->head[i++]))
        if (record->head[i].role == WIRE_ROLE_TIME || record->head[i].role == WIRE_ROLE_MOMENT)
            f->epoch->heard = wire_number_at(member) > f->epoch->heard ? wire_number_at(member) : f->epoch->heard;
}

/* A record for which its fields' roles are enough. */
static void keep_by_roles(struct frame *f, const struct wire_record *record)
{
    struct record_stores *const s = &f->epoch->kept;
    const struct record_bytes before = s->bytes;

    record_stores_add(s, &(struct record_frame){record, &f->head, f->full}, &f->rows, &f->epoch->violations);
    f->model->kept += s->bytes.kept - before.kept;
    f->model->reported += s->bytes.json - before.json;
}

void epoch_add_record(struct frame *f)
{
#define KEEP_READ        NULL
#define KEEP_TALK        NULL
#define KEEP_ALL         NULL
#define KEEP_KEYS        NULL
#define KEEP_LAST        NULL
#define KEEP_REPORTED(how, members) NULL
#define KEEP_SUMMED(how) keep_##how
#define KEEP_OWN(how)    keep_##how
#define KEEP(NAME, name, id, keep, what) [id] = KEEP_##keep,
    static void (*const keep[])(struct frame *f) = {WIRE_RECORDS(KEEP)};
    const struct wire_record *const record = wire_record(f->reader.type);

    hear(f, record);
    if (record->keep >= WIRE_KEEP_ALL)
        keep_by_roles(f, record);
    else if (keep[f->reader.type])
        keep[f->reader.type](f);
}

/* ---- the end ---- */

/* With identity=name the name is the identity. */
static void check_shared_names(struct epoch *e)
{
    struct index seen = {0};

    for (size_t i = 0; i < e->name_count; i++) {
        const char *name = e->names[i].name;
        const uint64_t key = index_key(name, strlen(name));

        if (index_find(&seen, key) == INDEX_NONE)
            index_put(&seen, key, i);
        else
            violation_note(&e->violations, VIOLATION_NAME_SHARED, "%s", name);
    }
    index_free(&seen);
}

static void check_samples(struct epoch *e, const struct samples *s)
{
    const uint64_t ticks = !e->snapshot ? 0 : e->snapshot->points ? e->snapshot->points : e->snapshot->ticks;

    if (s->damaged)
        violation_note(&e->violations, VIOLATION_SAMPLES, "%" PRIu64 " in all", s->damaged);
    if (s->lost > s->told || (e->snapshot && e->snapshot->final && s->told > ticks))
        violation_note(&e->violations, VIOLATION_TOLD, "%" PRIu64 " told", s->told);
}

void epoch_finish(struct epoch *e)
{
    if (e->words_known && e->words.identity == IDENTITY_NAME)
        check_shared_names(e);
    if (e->samples) {
        samples_finish(e->samples);
        check_samples(e, e->samples);
    }
    if (e->transitions)
        transitions_check(e);
}
