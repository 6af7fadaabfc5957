/* SPDX-License-Identifier: MIT */
/* Keeps the frames that a part of a stream begins with, and decodes them into a model. */
#include "tools/archive/stream_preface.h"

#include <stdlib.h>
#include <string.h>

#include "probe/stream/wire_fields.h"
#include "tools/base/alloc.h"

/*
 * In the order in which they are written; of the first ones the latest counts, of the others all do, but for the last
 * ones: they are of the last two whole snapshots, since the last one may still be coming.
 */
static const uint8_t kept[] = {WIRE_HELLO, WIRE_PROGRAMS, WIRE_HEALTH, WIRE_NAMES, WIRE_PLACES, WIRE_PACKED_PLACES,
                               WIRE_EVENT_KEYS, WIRE_SNAPSHOT};
#define KEPT   (sizeof(kept) / sizeof(kept[0]))
#define LATEST 2

/* The parts of a snapshot stand behind its head, in their order. */
static bool is_part(unsigned type)
{
    return type == WIRE_SNAPSHOT || type == WIRE_CELLS || type == WIRE_EXACT || type == WIRE_LATENESS ||
           type == WIRE_REGION;
}

/* Where a type stands among these; KEPT: it does not. */
static size_t rank(unsigned type)
{
    size_t i = 0;

    while (i < KEPT && kept[i] != (is_part(type) ? WIRE_SNAPSHOT : type))
        i++;
    return i;
}

/* The epoch is the first field of these, but for HELLO; of parts of a snapshot the second one is its number. */
static struct preface_frame frame_of(struct wire_reader r)
{
    struct preface_frame f = {
        .type = (uint8_t)r.type, .length = (size_t)(r.end - r.at), .fields = (uint8_t *)(uintptr_t)r.at,
    };
    union wire_head head;

    memset(&head, 0, sizeof(head));
    wire_read_head(&r, &head);
    f.epoch = wire_head_epoch(r.type, &head);
    f.serial = is_part(r.type) ? head.cells.serial : 0;
    return f;
}

/* A frame takes the place of the one before with the same key. */
static uint64_t key_of(const struct preface_frame *f)
{
    const uint64_t what[] = {f->type, f->epoch};
    const uint64_t key = index_key(what, sizeof(what));

    return rank(f->type) < LATEST ? key : key ^ index_key(f->fields, f->length);
}

static void drop(struct stream_preface *p, size_t i)
{
    p->bytes -= p->frame[i].length;
    p->frames -= p->frame[i].fields != NULL;
    free(p->frame[i].fields);
    p->frame[i] = (struct preface_frame){0};
}

/* Close the gaps when they are more than the frames, so that each drop costs a constant time in the mean. */
static void compact(struct stream_preface *p)
{
    size_t slots = 0;

    if (p->frames >= p->slots - p->slots / 2)
        return;
    index_free(&p->frame_of);
    for (size_t i = 0; i < p->slots; i++)
        if (p->frame[i].fields) {
            index_put(&p->frame_of, key_of(&p->frame[i]), slots);
            p->frame[slots++] = p->frame[i];
        }
    p->slots = slots;
}

static void drop_epoch(struct stream_preface *p, uint64_t epoch)
{
    for (size_t i = 0; i < p->slots; i++)
        if (p->frame[i].fields && p->frame[i].epoch == epoch)
            drop(p, i);
    compact(p);
}

static void note_epoch(struct stream_preface *p, uint64_t epoch)
{
    const uint64_t oldest = p->epoch[1];

    if (epoch == p->epoch[0])
        return;
    p->epoch[1] = p->epoch[0];
    p->epoch[0] = epoch;
    if (oldest && oldest != epoch)
        drop_epoch(p, oldest);
}

