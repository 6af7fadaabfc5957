/* SPDX-License-Identifier: MIT */
/* Declares how protocol buffers are written (their encoding, "Message Structure"): numbers and bytes by field. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A message, or the numbers of a packed field. */
struct protobuf { /* all zeros: empty */
    uint8_t *byte;
    size_t count, room;
};

/* A number without its field, for packed fields; a negative one as 64 bits. */
void protobuf_varint(struct protobuf *to, uint64_t value);

void protobuf_number(struct protobuf *to, unsigned field, uint64_t value);
void protobuf_text(struct protobuf *to, unsigned field, const char *text);

/* Add a message within this one, or packed numbers; it is emptied. */
void protobuf_message(struct protobuf *to, unsigned field, struct protobuf *message);

/* Write a message as a field of the one that the file is; it is emptied, and keeps its memory. */
void protobuf_put(FILE *out, unsigned field, struct protobuf *message);

void protobuf_free(struct protobuf *p);
