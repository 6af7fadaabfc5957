/* SPDX-License-Identifier: MIT */
/* One store for all records without a decoder of their own: what differs between them is in their fields' roles. */
#include "tools/records/record_store.h"

#include <inttypes.h>
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

static bool is_key(const struct wire_field *field)
{
    return field->role == WIRE_ROLE_KEY || field->role == WIRE_ROLE_KEY_ID;
}

/* False: there is none.  One of several fields is a hash of all. */
static bool key_of(const struct record_list *l, const char *of, uint64_t *key)
{
    unsigned keys = 0;

    for (unsigned i = 0; l->keyed && i < l->fields; of += wire_member(&l->field[i++]))
        if (is_key(&l->field[i])) {
            const uint64_t part = l->field[i].text ? index_key(wire_text_at(of).bytes, wire_text_at(of).length)
                                                   : wire_number_at(of);

            *key = keys++ ? index_key((uint64_t[]){*key, part}, 2 * sizeof(part)) : part;
        }
    return keys;
}

/* ---- checks ---- */

/* The head before; or the row before with the same key, without a key the last of the head.  INDEX_NONE: none. */
static size_t before(const struct record_store *s, const char *row)
{
    const struct record_list *const l = row ? &s->row : &s->head;
    uint64_t key;

    if (row && key_of(l, row, &key))
        return index_find(&l->last, key);
    return l->count > (row ? s->first[s->head.count - 1] : 0) ? l->count - 1 : INDEX_NONE;
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
    const size_t last = before(s, now.row);
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
        note(v, now.row && !l->keyed ? VIOLATION_VALUE : VIOLATION_BACKWARD, s->record, l, of);
    else
        return true;
    return false;
}

/* ---- keeping ---- */

