/* SPDX-License-Identifier: MIT */
/* Writes and reads the changes of DELTA frames (snapshot_delta.h). */
#include "probe/stats/snapshot_delta.h"

#include <stddef.h>

#include "probe/coding/leb128.h"
#include "probe/schedule/memory.h"

/* A member that a delta can name. */
struct field {
    size_t at;
    bool falls; /* its difference may be negative */
};

#define HEAD_N(member) { offsetof(struct snapshot, member), false },
#define HEAD_Z(member) { offsetof(struct snapshot, member), true },
#define ROW_N(member)  { offsetof(struct snapshot_row, member), false },
#define ROW_Z(member)  { offsetof(struct snapshot_row, member), true },
static const struct field head_fields[] = { DELTA_HEAD_FIELDS(HEAD_N, HEAD_Z) };
static const struct field row_fields[] = { DELTA_ROW_FIELDS(ROW_N, ROW_Z) };

#define COUNT(array) ((unsigned)(sizeof(array) / sizeof((array)[0])))

/* Bytes of the longest change: a number for each bit of the mask, and three before them. */
#define ROW_MOST  ((COUNT(row_fields) + 3u) * LEB128_MOST)
#define HEAD_MOST ((COUNT(head_fields) + 2u + 2u * SNAPSHOT_BUCKETS) * LEB128_MOST)
#define FRAME_HEAD ((7u + 1u) * LEB128_MOST) /* the fields before the changes, and their length */
_Static_assert(HEAD_MOST + FRAME_HEAD <= WIRE_CODES_MAX, "a part has room for the head's changes");

static uint64_t number_at(const void *of, size_t at)
{
    uint64_t n;

    memcpy(&n, (const char *)of + at, sizeof n);
    return n;
}

static uint64_t sum_of(const uint64_t of[MODES])
{
    uint64_t sum = 0;

    for (unsigned m = 0; m < MODES; m++)
        sum += of[m];
    return sum;
}

/* A row as a delta says it, and back: changes are exchanged for what they differ in from what they mostly are. */
static void exchange(struct snapshot_row *r, const uint64_t hits[MODES])
{
    for (unsigned m = 0; m < MODES; m++)
        r->changes[m] = hits[m] - r->changes[m];
}

static struct snapshot_row said(const struct snapshot_row *row)
{
    const bool modes = row_has_modes(row->id);
    struct snapshot_row r = *row;

    r.total_changes = (modes ? sum_of(r.changes) : r.total) - r.total_changes;
    exchange(&r, r.hits);
    if (modes)
        r.total = 0;
    return r;
}

static struct snapshot_row meant(const struct snapshot_row *row)
{
    const bool modes = row_has_modes(row->id);
    struct snapshot_row r = *row;

    exchange(&r, r.hits);
    if (modes)
        r.total = sum_of(r.hits);
    r.total_changes = (modes ? sum_of(r.changes) : r.total) - r.total_changes;
    return r;
}

/* ---- to send ---- */

static bool none_lower(const void *now, const void *then, const struct field *f, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!f[i].falls && number_at(now, f[i].at) < number_at(then, f[i].at))
            return false;
    return true;
}

static bool row_fits(const struct snapshot_row *row, const struct snapshot *base)
{
    const struct snapshot_row *const before = snapshot_find_row(base, row->id);

    if (row_has_modes(row->id) && row->total != sum_of(row->hits))
        return false;
    return before == NULL || none_lower(row, before, row_fields, COUNT(row_fields));
}

/* Rows that are gone keep their places until all parts came, so that new ones need others. */
static bool rows_fit(const struct snapshot *s, const struct snapshot *base)
{
    uint32_t places = base->rows;

    for (uint32_t i = 0; i < s->rows; i++) {
        if (!row_fits(&s->row[i], base))
            return false;
        places += snapshot_find_row(base, s->row[i].id) == NULL;
    }
    return places <= SNAPSHOT_ROWS;
}

bool snapshot_delta_fits(const struct snapshot *s, const struct snapshot *base)
{
    if (s->final || s->regions != 0 || base->regions != 0 || s->exact != base->exact || s->serial <= base->serial)
        return false;
    if (!none_lower(s, base, head_fields, COUNT(head_fields)))
        return false;
    for (unsigned i = 0; i < SNAPSHOT_BUCKETS; i++)
        if (s->bucket[i] < base->bucket[i])
            return false;
    return rows_fit(s, base);
}

