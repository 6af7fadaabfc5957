/* SPDX-License-Identifier: MIT */
/*
 * Consistent Overhead Byte Stuffing (Cheshire and Baker, 1999): bytes without
 * zeros, so that a zero can end a frame and fill the line between frames.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The largest encoded size of `length` bytes, without the final zero. */
#define COBS_ROOM(length) ((length) + (length) / 254 + 1)

/* Encode; `out` has COBS_ROOM(length) bytes.  Returns the bytes written. Any context. */
size_t cobs_encode(uint8_t *out, const uint8_t *in, size_t length);

/*
 * Decode `length` bytes into `out`, which has `length` bytes (in place allowed).
 * Returns the bytes written, or -1 if a code byte points past the input or a byte is
 * zero.  Reads nothing past the input.  Any context.
 */
ptrdiff_t cobs_decode(uint8_t *out, const uint8_t *in, size_t length);
