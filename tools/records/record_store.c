/* SPDX-License-Identifier: MIT */
/* One store for all records without a decoder of their own: what differs between them is in their fields' roles. */
#include "tools/records/record_store.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/printable.h"
#include "tools/base/report_object.h"
#include "tools/records/record_roles.h"

/* ---- members of a struct ---- */

#define TEXT_BYTES 32 /* that a text takes beside its own: an estimate */

/* Bytes of its texts. */
static size_t texts_of(const struct record_list *l, const char *member)
{
    size_t bytes = 0;

    for (unsigned i = 0; i < l->fields; member += wire_member(&l->field[i++]))
        bytes += l->field[i].text ? wire_text_at(member).length + TEXT_BYTES : 0;
    return bytes;
}

/* Replace the texts of a struct by copies. */
static void keep_texts(struct record_list *l, char *of)
{
    char *member = of;

    for (unsigned i = 0; i < l->fields; member += wire_member(&l->field[i++]))
        if (l->field[i].text) {
            struct wire_text text = wire_text_at(member);

            if (l->field[i].role == WIRE_ROLE_LINE && text.length && text.bytes[text.length - 1] == '\n')
                text.length--;
            text.bytes = l->field[i].bytes ? memcpy(xrealloc_array(NULL, text.length + 1, 1), text.bytes, text.length)
                                           : printable_copy(text.bytes, text.length);
            memcpy(member, &text, sizeof(text));
        }
    l->texts += texts_of(l, of);
}

