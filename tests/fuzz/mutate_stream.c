/* SPDX-License-Identifier: MIT */
/*
 * Mutations for libFuzzer that know frames and fields: a stream becomes a list
 * of its frames; of that, frames are moved and their numbers and texts changed.
 */
#include "tests/fuzz/fuzz.h"

#include "tests/fuzz/mutate.h"
#include "tools/stream/frame_decoder.h"

#define FIELDS_MOST FUZZ_FIELDS_MOST
#define ROOM        FUZZ_ROOM

static uint32_t state;

uint32_t fuzz_draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

/* ---- lists ---- */

static void read_list(struct fuzz_list *l, const uint8_t *data, size_t size)
{
    const uint8_t *at = data + 1;

    l->count = 0;
    while (l->count < FUZZ_ITEMS_MOST && fuzz_next(&at, data + size, &l->item[l->count]))
        l->count++;
}

void fuzz_put(struct fuzz_output *out, const void *bytes, size_t length)
{
    if (length > out->most - out->length)
        length = out->most - out->length;
    if (length)
        memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
}

static void put_item(struct fuzz_output *out, const struct fuzz_item *item)
{
    const uint8_t head[FUZZ_ITEM] = {item->type, (uint8_t)item->length,
                                     (uint8_t)(item->length >> 8)};

    fuzz_put(out, head, sizeof(head));
    fuzz_put(out, item->at, item->length);
}

static size_t write_list(const struct fuzz_list *l, uint8_t first, uint8_t *data, size_t most)
{
    static uint8_t bytes[ROOM];
    struct fuzz_output out = {bytes, 0, most < ROOM ? most : ROOM};

    fuzz_put(&out, &first, 1);
    for (size_t i = 0; i < l->count; i++)
        put_item(&out, &l->item[i]);
    memcpy(data, bytes, out.length);
    return out.length;
}

/* ---- a stream into a list ---- */

size_t fuzz_list_of(uint8_t *data, size_t size, size_t most)
{
    static struct frame_decoder s;
    static uint8_t bytes[ROOM];
    struct fuzz_output out = {bytes, 0, most < ROOM ? most : ROOM};
    struct stream_event event;
    const uint8_t first = data[0] | FUZZ_FRAMES;

    decoder_init(&s);
    fuzz_put(&out, &first, 1);
    for (size_t i = 1; i < size;) {
        i += decoder_feed(&s, data + i, size - i, &event);
        if (event.kind == STREAM_RECORD || event.kind == STREAM_UNKNOWN)
            put_item(&out, &(struct fuzz_item){(uint8_t)event.reader.type, event.reader.at,
                                               (size_t)(event.reader.end - event.reader.at)});
    }
    memcpy(data, bytes, out.length);
    return out.length;
}

/* ---- one frame ---- */

size_t fuzz_number_at(const uint8_t *at, const uint8_t *end, uint64_t *n)
{
    size_t length = 0;

    *n = 0;
    while (at + length < end && length < 10) {
        *n |= (uint64_t)(at[length] & 0x7f) << 7 * length;
        if (!(at[length++] & 0x80))
            return length;
    }
    return 0;
}

static bool find_field(const struct fuzz_item *item, bool text, size_t *at, struct fuzz_place *p)
{
    uint64_t n;
    size_t length = fuzz_number_at(item->at + *at, item->at + item->length, &n);

    if (!length || (text && n > item->length - *at - length))
        return false;
    *p = (struct fuzz_place){*at, text ? (size_t)n : length, text ? *at + length : *at, text};
    *at = p->at + p->length;
    return true;
}

/* As far as the fields can be read. */
size_t fuzz_find_fields(const struct fuzz_item *item, struct fuzz_place *p)
{
    const struct wire_record *record = wire_record(item->type);
    size_t at = 0, count = 0;

    for (unsigned i = 0; record && i < record->heads; i++, count++)
        if (!find_field(item, record->head[i].text, &at, &p[count]))
            return count;
    while (record && record->rows && at < item->length && count + record->rows < FIELDS_MOST)
        for (unsigned i = 0; i < record->rows; i++, count++)
            if (!find_field(item, record->row[i].text, &at, &p[count]))
                return count;
    return count;
}

