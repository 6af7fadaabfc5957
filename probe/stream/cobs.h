/* SPDX-License-Identifier: MIT */
/*
 * Consistent Overhead Byte Stuffing (Cheshire and Baker, 1999): bytes without
 * zeros, so that a zero can end a frame and fill the line between frames.
 */
#ifndef PROBE_STREAM_COBS_H
#define PROBE_STREAM_COBS_H

#include <stddef.h>
#include <stdint.h>

/* Most bytes that `length` bytes can become, the ending zero not counted. */
#define COBS_ROOM(length) ((length) + (length) / 254 + 1)

/* Encode; `out` has COBS_ROOM(length) bytes.  Returns the bytes written. Any context. */
size_t cobs_encode(uint8_t *out, const uint8_t *in, size_t length);

/*
 * Decode `length` bytes without a zero among them into `out`, which has
 * `length` bytes (in place allowed).  Returns the bytes written, or -1 where
 * the code bytes do not add up.  Reads nothing past the input.  Any context.
 */
ptrdiff_t cobs_decode(uint8_t *out, const uint8_t *in, size_t length);

#endif