static void free_texts(struct record_list *l, const char *member)
{
    l->texts -= texts_of(l, member);
    for (unsigned i = 0; i < l->fields; member += wire_member(&l->field[i++]))
        if (l->field[i].text)
            free((char *)wire_text_at(member).bytes);
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

/* False: there is none.  One of several fields is a hash of all. */
static bool key_of(const struct record_list *l, const char *of, uint64_t *key)
{
    unsigned keys = 0;

    for (unsigned i = 0; i < l->fields; of += wire_member(&l->field[i++]))
        if (l->field[i].role == WIRE_ROLE_KEY) {
            const uint64_t part = l->field[i].text ? index_key(wire_text_at(of).bytes, wire_text_at(of).length)
                                                   : wire_number_at(of);

            *key = keys++ ? index_key((uint64_t[]){*key, part}, 2 * sizeof(part)) : part;
        }
    return keys;
}

/* ---- checks ---- */

/* The one before of the same key, without a key the last one behind the first `from`; INDEX_NONE: there is none. */
static size_t before(const struct record_list *l, const char *of, size_t from)
{
    uint64_t key;

    if (key_of(l, of, &key))
        return index_find(&l->last, key);
    return l->count > from ? l->count - 1 : INDEX_NONE;
}

static void note(struct violations **v, enum violation rule, const struct wire_record *r, const struct record_list *l,
                 const char *of)
{
    const struct wire_field *field;
    const char *member = member_of(l, WIRE_ROLE_KEY, of, &field);

    if (!member || field->text)
        member = member_of(l, WIRE_ROLE_SERIAL, of, &field);
    if (!member)
        member = member_of(l, WIRE_ROLE_ID, of, &field);
    if (member && field->role == WIRE_ROLE_SERIAL)
        violation_note(v, rule, "%s of snapshot %" PRIu64, r->name, wire_number_at(member));
    else if (member)
        violation_note(v, rule, "%s, %s %" PRIu64, r->name, field->name, wire_number_at(member));
    else
        violation_note(v, rule, "%s", r->name);
}

/*
 * Whether the head has so many rows already as it says that it has, or, where a report shows them all, as any has.
 * Of rows by keys the rules say which there are.
 */
static bool has_all_rows(const struct record_store *s, const char *head)
{
    const struct wire_field *field;
    const char *const rows = member_of(&s->head, WIRE_ROLE_ROWS, head, &field);
    const size_t count = s->row.count - s->first[s->head.count - 1];

    return (s->record->reported && s->record->keep == WIRE_KEEP_ALL && count >= RECORD_ROWS) ||
           (rows && count >= wire_number_at(rows));
}

/* A head, or a row with its head. */
static bool is_right(const struct record_store *s, struct record_view now, struct violations **v)
{
    const struct record_list *const l = now.row ? &s->row : &s->head;
    const char *const of = now.row ? now.row : now.head;
    const size_t last = before(l, of, now.row ? s->first[s->head.count - 1] : 0);
    struct record_view then = {0};

    if (last != INDEX_NONE) {
        then.head = now.row ? record_head(s, record_head_of(s, last)) : record_head(s, last);
        then.row = now.row ? record_row(s, last) : NULL;
    }
    if (!roles_allow(l->field, l->fields, of) || !rules_allow(s->record->type, now) ||
        (now.row && has_all_rows(s, now.head)))
        note(v, VIOLATION_VALUE, s->record, l, of);
    else if (last != INDEX_NONE && (!roles_follow(l->field, l->fields, of, l->bytes + last * l->size) ||
                                    !rules_follow(s->record->type, now, then)))
        note(v, now.row && !l->last.count ? VIOLATION_VALUE : VIOLATION_BACKWARD, s->record, l, of);
    else
        return true;
    return false;
}

/* ---- keeping ---- */

/* Put a copy at the end, if there is room, or at `at`, in place of what is there. */
static bool put(struct record_list *l, const char *of, size_t at, bool full)
{
    uint64_t key;
    char *to;

    if (at == l->count && full)
        return false;
    if (at == l->count) {
        l->bytes = xgrow(l->bytes, l->count, l->size);
        l->count++;
    } else {
        free_texts(l, l->bytes + at * l->size);
    }
    if (key_of(l, of, &key))
        index_put(&l->last, key, at);
    to = l->bytes + at * l->size;
    memcpy(to, of, l->size);
    keep_texts(l, to);
    return true;
}

static void clear(struct record_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free_texts(l, l->bytes + i * l->size);
    index_free(&l->last);
    l->count = 0;
}

/* Whether the head is that of the frame before, which had no room for all rows. */
static bool is_same(const struct record_store *s, const char *of)
{
    const struct record_list *const l = &s->head;
    const char *member = l->count ? l->bytes + (l->count - 1) * l->size : NULL;

    if (!member || !s->row.fields)
        return false;
    for (unsigned i = 0; i < l->fields; of += wire_member(&l->field[i]), member += wire_member(&l->field[i++]))
        if (!wire_same_member(&l->field[i], of, member))
            return false;
    return true;
}

static bool put_head(struct record_store *s, const char *head, bool full)
{
    size_t at = s->head.count;

    if (s->record->keep == WIRE_KEEP_LAST) {
        clear(&s->row);
        at = 0;
    } else if (s->record->keep == WIRE_KEEP_KEYS && at) {
        const size_t last = before(&s->head, head, 0);

        at = last == INDEX_NONE ? at : last;
    }
    if (!put(&s->head, head, at, full))
        return false;
    if (at == s->head.count - 1)
        GROW(s->first, at);
    s->first[at] = s->record->keep == WIRE_KEEP_KEYS ? 0 : s->row.count;
    return true;
}

static bool put_row(struct record_store *s, const char *row, bool full)
{
    const size_t last = s->record->keep == WIRE_KEEP_KEYS ? before(&s->row, row, s->row.count) : INDEX_NONE;

    return put(&s->row, row, last == INDEX_NONE ? s->row.count : last, full);
}

static struct record_list list_of(const struct wire_field *field, unsigned fields)
{
    struct record_list l = {.field = field, .fields = fields};

    for (unsigned i = 0; i < fields; i++)
        l.size += wire_member(&field[i]);
    return l;
}

const struct record_store *record_store_of(const struct record_stores *s, enum wire_type type)
{
    static const struct record_store none;

    for (size_t i = 0; i < s->count; i++)
        if (s->of[i].record->type == type)
            return &s->of[i];
    return &none;
}

static struct record_store *store_of(struct record_stores *s, const struct wire_record *record)
{
    const struct record_store *const known = record_store_of(s, record->type);

    if (known->record)
        return &s->of[known - s->of];
    GROW(s->of, s->count);
    s->of[s->count] = (struct record_store){
        .record = record, .head = list_of(record->head, record->heads), .row = list_of(record->row, record->rows),
    };
    return &s->of[s->count++];
}

/* The last head whose first row is not behind this one. */
size_t record_head_of(const struct record_store *s, size_t row)
{
    size_t low = 0, high = s->record->keep == WIRE_KEEP_KEYS ? 0 : s->head.count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (s->first[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return s->record->keep == WIRE_KEEP_KEYS ? s->head.count - 1 : low;
}

uint32_t record_row_id(const struct record_store *s, size_t row)
{
    const struct wire_field *field;
    const char *const member = member_of(&s->row, WIRE_ROLE_ID, record_row(s, row), &field);

    return member ? (uint32_t)wire_number_at(member) : 0;
}

uint64_t record_time_of(const struct record_store *s, size_t row)
{
    const struct wire_field *field;

    return wire_number_at(member_of(&s->head, WIRE_ROLE_TIME, record_head(s, record_head_of(s, row)), &field));
}

void record_stores_add(struct record_stores *all, const struct record_frame *f, struct wire_reader *rows,
                       struct violations **v)
{
    struct record_store *const s = store_of(all, f->record);
    bool room = true;
    union wire_row row;

    if (!is_same(s, f->head)) {
        if (!is_right(s, (struct record_view){f->head, NULL}, v))
            return;
        room = put_head(s, f->head, f->full);
    }
    while (room && wire_read_row(rows, &row))
        if (is_right(s, (struct record_view){f->head, &row}, v))
            room = put_row(s, (const char *)&row, f->full);
    if (!room)
        violation_note(v, VIOLATION_AMOUNT, "%s", f->record->name);
}

/* Members of the JSON of a report, which holds all of them at once; those of which it has the last alone are few. */
static size_t members_of(const struct record_store *s)
{
    if (!s->record->reported)
        return s->head.count * s->head.fields + s->row.count * s->row.fields;
    return (s->row.fields ? s->row.last.count : s->head.count) * s->record->members;
}

static size_t bytes_of(const struct record_list *l)
{
    return l->count * (l->size + sizeof(size_t)) + l->last.count * INDEX_BYTES + l->texts;
}

struct record_bytes record_stores_bytes(const struct record_stores *all)
{
    struct record_bytes bytes = {0};

    for (size_t i = 0; i < all->count; i++) {
        const struct record_store *const s = &all->of[i];

        bytes.kept += bytes_of(&s->head) + bytes_of(&s->row);
        bytes.json += members_of(s) * JSON_MEMBER_BYTES + s->head.texts + s->row.texts;
    }
    return bytes;
}

void record_stores_free(struct record_stores *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct record_store *const s = &all->of[i];

        clear(&s->head);
        clear(&s->row);
        free(s->head.bytes);
        free(s->row.bytes);
        free(s->first);
    }
    free(all->of);
    *all = (struct record_stores){0};
}
