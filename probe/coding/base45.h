/* SPDX-License-Identifier: MIT */
/* Base45 (RFC 9285): bytes as the 45 characters that QR codes have room for best.  Any context. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The characters of so many bytes. */
#define BASE45_ROOM(bytes) ((bytes) / 2 * 3 + (bytes) % 2 * 2)

/* Encode; `out` has BASE45_ROOM(length) characters, without a zero at the end.  Returns how many. */
size_t base45_encode(char *out, const uint8_t *in, size_t length);

/* Decode `length` characters into `out`, which has `length` bytes.  Returns the bytes, or -1 if it is no Base45. */
ptrdiff_t base45_decode(uint8_t *out, const char *in, size_t length);

/* Marks the text of a code on the screen: bytes of a stream in Base45 follow (docs/PROTOCOL.md, "Codes"). */
#define CODE_TAG "CPUPROBE1:"
