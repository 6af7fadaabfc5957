/* SPDX-License-Identifier: MIT */
/*
 * The codes of one frame of runs, STATES or PACKED_STATES.  The input may be damaged in a way that the checksum did
 * not detect, so every read is bounded by the frame's own bytes.
 */
#include "probe/stream/class_decode.h"

#include "probe/coding/column_unpack.h"
#include "probe/coding/leb128.h"

struct reading {
    struct leb128_bytes codes;
    struct class_code known;
    uint64_t time, unit;
};

static bool get_byte(struct leb128_bytes *codes, uint8_t *byte)
{
    if (codes->at == codes->end)
        return false;
    *byte = *codes->at++;
    return true;
}

/* The kind of a run from its first byte, and from what follows that; *back: its length is negative. */
static bool get_kind(struct reading *r, unsigned place, uint8_t *kind, bool *back)
{
    *back = false;
    if (place < CLASS_CODE_PLACES) {
        *kind = r->known.followed[r->known.before][place];
        return *kind != CLASS_KIND_NONE;
    }
    if (!get_byte(&r->codes, kind))
        return false;
    *back = *kind == CLASS_KIND_BACK;
    if (*back && !get_byte(&r->codes, kind))
        return false;
    return (*kind & CLASS_KIND_CODE) < CLASS_SENT && (*kind & CLASS_KIND_BACK) != CLASS_KIND_BACK;
}

static bool get_attribute(struct reading *r)
{
    uint64_t attribute;
    uint8_t number;

    if (!get_byte(&r->codes, &number) || number > r->known.attributes)
        return false;
    if (number != 0)
        attribute = r->known.attribute[number - 1];
    else if (!leb128_get(&r->codes, &attribute))
        return false;
    class_code_set_attribute(&r->known, attribute, number == 0);
    return true;
}

/* No product and no sum leaves the range. */
static bool get_length(struct reading *r, unsigned first, bool back)
{
    uint64_t upper = 0, length;

    if (first & CLASS_CODE_MORE &&
        (!leb128_get(&r->codes, &upper) || upper >= CLASS_TIME_END >> CLASS_CODE_LENGTH_BITS))
        return false;
    length = upper << CLASS_CODE_LENGTH_BITS | (first & (CLASS_CODE_MORE - 1));
    if (__builtin_mul_overflow(length, r->unit, &length) || length >= CLASS_TIME_END || (back && length > r->time))
        return false;
    r->time += back ? -length : length;
    return r->time < CLASS_TIME_END;
}

/* A run but for its length; *back: that is negative. */
static bool get_class(struct class_stretch *run, struct reading *r, unsigned place, bool *back)
{
    uint8_t kind;

    if (!get_kind(r, place, &kind, back))
        return false;
    class_code_note(&r->known, kind, !*back);
    if (kind & CLASS_KIND_ATTRIBUTE && !get_attribute(r))
        return false;
    *run = (struct class_stretch){
        .code = kind & CLASS_KIND_CODE, .attributed = (kind & ~CLASS_KIND_CODE) != 0,
        .attribute = (kind & ~CLASS_KIND_CODE) != 0 ? r->known.last : 0,
    };
    return true;
}

static bool get_run(struct class_stretch *run, struct reading *r)
{
    uint8_t first;
    bool back;

    if (!get_byte(&r->codes, &first) || !get_class(run, r, first >> CLASS_CODE_PLACE, &back))
        return false;
    run->begin = r->time;
    if (!get_length(r, first, back))
        return false;
    run->end = r->time;
    return true;
}

static bool get_lengths(struct class_batch *b, uint8_t form, struct leb128_bytes *codes)
{
    int64_t length[CLASS_FRAME_MAX];
    uint64_t now = b->time;

    if (!step_list_read(length, b->count, form, codes))
        return false;
    for (uint32_t i = 0; i < b->count; i++) {
        b->run[i].begin = now;
        if (!step_add(&now, length[i], b->unit))
            return false;
        b->run[i].end = now;
    }
    return true;
}

/* The numbers of the head, as far as they can be checked alone. */
static bool get_head(struct class_batch *b, const struct wire_states *head)
{
    b->first = head->first;
    b->lost = head->lost;
    b->lost_time = head->lost_time;
    b->unit = head->unit;
    b->time = head->time;
    b->count = (uint32_t)head->count;
    return head->first < CLASS_NUMBER_END && head->lost < CLASS_NUMBER_END && head->count <= CLASS_FRAME_MAX &&
           head->time < CLASS_TIME_END && head->unit != 0 && head->unit < CLASS_TIME_END;
}

static bool get_runs(struct class_batch *b, const struct wire_states *head)
{
    struct reading r = {.codes = wire_bytes_of(head->codes), .time = b->time, .unit = b->unit};

    class_code_begin(&r.known);
    for (uint32_t i = 0; i < b->count; i++)
        if (!get_run(&b->run[i], &r))
            return false;
    return r.codes.at == r.codes.end;
}

/* The places of the kinds, the kinds and attributes, and then the lengths. */
static bool get_packed(struct class_batch *b, const struct wire_states *head)
{
    struct reading r = {.codes = wire_bytes_of(head->codes)};
    const uint32_t bytes = (b->count + 3) / 4;
    const uint8_t *place;
    uint8_t form;
    bool back; /* as the sign of the length says again */

    if (!get_byte(&r.codes, &form) || r.codes.end - r.codes.at < (ptrdiff_t)bytes)
        return false;
    place = r.codes.at;
    r.codes.at += bytes;
    if (b->count % 4 != 0 && place[bytes - 1] >> 2 * (b->count % 4) != 0)
        return false;
    class_code_begin(&r.known);
    for (uint32_t i = 0; i < b->count; i++)
        if (!get_class(&b->run[i], &r, place[i / 4] >> 2 * (i % 4) & 3, &back))
            return false;
    return get_lengths(b, form, &r.codes) && r.codes.at == r.codes.end;
}

_Static_assert(CLASS_TIME_END == STEP_END, "times end with steps");
_Static_assert(sizeof(struct wire_packed_states) == sizeof(struct wire_states), "they have the same fields");

bool class_decode(struct class_batch *b, struct wire_reader *r)
{
    struct wire_states head; /* of either */
    bool whole = class_is_frame(r->type) && wire_read_head(r, &head) && get_head(b, &head);

    if (whole && r->type == WIRE_PACKED_STATES && b->count != 0)
        whole = get_packed(b, &head);
    else if (whole)
        whole = get_runs(b, &head);
    if (!whole)
        b->count = 0;
    return whole;
}
