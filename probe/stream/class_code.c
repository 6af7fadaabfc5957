/* SPDX-License-Identifier: MIT */
/* What the sender and the receiver of classes learn within a frame. */
#include "probe/stream/class_code.h"

#include "probe/schedule/memory.h"

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
