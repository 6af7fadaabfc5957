/* SPDX-License-Identifier: MIT */
/* A number is printed as it is on the line; in JSON as what its role says that it is. */
#include "tools/records/plain_report.h"

#include <inttypes.h>
#include <string.h>

#include "tools/base/printable.h"

static void put_member(const struct plain_line *l, const struct wire_record *record, const struct wire_field *field,
                       const void *member)
{
    if (l->other && l->other(l->context, record, field, member))
        return;
    if (!field->text) {
        fprintf(l->out, "%" PRIu64, wire_number_at(member));
        return;
    }
    fputc('"', l->out);
    printable_escaped(l->out, wire_text_at(member).bytes, wire_text_at(member).length, "\"\\");
    fputc('"', l->out);
}

static void put_fields(const struct plain_line *l, const struct wire_record *record, const struct wire_field *field,
                       unsigned fields, const char *member)
{
    for (unsigned i = 0; i < fields; member += wire_member(&field[i++])) {
        fprintf(l->out, " %s=", field[i].name);
        put_member(l, record, &field[i], member);
    }
}

void plain_put_head(const struct plain_line *l, const struct wire_record *record, const void *head)
{
    put_fields(l, record, record->head, record->heads, head);
}

void plain_put_row(const struct plain_line *l, const struct wire_record *record, const void *row)
{
    fputs(" {", l->out);
    put_fields(l, record, record->row, record->rows, row);
    fputs(" }", l->out);
}

bool plain_any(const struct record_stores *s)
{
    for (size_t n = 0; n < s->count; n++)
        if (!s->of[n].record->reported)
            return true;
    return false;
}

void plain_print(FILE *out, const struct record_stores *s)
{
    const struct plain_line line = {.out = out};

    for (size_t n = 0; n < s->count; n++)
        for (size_t head = 0; head < s->of[n].head.count && !s->of[n].record->reported; head++) {
            fputs(s->of[n].record->name, out);
            plain_put_head(&line, s->of[n].record, record_head(&s->of[n], head));
            for (size_t row = s->of[n].first[head]; row < record_rows_end(&s->of[n], head); row++)
                plain_put_row(&line, s->of[n].record, record_row(&s->of[n], row));
            fputc('\n', out);
        }
}

/* ---- JSON ---- */

static json_t *member_json(const struct wire_field *field, const char *member)
{
    if (field->text)
        return json_text_or_null(wire_text_at(member).bytes);
    switch (field->role) {
    case WIRE_ROLE_SIGNED: return json_integer(wire_unzigzag(wire_number_at(member)));
    case WIRE_ROLE_FLAG: return json_boolean(wire_number_at(member));
    default: return json_count(wire_number_at(member));
    }
}

json_t *plain_fields_json(const struct wire_field *field, unsigned fields, const void *of, const char *first)
{
    json_t *object = json_object();
    const char *member = of;

    for (unsigned i = 0; i < fields; member += wire_member(&field[i++])) {
        if (first && strcmp(first, field[i].name))
            continue;
        first = NULL;
        json_object_set_new(object, field[i].name, member_json(&field[i], member));
    }
    return object;
}

json_t *plain_record_json(const struct record_store *s, size_t head)
{
    json_t *object = plain_fields_json(s->head.field, s->head.fields, record_head(s, head), NULL), *rows;

    if (!s->row.fields)
        return object;
    rows = json_array();
    for (size_t row = s->first[head]; row < record_rows_end(s, head); row++)
        json_array_append_new(rows, plain_row_json(s->record->type, record_row(s, row), NULL));
    json_object_set_new(object, "rows", rows);
    return object;
}

json_t *plain_json(const struct record_stores *s)
{
    json_t *object = plain_any(s) ? json_object() : NULL;

    for (size_t n = 0; n < s->count; n++) {
        json_t *records = json_object_get(object, s->of[n].record->name);

        if (s->of[n].record->reported)
            continue;
        if (!records)
            json_object_set_new(object, s->of[n].record->name, records = json_array());
        for (size_t head = 0; head < s->of[n].head.count; head++)
            json_array_append_new(records, plain_record_json(&s->of[n], head));
    }
    return object;
}