static void put(struct delta_writer *w, uint64_t n)
{
    w->length += leb128_put(w->changes + w->length, n);
}

static uint32_t mask_of(const void *now, const void *then, const struct field *f, unsigned count)
{
    uint32_t mask = 0;

    for (unsigned i = 0; i < count; i++)
        mask |= (uint32_t)(number_at(now, f[i].at) != number_at(then, f[i].at)) << i;
    return mask;
}

static void put_differences(struct delta_writer *w, const void *now, const void *then, uint32_t mask,
                            const struct field *f)
{
    for (; mask != 0; mask >>= 1, f++) {
        const uint64_t difference = number_at(now, f->at) - number_at(then, f->at);

        if ((mask & 1) != 0)
            put(w, f->falls ? wire_zigzag((int64_t)difference) : difference);
    }
}

static void put_head(struct delta_writer *w, const struct snapshot *s, const struct snapshot *base)
{
    const uint32_t mask = mask_of(s, base, head_fields, COUNT(head_fields));
    unsigned buckets = 0;

    put(w, mask);
    put_differences(w, s, base, mask, head_fields);
    for (unsigned i = 0; i < SNAPSHOT_BUCKETS; i++)
        buckets += s->bucket[i] != base->bucket[i];
    put(w, buckets);
    for (unsigned i = 0; i < SNAPSHOT_BUCKETS; i++)
        if (s->bucket[i] != base->bucket[i]) {
            put(w, i);
            put(w, s->bucket[i] - base->bucket[i]);
        }
}

static void put_part(struct delta_writer *w, bool last, const struct snapshot_sender *to)
{
    w->head.last = last;
    w->head.changes = (struct wire_text){ (const char *)w->changes, w->length };
    wire_begin(to->frame, WIRE_DELTA, &w->head);
    to->send(to->context, to->frame);
    w->head.part++;
    w->length = w->rows = w->mask = 0;
}

static uint32_t row_mask(const struct snapshot_row *now, const struct snapshot_row *then)
{
    const struct snapshot_row a = said(now), b = said(then);

    return mask_of(&a, &b, row_fields, COUNT(row_fields));
}

/* Change `number` of the base's rows, or a new row behind them; a mask of 0: it is no more. */
static void put_row(struct delta_writer *w, uint32_t number, const struct snapshot_row *now,
                    const struct snapshot_row *then, const struct snapshot_sender *to)
{
    const struct snapshot_row a = said(now), b = said(then);
    const uint32_t mask = row_mask(now, then);

    if (w->length + ROW_MOST + FRAME_HEAD > sizeof w->changes)
        put_part(w, false, to);
    put(w, (uint64_t)(mask ^ w->mask) << 1 | (number != w->rows));
    if (number != w->rows)
        put(w, number - w->rows);
    w->rows = number + 1;
    w->mask = mask;
    if (then->id != now->id)
        put(w, now->id);
    put_differences(w, &a, &b, mask, row_fields);
}

void snapshot_delta_send(const struct snapshot *s, const struct snapshot *base, struct delta_writer *w,
                         const struct snapshot_sender *to)
{
    const struct snapshot_row none = { .id = 0 };
    uint32_t added = base->rows;

    w->head = (struct wire_delta){
        .epoch = to->epoch, .serial = s->serial, .base = base->serial, .samples = s->samples, .end = s->end,
    };
    w->length = w->rows = w->mask = 0;
    put_head(w, s, base);
    for (uint32_t i = 0; i < base->rows; i++) {
        const struct snapshot_row *const then = &base->row[i], *const now = snapshot_find_row(s, then->id);

        if (now == NULL || row_mask(now, then) != 0)
            put_row(w, i, now != NULL ? now : then, then, to);
    }
    for (uint32_t i = 0; i < s->rows; i++)
        if (snapshot_find_row(base, s->row[i].id) == NULL)
            put_row(w, added++, &s->row[i], &none, to);
    put_part(w, true, to);
}

/* ---- to receive ---- */

void delta_reader_begin(struct delta_reader *r, const struct snapshot *base, struct snapshot *to)
{
    memset(r, 0, sizeof *r);
    r->base = base;
    r->to = to;
    memcpy(to, base, snapshot_bytes(base));
    to->final = false;
}

