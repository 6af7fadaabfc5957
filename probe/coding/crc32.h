/* SPDX-License-Identifier: MIT */
/*
 * CRC-32 as in ISO 3309 and Ethernet (reflected, 0xedb88320): the same result as
 * zlib's crc32().
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Continue from `crc` (0 to begin) over `length` bytes; returns the new CRC.  Any context. */
uint32_t crc32_update(uint32_t crc, const void *bytes, size_t length);
