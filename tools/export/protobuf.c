/* SPDX-License-Identifier: MIT */
/* Writes protocol buffers, message by message. */
#include "tools/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

#define VARINT_BYTES 10
#define ROOM_FIRST   64u

enum wire_form { FORM_VARINT = 0, FORM_LENGTH = 2 };

static void add(struct protobuf *to, const void *bytes, size_t length)
{
    while (to->room - to->count < length) {
        to->room = to->room ? 2 * to->room : ROOM_FIRST;
        to->byte = xrealloc_array(to->byte, to->room, 1);
    }
    if (length)
        memcpy(to->byte + to->count, bytes, length);
    to->count += length;
}

static size_t encode(uint8_t bytes[VARINT_BYTES], uint64_t value)
{
    size_t length = 0;

    do {
        bytes[length++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    return length;
}

static uint64_t tag_of(unsigned field, enum wire_form form)
{
    return (uint64_t)field << 3 | form;
}

void protobuf_varint(struct protobuf *to, uint64_t value)
{
    uint8_t bytes[VARINT_BYTES];

    add(to, bytes, encode(bytes, value));
}

void protobuf_number(struct protobuf *to, unsigned field, uint64_t value)
{
    protobuf_varint(to, tag_of(field, FORM_VARINT));
    protobuf_varint(to, value);
}

static void put_bytes(struct protobuf *to, unsigned field, const void *bytes, size_t length)
{
    protobuf_varint(to, tag_of(field, FORM_LENGTH));
    protobuf_varint(to, length);
    add(to, bytes, length);
}

void protobuf_text(struct protobuf *to, unsigned field, const char *text)
{
    put_bytes(to, field, text, strlen(text));
}

void protobuf_message(struct protobuf *to, unsigned field, struct protobuf *message)
{
    put_bytes(to, field, message->byte, message->count);
    protobuf_free(message);
}

void protobuf_put(FILE *out, unsigned field, struct protobuf *message)
{
    uint8_t bytes[VARINT_BYTES];

    fwrite(bytes, 1, encode(bytes, tag_of(field, FORM_LENGTH)), out);
    fwrite(bytes, 1, encode(bytes, message->count), out);
    if (message->count)
        fwrite(message->byte, 1, message->count, out);
    message->count = 0;
}

void protobuf_free(struct protobuf *p)
{
    free(p->byte);
    *p = (struct protobuf){0};
}