/* A part of a snapshot has come: those before the one before it are not needed any more. */
static void drop_older(struct stream_preface *p, const struct preface_frame *f)
{
    uint64_t before = 0;

    if (f->epoch == p->part_epoch && f->serial == p->part_serial)
        return;
    p->part_epoch = f->epoch;
    p->part_serial = f->serial;
    for (size_t i = 0; i < p->slots; i++)
        if (p->frame[i].epoch == f->epoch && p->frame[i].serial < f->serial && p->frame[i].serial > before)
            before = p->frame[i].serial;
    for (size_t i = 0; i < p->slots; i++)
        if (p->frame[i].epoch == f->epoch && p->frame[i].serial && p->frame[i].serial < before)
            drop(p, i);
}

static void keep(struct stream_preface *p, const struct preface_frame *f)
{
    const uint64_t key = key_of(f);
    size_t before;

    if (f->serial)
        drop_older(p, f);
    before = index_find(&p->frame_of, key);
    if (before != INDEX_NONE)
        drop(p, before);
    compact(p);
    if (p->bytes + f->length > PREFACE_MOST) {
        p->left_out++;
        return;
    }
    GROW(p->frame, p->slots);
    index_put(&p->frame_of, key, p->slots);
    p->frame[p->slots] = *f;
    p->frame[p->slots].fields = xrealloc_array(NULL, f->length + 1, 1);
    memcpy(p->frame[p->slots++].fields, f->fields, f->length);
    p->frames++;
    p->bytes += f->length;
}

void preface_add_event(struct stream_preface *p, const struct stream_event *event)
{
    const struct wire_reader *r = &event->reader;
    struct preface_frame f;

    if (event->kind != STREAM_RECORD && event->kind != STREAM_UNKNOWN)
        return;
    p->next = r->sequence + 1;
    if (event->kind == STREAM_UNKNOWN || (rank(r->type) == KEPT && r->type != WIRE_END))
        return;
    f = frame_of(*r);
    if (r->type == WIRE_END) {
        drop_epoch(p, f.epoch);
        return;
    }
    if (r->type == WIRE_HELLO)
        note_epoch(p, f.epoch);
    keep(p, &f);
}

static size_t encode(const struct preface_frame *f, uint16_t sequence, uint8_t out[WIRE_FRAME_MAX])
{
    struct wire_writer w;

    wire_begin(&w, f->type, NULL);
    w.length = 3;
    memcpy(w.bytes + w.length, f->fields, f->length);
    w.length += f->length;
    return wire_end(&w, sequence, out);
}

size_t preface_encode(const struct wire_reader *record, uint8_t out[WIRE_FRAME_MAX])
{
    const struct preface_frame f = {
        .type = (uint8_t)record->type, .length = (size_t)(record->end - record->at),
        .fields = (uint8_t *)(uintptr_t)record->at,
    };

    return encode(&f, record->sequence, out);
}

bool preface_write(const struct stream_preface *p, bool (*write)(void *context, const uint8_t *bytes, size_t length),
                   void *context)
{
    uint16_t sequence = (uint16_t)(p->next - p->frames);
    uint8_t bytes[WIRE_FRAME_MAX];

    for (size_t of = 0; of < KEPT; of++)
        for (size_t i = 0; i < p->slots; i++)
            if (p->frame[i].fields && rank(p->frame[i].type) == of &&
                !write(context, bytes, encode(&p->frame[i], sequence++, bytes)))
                return false;
    return true;
}

void preface_free(struct stream_preface *p)
{
    for (size_t i = 0; i < p->slots; i++)
        free(p->frame[i].fields);
    free(p->frame);
    index_free(&p->frame_of);
    memset(p, 0, sizeof(*p));
}

struct refill {
    struct frame_decoder decoder;
    struct model *model;
};

static bool refill(void *context, const uint8_t *bytes, size_t length)
{
    struct refill *r = context;
    struct stream_event event;

    for (size_t at = 0; at < length;) {
        at += decoder_feed(&r->decoder, bytes + at, length - at, &event);
        model_add_event(r->model, &event);
    }
    return true;
}

void preface_fill_model(const struct stream_preface *p, struct model *m)
{
    struct refill *r = xrealloc_array(NULL, 1, sizeof(*r)); /* a decoder is too large for the stack */

    r->model = m;
    decoder_init(&r->decoder);
    preface_write(p, refill, r);
    free(r);
}
