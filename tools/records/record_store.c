/* SPDX-License-Identifier: MIT */
/* One store for all records without a decoder of their own: what differs between them is in their fields' roles. */
#include "tools/records/record_store.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/printable.h"
#include "tools/records/record_roles.h"

#define REPORT_BYTES 160 /* of a member in JSON, which reports hold at once */

/* ---- members of a struct ---- */

static uint64_t number_at(const char *member)
{
    uint64_t number;

    memcpy(&number, member, sizeof(number));
    return number;
}

static struct wire_text text_at(const char *member)
{
    struct wire_text text;

    memcpy(&text, member, sizeof(text));
    return text;
}

/* Replace the texts of a struct by copies. */
static void keep_texts(const struct record_list *l, char *member)
{
    for (unsigned i = 0; i < l->fields; member += wire_member(&l->field[i++]))
        if (l->field[i].text) {
            const struct wire_text from = text_at(member);
            const struct wire_text to = {printable_copy(from.bytes, from.length), from.length};

            memcpy(member, &to, sizeof(to));
        }
}

static void free_texts(const struct record_list *l, const char *member)
{
    for (unsigned i = 0; i < l->fields; member += wire_member(&l->field[i++]))
        if (l->field[i].text)
            free((char *)text_at(member).bytes);
}

static size_t bytes_of(const struct record_list *l, const char *member)
{
    size_t bytes = l->size + INDEX_BYTES + sizeof(size_t);

    for (unsigned i = 0; i < l->fields; member += wire_member(&l->field[i++]))
        bytes += REPORT_BYTES + (l->field[i].text ? 2 * text_at(member).length : 0);
    return bytes;
}

/* The member with this role, and its field; NULL: there is none. */
static const char *member_of(const struct record_list *l, enum wire_role role, const char *member,
                             const struct wire_field **field)
{
    for (unsigned i = 0; i < l->fields; member += wire_member(&l->field[i++])) {
        *field = &l->field[i];
        if ((*field)->role == role)
            return member;
    }
    return NULL;
}

static bool key_of(const struct record_list *l, const char *of, uint64_t *key)
{
    const struct wire_field *field;
    const char *const member = member_of(l, WIRE_ROLE_KEY, of, &field);

    if (member)
        *key = field->text ? index_key(text_at(member).bytes, text_at(member).length) : number_at(member);
    return member;
}

/* ---- checks ---- */

/* The one before of the same key, without a key the last one if `ordered`; INDEX_NONE: there is none. */
static size_t before(const struct record_list *l, const char *of, bool ordered)
{
    uint64_t key;

    if (key_of(l, of, &key))
        return index_find(&l->last, key);
    return ordered && l->count ? l->count - 1 : INDEX_NONE;
}

static void note(struct violations **v, enum violation rule, const struct wire_record *r, const struct record_list *l,
                 const char *of)
{
    const struct wire_field *field;
    const char *member = member_of(l, WIRE_ROLE_KEY, of, &field);

    if (!member || field->text)
        member = member_of(l, WIRE_ROLE_SERIAL, of, &field);
    if (member)
        violation_note(v, rule, "%s, %s %" PRIu64, r->name, field->name, number_at(member));
    else
        violation_note(v, rule, "%s", r->name);
}

static bool is_right(const struct record_store *s, const struct record_list *l, const char *of, struct violations **v)
{
    const size_t last = before(l, of, l == &s->head);

    if (!roles_allow(l->field, l->fields, of))
        note(v, VIOLATION_VALUE, s->record, l, of);
    else if (last != INDEX_NONE && !roles_follow(l->field, l->fields, of, l->bytes + last * l->size))
        note(v, VIOLATION_BACKWARD, s->record, l, of);
    else
        return true;
    return false;
}

/* ---- keeping ---- */

