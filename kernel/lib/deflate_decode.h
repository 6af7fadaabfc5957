/* SPDX-License-Identifier: MIT */
/* Bytes that were packed by deflate (RFC 1951), back in memory of the caller. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Unpack the stream that begins at `from` and ends within `bytes`: how many bytes of it were used; 0 where it is
 * damaged, or does not make exactly `size` bytes.  Neither reads nor writes beyond the two ranges, whatever the stream
 * says; takes time in proportion to their sum; uses 1.5 KiB of stack.  Any context but interrupts.
 */
size_t deflate_decode(const void *from, size_t bytes, void *to, size_t size);