/* Put a copy at the end, if there is room, or at `at`, in place of what is there. */
static bool put(struct record_list *l, const char *of, size_t at, bool full)
{
    char *to;

    if (at == l->count && full)
        return false;
    if (at == l->count) {
        l->bytes = xgrow(l->bytes, l->count, l->size);
        l->count++;
    } else {
        free_texts(l, l->bytes + at * l->size);
    }
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

/* Whether the head is that of the frame before, which had no room for all rows; another PART of it. */
static bool is_same(const struct record_store *s, const char *of)
{
    const struct record_list *const l = &s->head;
    const char *member = l->count ? l->bytes + (l->count - 1) * l->size : NULL;

    if (!member || !s->row.fields)
        return false;
    for (unsigned i = 0; i < l->fields; of += wire_member(&l->field[i]), member += wire_member(&l->field[i++]))
        if (!wire_same_member(&l->field[i], of, member) && l->field[i].role != WIRE_ROLE_PART)
            return false;
    return true;
}

/* Count frames of the last head that did not arrive; `next`: one with rows of it came.  False: not its next one. */
static bool take_part(struct record_store *s, const char *head, bool next)
{
    const struct wire_field *field;
    const char *const part = member_of(&s->head, WIRE_ROLE_PART, head, &field);
    char *last;
    uint64_t expected;

    if (!part)
        return true;
    last = s->head.bytes + (s->head.count - 1) * s->head.size + (part - head);
    expected = next ? wire_number_at(last) + 1 : 0;
    if (wire_number_at(part) < expected)
        return false;
    s->missing = (next ? s->missing : 0) + wire_number_at(part) - expected;
    memcpy(last, part, sizeof(expected));
    return true;
}

/* Of the LAST no old row stays, and with rows none is replaced where there is no room for those. */
static bool put_head(struct record_store *s, const char *head, bool full)
{
    const size_t at = s->record->keep == WIRE_KEEP_ALL ? s->head.count : 0;

    if (s->record->keep == WIRE_KEEP_LAST && full && s->row.fields)
        return false;
    if (s->record->keep == WIRE_KEEP_LAST)
        clear(&s->row);
    if (!put(&s->head, head, at, full))
        return false;
    if (at == s->head.count - 1)
        GROW(s->first, at);
    s->first[at] = s->record->keep == WIRE_KEEP_KEYS ? 0 : s->row.count;
    return true;
}

static bool put_row(struct record_store *s, const char *row, bool full)
{
    struct record_list *const l = &s->row;
    uint64_t key;
    const bool keyed = key_of(l, row, &key);
    const size_t last = keyed && s->record->keep != WIRE_KEEP_ALL ? index_find(&l->last, key) : INDEX_NONE,
                 at = last == INDEX_NONE ? l->count : last;

    if (at == RECORD_KEYS && s->head.keyed && s->record->keep == WIRE_KEEP_KEYS) {
        s->left_out++;
        return true;
    }
    if (!put(l, row, at, full))
        return false;
    if (keyed)
        index_put(&l->last, key, at);
    return true;
}

/* ---- the stores ---- */

static struct record_list list_of(const struct wire_field *field, unsigned fields)
{
    struct record_list l = {.field = field, .fields = fields};

    for (unsigned i = 0; i < fields; i++) {
        l.size += wire_member(&field[i]);
        l.keyed |= is_key(&field[i]);
    }
    return l;
}

const struct record_store *record_store_of(const struct record_stores *s, enum wire_type type)
{
    static const struct record_store none;
    const size_t at = index_find(&s->place, type);

    return at != INDEX_NONE ? &s->of[at] : &none;
}

const struct record_store *record_store_next(const struct record_stores *s, enum wire_type type,
                                             const struct record_store *last)
{
    for (size_t i = last ? (size_t)(last - s->of) + 1 : 0; i < s->count; i++)
        if (s->of[i].record->type == type)
            return &s->of[i];
    return NULL;
}

/* The place of a head's store: its type, which stands in the low bits, and its key. */
static uint64_t place_of(const struct record_store *s, const char *head)
{
    uint64_t key;

    return (key_of(&s->head, head, &key) ? index_key(&key, sizeof(key)) << 8 : 0) | s->record->type;
}

/* Add a store; NULL: there are too many. */
static struct record_store *add_store(struct record_stores *all, const struct record_store *empty, const char *head)
{
    size_t first = index_find(&all->place, empty->record->type);

    if (first != INDEX_NONE && all->of[first].stores == RECORD_ROWS)
        return NULL;
    if (first == INDEX_NONE)
        index_put(&all->place, empty->record->type, first = all->count);
    index_put(&all->place, place_of(empty, head), all->count);
    GROW(all->of, all->count);
    all->of[all->count] = *empty;
    all->of[first].stores++;
    return &all->of[all->count++];
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

static uint32_t id_of(const struct record_list *l, const char *of)
{
    const struct wire_field *field;
    const char *member = member_of(l, WIRE_ROLE_ID, of, &field);

    if (!member)
        member = member_of(l, WIRE_ROLE_KEY_ID, of, &field);
    return member ? (uint32_t)wire_number_at(member) : 0;
}

uint32_t record_row_id(const struct record_store *s, size_t row)
{
    return id_of(&s->row, record_row(s, row));
}

uint32_t record_head_id(const struct record_store *s)
{
    return id_of(&s->head, record_last(s));
}

uint64_t record_time_of(const struct record_store *s, size_t row)
{
    const struct wire_field *field;

    return wire_number_at(member_of(&s->head, WIRE_ROLE_TIME, record_head(s, record_head_of(s, row)), &field));
}

/* Members of the JSON of a report, which holds all of them at once; those of which it has the last alone are few. */
static size_t members_of(const struct record_store *s)
{
    if (!s->record->reported)
        return s->head.count * s->head.fields + s->row.count * s->row.fields;
    return (s->row.fields ? s->row.last.count : s->head.count) * s->record->members;
}

static size_t list_bytes(const struct record_list *l)
{
    return l->count * (l->size + sizeof(size_t)) + l->last.count * INDEX_BYTES + l->texts;
}

static struct record_bytes bytes_of(const struct record_store *s)
{
    return (struct record_bytes){
        .kept = (s->head.count ? sizeof(*s) + INDEX_BYTES : 0) + list_bytes(&s->head) + list_bytes(&s->row),
        .json = members_of(s) * JSON_MEMBER_BYTES + s->head.texts + s->row.texts,
    };
}

/* Take a head; returns the store of its rows, a new one where `s` has nothing yet; NULL: the head is refused. */
static struct record_store *take_head(struct record_stores *all, struct record_store *s, const struct record_frame *f,
                                      struct violations **v)
{
    if (is_same(s, f->head)) {
        if (take_part(s, f->head, true))
            return s;
        note(v, VIOLATION_BACKWARD, f->record, &s->head, f->head);
        return NULL;
    }
    if (!is_right(s, (struct record_view){f->head, NULL}, v))
        return NULL;
    if (!s->head.count)
        s = f->full ? NULL : add_store(all, s, f->head);
    if (s && put_head(s, f->head, f->full)) {
        take_part(s, f->head, false);
        return s;
    }
    violation_note(v, VIOLATION_AMOUNT, "%s", f->record->name);
    return NULL;
}

void record_stores_add(struct record_stores *all, const struct record_frame *f, struct wire_reader *rows,
                       struct violations **v)
{
    const struct wire_record *const r = f->record;
    struct record_store none = {.record = r, .head = list_of(r->head, r->heads), .row = list_of(r->row, r->rows)};
    const size_t at = index_find(&all->place, place_of(&none, f->head));
    struct record_store *s = at != INDEX_NONE ? &all->of[at] : &none;
    const struct record_bytes before = bytes_of(s);
    bool room = true;
    union wire_row row;

    s = take_head(all, s, f, v);
    while (s && room && wire_read_row(rows, &row))
        if (is_right(s, (struct record_view){f->head, &row}, v))
            room = put_row(s, (const char *)&row, f->full);
    if (!room)
        violation_note(v, VIOLATION_AMOUNT, "%s", r->name);
    if (s) {
        all->bytes.kept += bytes_of(s).kept - before.kept;
        all->bytes.json += bytes_of(s).json - before.json;
    }
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
    index_free(&all->place);
    free(all->of);
    *all = (struct record_stores){0};
}