/* Put a copy at the end, or at `at`, in place of what is there. */
static void put(struct record_store *s, struct record_list *l, const char *of, size_t at)
{
    uint64_t key;
    char *to;

    if (at == l->count) {
        l->bytes = xgrow(l->bytes, l->count, l->size);
        l->count++;
    } else {
        s->bytes -= bytes_of(l, l->bytes + at * l->size);
        free_texts(l, l->bytes + at * l->size);
    }
    if (key_of(l, of, &key))
        index_put(&l->last, key, at);
    to = l->bytes + at * l->size;
    memcpy(to, of, l->size);
    keep_texts(l, to);
    s->bytes += bytes_of(l, to);
}

static void clear(struct record_store *s, struct record_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        s->bytes -= bytes_of(l, l->bytes + i * l->size);
        free_texts(l, l->bytes + i * l->size);
    }
    index_free(&l->last);
    l->count = 0;
}

static bool same_text(struct wire_text a, struct wire_text b)
{
    return a.length == b.length && !memcmp(a.bytes, b.bytes, a.length);
}

/* Whether the head is that of the frame before, which had no room for all rows. */
static bool is_same(const struct record_store *s, const char *of)
{
    const struct record_list *const l = &s->head;
    const char *member = l->count ? l->bytes + (l->count - 1) * l->size : NULL;

    if (!member || !s->row.fields)
        return false;
    for (unsigned i = 0; i < l->fields; of += wire_member(&l->field[i]), member += wire_member(&l->field[i++]))
        if (l->field[i].text ? !same_text(text_at(of), text_at(member)) : number_at(of) != number_at(member))
            return false;
    return true;
}

static void put_head(struct record_store *s, const char *head)
{
    size_t at = s->head.count;

    if (s->record->keep == WIRE_KEEP_LAST) {
        clear(s, &s->row);
        at = 0;
    } else if (s->record->keep == WIRE_KEEP_KEYS && at) {
        const size_t last = before(&s->head, head, true);

        at = last == INDEX_NONE ? at : last;
    }
    if (at == s->head.count)
        GROW(s->first, s->head.count);
    put(s, &s->head, head, at);
    s->first[at] = s->record->keep == WIRE_KEEP_KEYS ? 0 : s->row.count;
}

static void put_row(struct record_store *s, const char *row)
{
    const size_t last = s->record->keep == WIRE_KEEP_KEYS ? before(&s->row, row, false) : INDEX_NONE;

    put(s, &s->row, row, last == INDEX_NONE ? s->row.count : last);
}

static struct record_list list_of(const struct wire_field *field, unsigned fields)
{
    struct record_list l = {.field = field, .fields = fields};

    for (unsigned i = 0; i < fields; i++)
        l.size += wire_member(&field[i]);
    return l;
}

static struct record_store *store_of(struct record_stores *s, const struct wire_record *record)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->of[i].record == record)
            return &s->of[i];
    GROW(s->of, s->count);
    s->of[s->count] = (struct record_store){
        .record = record, .head = list_of(record->head, record->heads), .row = list_of(record->row, record->rows),
    };
    return &s->of[s->count++];
}

void record_stores_add(struct record_stores *all, const struct wire_record *record, const void *head,
                       struct wire_reader *rows, struct violations **v)
{
    struct record_store *const s = store_of(all, record);
    union wire_row row;

    if (!is_same(s, head)) {
        if (!is_right(s, &s->head, head, v))
            return;
        put_head(s, head);
    }
    while (wire_read_row(rows, &row))
        if (is_right(s, &s->row, (const char *)&row, v))
            put_row(s, (const char *)&row);
}

size_t record_stores_bytes(const struct record_stores *s)
{
    size_t bytes = 0;

    for (size_t i = 0; i < s->count; i++)
        bytes += s->of[i].bytes;
    return bytes;
}

void record_stores_free(struct record_stores *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct record_store *const s = &all->of[i];

        clear(s, &s->head);
        clear(s, &s->row);
        free(s->head.bytes);
        free(s->row.bytes);
        free(s->first);
    }
    free(all->of);
    *all = (struct record_stores){0};
}
