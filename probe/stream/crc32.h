/* SPDX-License-Identifier: MIT */
/*
 * CRC-32 as in ISO 3309 and Ethernet (reflected, 0xedb88320): what zlib's
 * crc32() gives.
 */
#ifndef PROBE_STREAM_CRC32_H
#define PROBE_STREAM_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Go on from `crc` (0 to begin) over `length` bytes.  Any context. */
uint32_t crc32_update(uint32_t crc, const void *bytes, size_t length);

#endif