uint64_t fuzz_some_number(uint64_t before, uint64_t other)
{
    switch (fuzz_draw(10)) {
    case 0: return fuzz_draw(4);
    case 1: return fuzz_draw(1024);
    case 2: return (uint64_t)1 << fuzz_draw(64);
    case 3: return ((uint64_t)1 << fuzz_draw(64)) - 1;
    case 4: return UINT64_MAX - fuzz_draw(3);
    case 5: return before + 1;
    case 6: return before - 1;
    case 7: return other;
    case 8: return before * (2 + fuzz_draw(8));
    default: return (uint64_t)fuzz_draw(UINT32_MAX) << 32 | fuzz_draw(UINT32_MAX);
    }
}

void fuzz_put_number(struct fuzz_output *out, uint64_t n)
{
    do {
        const uint8_t byte = (uint8_t)((n & 0x7f) | (n > 0x7f ? 0x80 : 0));

        fuzz_put(out, &byte, 1);
        n >>= 7;
    } while (n);
}

/* Another number or text in place of the field. */
static void put_changed(struct fuzz_output *out, const struct fuzz_item *item, const struct fuzz_place *p,
                        const struct fuzz_place *other)
{
    uint8_t text[2 * WIRE_FIELDS_MAX];
    uint64_t n, m;

    fuzz_number_at(item->at + p->at, item->at + item->length, &n);
    fuzz_number_at(item->at + other->start, item->at + item->length, &m);
    if (!p->text) {
        fuzz_put_number(out, fuzz_some_number(n, m));
        return;
    }
    n = p->length < WIRE_FIELDS_MAX ? p->length : WIRE_FIELDS_MAX;
    memcpy(text, item->at + p->at, n);
    n = LLVMFuzzerMutate(text, n, WIRE_FIELDS_MAX);
    fuzz_put_number(out, n);
    fuzz_put(out, text, n);
}

static void change_field(struct fuzz_item *item, struct fuzz_output *out)
{
    static struct fuzz_place places[FIELDS_MOST];
    size_t count = fuzz_find_fields(item, places);
    const struct fuzz_place *p = count ? &places[fuzz_draw((uint32_t)count)] : NULL;

    if (!p)
        return;
    fuzz_put(out, item->at, p->start);
    put_changed(out, item, p, &places[fuzz_draw((uint32_t)count)]);
    fuzz_put(out, item->at + p->at + p->length, item->length - p->at - p->length);
    item->at = out->bytes;
    item->length = out->length;
}

static void put_at(struct fuzz_output *out, const struct fuzz_item *item, const struct fuzz_place *p, uint64_t n)
{
    fuzz_put(out, item->at, p->start);
    fuzz_put_number(out, n);
    fuzz_put(out, item->at + p->at + p->length, item->length - p->at - p->length);
}

/* From one number of the frame to another one, modulo 2^64: their sum stays, which hides a lie. */
static void shift_amount(struct fuzz_item *item, struct fuzz_output *out)
{
    static struct fuzz_place places[FIELDS_MOST];
    static uint8_t half[4 * WIRE_FIELDS_MAX];
    const size_t count = fuzz_find_fields(item, places);
    struct fuzz_output first = {half, 0, sizeof(half)};
    struct fuzz_item changed = *item;
    uint64_t from, to, amount;
    size_t a, b;

    if (count < 2)
        return;
    a = fuzz_draw((uint32_t)count - 1);
    b = a + 1 + fuzz_draw((uint32_t)(count - a) - 1);
    if (places[a].text || places[b].text)
        return;
    fuzz_number_at(item->at + places[a].at, item->at + item->length, &from);
    fuzz_number_at(item->at + places[b].at, item->at + item->length, &to);
    amount = fuzz_some_number(from, to);
    put_at(&first, item, &places[b], to + amount); /* the later one, so that the other stays where it is */
    changed = (struct fuzz_item){item->type, half, first.length};
    put_at(out, &changed, &places[a], from - amount);
    item->at = out->bytes;
    item->length = out->length;
}

