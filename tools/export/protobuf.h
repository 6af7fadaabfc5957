/* SPDX-License-Identifier: MIT */
/* Writes protocol buffers (their encoding, "Message Structure"): numbers and bytes by field.  Host. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct protobuf { /* all zeros: empty */
    uint8_t *byte;
    size_t count;
};

void protobuf_number(struct protobuf *to, unsigned field, uint64_t value);
void protobuf_bytes(struct protobuf *to, unsigned field, const void *bytes, size_t length);

/* A text, or a message, which is emptied. */
void protobuf_text(struct protobuf *to, unsigned field, const char *text);
void protobuf_message(struct protobuf *to, unsigned field, struct protobuf *message);

/* Numbers of a repeated field as one: `packed` has them as varints, and is emptied. */
void protobuf_varint(struct protobuf *packed, uint64_t value);

void protobuf_free(struct protobuf *p);