/* Add the differences that the mask names; false where they are cut short or the sum does not fit. */
static bool get_differences(struct leb128_bytes *from, void *to, uint64_t mask, const struct field *f, unsigned count)
{
    if (mask >> count != 0)
        return false;
    for (; mask != 0; mask >>= 1, f++) {
        uint64_t n, difference;

        if ((mask & 1) == 0)
            continue;
        if (!leb128_get(from, &difference))
            return false;
        n = number_at(to, f->at);
        if (f->falls)
            n += (uint64_t)wire_unzigzag(difference);
        else if (__builtin_add_overflow(n, difference, &n))
            return false;
        memcpy((char *)to + f->at, &n, sizeof n);
    }
    return true;
}

static bool get_head(struct delta_reader *r, struct leb128_bytes *from)
{
    uint64_t mask, buckets, bucket, count;

    if (!leb128_get(from, &mask) || !get_differences(from, r->to, mask, head_fields, COUNT(head_fields)) ||
        !leb128_get(from, &buckets) || buckets > SNAPSHOT_BUCKETS)
        return false;
    for (; buckets != 0; buckets--)
        if (!leb128_get(from, &bucket) || bucket >= SNAPSHOT_BUCKETS || !leb128_get(from, &count) ||
            __builtin_add_overflow(r->to->bucket[bucket], count, &r->to->bucket[bucket]))
            return false;
    return true;
}

/* The row behind those of the base whose id follows; NULL: it is known already, or there is no room. */
static struct snapshot_row *new_row(struct delta_reader *r, struct leb128_bytes *from)
{
    uint64_t id;

    if (!leb128_get(from, &id) || id > UINT32_MAX || snapshot_find_row(r->to, (uint32_t)id) != NULL)
        return NULL;
    return snapshot_row(r->to, (uint32_t)id);
}

/* Row `number` of the base, or a new one; each stands once. */
static struct snapshot_row *next_row(struct delta_reader *r, uint64_t number, struct leb128_bytes *from)
{
    struct snapshot_row *const row = number < r->base->rows ? &r->to->row[number] : new_row(r, from);

    if (row == NULL || r->stood[row - r->to->row])
        return NULL;
    r->stood[row - r->to->row] = true;
    return row;
}

/* Where the reading of a part's rows is. */
struct at_row {
    uint64_t number;
    uint64_t mask; /* of the row before it */
};

static bool get_row(struct delta_reader *r, struct at_row *at, struct leb128_bytes *from)
{
    uint64_t first, skipped = 0;
    struct snapshot_row *row, changed;

    if (!leb128_get(from, &first) || ((first & 1) != 0 && !leb128_get(from, &skipped)) || skipped > SNAPSHOT_ROWS)
        return false;
    at->number += skipped;
    at->mask ^= first >> 1;
    row = next_row(r, at->number, from);
    if (row == NULL)
        return false;
    r->gone[row - r->to->row] = at->mask == 0 && at->number < r->base->rows;
    at->number++;
    changed = said(row);
    if (!get_differences(from, &changed, at->mask, row_fields, COUNT(row_fields)))
        return false;
    *row = meant(&changed);
    return true;
}

bool delta_reader_part(struct delta_reader *r, const struct wire_delta *part)
{
    struct leb128_bytes from = wire_bytes_of(part->changes);
    struct at_row at = { 0, 0 };

    if (part->part >= DELTA_PARTS || part->last > 1 || (r->seen >> part->part & 1) != 0)
        return false;
    if (part->last != 0)
        r->parts = part->part + 1;
    r->seen |= 1ull << part->part;
    r->to->serial = part->serial;
    r->to->samples = part->samples;
    r->to->end = part->end;
    if (part->part == 0 && !get_head(r, &from))
        return false;
    while (from.at != from.end)
        if (!get_row(r, &at, &from))
            return false;
    return true;
}

bool delta_reader_end(struct delta_reader *r)
{
    struct snapshot *const s = r->to;
    uint32_t kept = 0;

    if (r->parts == 0 || r->seen != (r->parts < DELTA_PARTS ? (1ull << r->parts) - 1 : ~0ull))
        return false;
    for (uint32_t i = 0; i < s->rows; i++)
        if (!r->gone[i]) {
            if (kept != i)
                s->row[kept] = s->row[i];
            kept++;
        }
    s->rows = kept;
    return true;
}
