/* SPDX-License-Identifier: MIT */
/* The sender of classes of states. */
#include "probe/stream/class_encode.h"

#include "probe/coding/column_pack.h"
#include "probe/coding/leb128.h"
#include "probe/schedule/memory.h"

#define CODE_LONGEST (4 + 2 * LEB128_MOST) /* first byte, back, kind, attribute, length */

static uint32_t place_bytes(uint32_t count)
{
    return (count + 3) / 4;
}

/* The same runs as those of `code`, with the places of their kinds and their lengths apart.  Returns the bytes. */
static uint32_t pack(struct class_encoder *s)
{
    const uint32_t places = place_bytes((uint32_t)s->head.count);
    uint32_t put = 1;

    memcpy(s->packed + put, s->place, places);
    put += places;
    memcpy(s->packed + put, s->kind, s->kinds);
    put += s->kinds;
    return put + step_list_write(&s->lengths, &s->classes, s->packed + put, &s->packed[0]);
}

/* In the form that takes fewer bytes: lengths that do not come again are shorter among the kinds. */
static void send_frame(struct class_encoder *s)
{
    enum wire_type type = WIRE_STATES;

    s->head.lost = s->lost;
    s->head.lost_time = s->lost_time;
    s->head.codes = (struct wire_text){(const char *)s->code, s->codes};
    if (s->head.count != 0) {
        const uint32_t bytes = pack(s);

        if (bytes < s->codes) {
            type = WIRE_PACKED_STATES;
            s->head.codes = (struct wire_text){(const char *)s->packed, bytes};
        }
    }
    wire_begin(&s->frame, type, &s->head);
    s->request.send(s->request.context, &s->frame);
    s->head.count = 0;
    s->codes = s->kinds = 0;
}

static void begin_frame(struct class_encoder *s, uint64_t time)
{
    s->head = (struct wire_states){
        .epoch = s->request.epoch, .first = s->number, .time = time, .unit = s->request.unit,
    };
    s->time = time;
    class_code_begin(&s->known);
    step_list_begin(&s->lengths);
}

static uint8_t kind_of(const struct class_encoder *s, const struct class_stretch *run)
{
    if (!run->attributed)
        return run->code;
    return run->code | (run->attribute == s->known.last ? CLASS_KIND_SAME : CLASS_KIND_ATTRIBUTE);
}

static void put_byte(struct class_encoder *s, unsigned byte)
{
    s->code[s->codes++] = (uint8_t)byte;
}

static void put_attribute(struct class_encoder *s, uint64_t attribute)
{
    const unsigned number = class_code_attribute(&s->known, attribute);

    put_byte(s, number);
    if (number == 0)
        s->codes += leb128_put(s->code + s->codes, attribute);
}

/* The kind of a run as bytes, after its first one; where that has the place, there are none. */
static void put_kind(struct class_encoder *s, uint8_t kind, unsigned place, bool back)
{
    if (place != CLASS_CODE_PLACES)
        return;
    if (back)
        put_byte(s, CLASS_KIND_BACK);
    put_byte(s, kind);
}

/* The place and what follows it, from code[from] on, a second time for pack(). */
static void put_apart(struct class_encoder *s, unsigned place, uint32_t from)
{
    const uint32_t at = (uint32_t)s->head.count;

    if (at % 4 == 0)
        s->place[at / 4] = 0;
    s->place[at / 4] |= (uint8_t)(place << 2 * (at % 4));
    memcpy(s->kind + s->kinds, s->code + from, s->codes - from);
    s->kinds += s->codes - from;
}

static void put_run(struct class_encoder *s, const struct class_stretch *run)
{
    const int64_t steps = unit_steps((int64_t)(run->end - s->time), s->request.unit);
    const bool back = steps < 0;
    const uint64_t length = back ? -(uint64_t)steps : (uint64_t)steps, upper = length >> CLASS_CODE_LENGTH_BITS;
    const uint8_t kind = kind_of(s, run);
    const unsigned place = back ? CLASS_CODE_PLACES : class_code_place(&s->known, kind);
    uint32_t from;

    put_byte(s, place << CLASS_CODE_PLACE | (upper != 0 ? CLASS_CODE_MORE : 0) | (length & (CLASS_CODE_MORE - 1)));
    from = s->codes;
    put_kind(s, kind, place, back);
    class_code_note(&s->known, kind, !back);
    if (kind & CLASS_KIND_ATTRIBUTE)
        put_attribute(s, run->attribute);
    put_apart(s, place, from);
    step_list_put(&s->lengths, steps);
    if (upper != 0)
        s->codes += leb128_put(s->code + s->codes, upper);
    s->time += (uint64_t)steps * s->request.unit;
}

static bool has_room(const struct class_encoder *s)
{
    return s->head.count < CLASS_FRAME_MAX && s->codes + CODE_LONGEST <= CLASS_CODES_MAX;
}

void class_encoder_begin(struct class_encoder *s, const struct class_encoder_request *request)
{
    memset(s, 0, sizeof *s);
    s->request = *request;
}

void class_encoder_put(struct class_encoder *s, const struct class_stretch *run)
{
    if (!has_room(s))
        class_encoder_flush(s);
    if (s->head.count == 0)
        begin_frame(s, run->begin);
    put_run(s, run);
    s->head.count++;
    s->number++;
}

void class_encoder_lost(struct class_encoder *s, uint64_t lost, uint64_t time)
{
    s->lost = lost;
    s->lost_time = time;
}

void class_encoder_flush(struct class_encoder *s)
{
    if (s->head.count != 0)
        send_frame(s);
}

void class_encoder_end(struct class_encoder *s, uint64_t end)
{
    class_encoder_flush(s);
    begin_frame(s, end);
    send_frame(s);
}

/* What the sender and the receiver of classes learn within a frame. */

void class_code_begin(struct class_code *c)
{
    memset(c->followed, CLASS_KIND_NONE, sizeof c->followed);
    c->before = CLASS_SENT;
    c->attributes = 0;
    c->last = 0;
}

unsigned class_code_place(const struct class_code *c, uint8_t kind)
{
    unsigned place = 0;

    while (place < CLASS_CODE_PLACES && c->followed[c->before][place] != kind)
        place++;
    return place;
}

void class_code_note(struct class_code *c, uint8_t kind, bool listed)
{
    uint8_t *const list = c->followed[c->before];
    unsigned place = class_code_place(c, kind);

    c->before = kind & CLASS_KIND_CODE;
    if (!listed)
        return;
    if (place == CLASS_CODE_PLACES)
        place--;
    for (; place > 0; place--)
        list[place] = list[place - 1];
    list[0] = kind;
}

void class_code_set_attribute(struct class_code *c, uint64_t attribute, bool new)
{
    if (new && c->attributes < CLASS_ATTRIBUTES)
        c->attribute[c->attributes++] = attribute;
    c->last = attribute;
}

unsigned class_code_attribute(struct class_code *c, uint64_t attribute)
{
    unsigned number = 0;

    while (number < c->attributes && c->attribute[number] != attribute)
        number++;
    if (number == c->attributes)
        number = CLASS_ATTRIBUTES;
    class_code_set_attribute(c, attribute, number == CLASS_ATTRIBUTES);
    return number == CLASS_ATTRIBUTES ? 0 : number + 1;
}