static void change_bytes(struct fuzz_item *item, struct fuzz_output *out)
{
    fuzz_put(out, item->at, item->length);
    item->length = LLVMFuzzerMutate(out->bytes, out->length, WIRE_FIELDS_MAX);
    item->at = out->bytes;
}

/* ---- the list ---- */

static void insert(struct fuzz_list *l, struct fuzz_item item)
{
    size_t at = fuzz_draw((uint32_t)l->count + 1);

    if (l->count == FUZZ_ITEMS_MOST)
        return;
    memmove(&l->item[at + 1], &l->item[at], (l->count - at) * sizeof(item));
    l->item[at] = item;
    l->count++;
}

static void remove_at(struct fuzz_list *l, size_t at)
{
    l->count--;
    memmove(&l->item[at], &l->item[at + 1], (l->count - at) * sizeof(l->item[0]));
}

/* How many types of records there are: they count from 1. */
static uint32_t types(void)
{
    uint32_t count = 0;

    while (wire_record_at(count))
        count++;
    return count;
}

static void mutate_list(struct fuzz_list *l)
{
    static uint8_t bytes[ROOM];
    struct fuzz_output out = {bytes, 0, sizeof(bytes)};
    size_t at = fuzz_draw((uint32_t)l->count);
    struct fuzz_item *item = &l->item[at];

    if (item->length > WIRE_FIELDS_MAX)
        item->length = WIRE_FIELDS_MAX;
    switch (fuzz_draw(24)) {
    case 0: insert(l, *item); break;
    case 1: remove_at(l, at); break;
    case 2: {
        struct fuzz_item moved = *item;

        remove_at(l, at);
        insert(l, moved);
        break;
    }
    case 3: item->type = (uint8_t)(fuzz_draw(8) ? 1 + fuzz_draw(types()) : FUZZ_JUMP + fuzz_draw(2)); break;
    case 4: case 5: change_bytes(item, &out); break;
    case 6: case 7: shift_amount(item, &out); break;
    case 8: fuzz_move_times(l, &out); break;
    case 9: case 10: fuzz_insert_items(l, &out); break;
    case 11: case 12: case 13: case 14: case 15: case 16: case 17: fuzz_insert_records(l, &out); break;
    default: change_field(item, &out); break;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct fuzz_list list;

    state = seed * 2654435769u + 1;
    if (!size)
        return LLVMFuzzerMutate(data, size, most);
    if (!(data[0] & FUZZ_FRAMES))
        return fuzz_draw(4) ? LLVMFuzzerMutate(data, size, most) : fuzz_list_of(data, size, most);
    if (!fuzz_draw(8))
        data[0] = (uint8_t)(fuzz_draw(128) << 1 | FUZZ_FRAMES); /* another command */
    read_list(&list, data, size);
    if (!list.count || !fuzz_draw(16))
        return LLVMFuzzerMutate(data, size, most);
    for (uint32_t more = 1 + fuzz_draw(4); more && list.count; more--) {
        mutate_list(&list);
        size = write_list(&list, data[0], data, most);
        read_list(&list, data, size);
    }
    return size;
}

/* The beginning of one list, the end of another. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b,
                                 size_t b_size, uint8_t *out, size_t most, unsigned seed)
{
    static struct fuzz_list one, other;
    size_t from;

    state = seed * 2654435769u + 1;
    if (!a_size || !b_size || !(a[0] & b[0] & FUZZ_FRAMES))
        return 0;
    read_list(&one, a, a_size);
    read_list(&other, b, b_size);
    one.count = fuzz_draw((uint32_t)one.count + 1);
    from = fuzz_draw((uint32_t)other.count + 1);
    while (from < other.count && one.count < FUZZ_ITEMS_MOST)
        one.item[one.count++] = other.item[from++];
    return write_list(&one, a[0], out, most);
}
