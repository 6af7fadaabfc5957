/* SPDX-License-Identifier: MIT */
/* Appends fields of protocol buffers to a buffer that grows. */
#include "tools/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

enum wire_type { WIRE_VARINT = 0, WIRE_LENGTH = 2 };

void protobuf_varint(struct protobuf *to, uint64_t value)
{
    do {
        GROW(to->byte, to->count);
        to->byte[to->count++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
}

static void tag(struct protobuf *to, unsigned field, enum wire_type type)
{
    protobuf_varint(to, (uint64_t)field << 3 | type);
}

void protobuf_number(struct protobuf *to, unsigned field, uint64_t value)
{
    tag(to, field, WIRE_VARINT);
    protobuf_varint(to, value);
}

void protobuf_bytes(struct protobuf *to, unsigned field, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;

    tag(to, field, WIRE_LENGTH);
    protobuf_varint(to, length);
    for (size_t i = 0; i < length; i++) {
        GROW(to->byte, to->count);
        to->byte[to->count++] = at[i];
    }
}

void protobuf_text(struct protobuf *to, unsigned field, const char *text)
{
    protobuf_bytes(to, field, text, strlen(text));
}

void protobuf_message(struct protobuf *to, unsigned field, struct protobuf *message)
{
    protobuf_bytes(to, field, message->byte, message->count);
    protobuf_free(message);
}

void protobuf_free(struct protobuf *p)
{
    free(p->byte);
    *p = (struct protobuf){0};
}
