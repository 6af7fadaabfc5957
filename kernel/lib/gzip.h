/* SPDX-License-Identifier: MIT */
/* A file of `gzip -n`: deflate between a head and its length and CRC-32 (RFC 1952). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes that a file of so many bytes says that it makes; 0 where it is too short to say.  Any context. */
size_t gzip_size(const uint8_t *file, size_t bytes);

/* Unpack it into `size` bytes.  False where it is damaged, or makes another number of bytes.  As deflate_decode(). */
bool gzip_decode(const uint8_t *file, size_t bytes, void *to, size_t size);
