/* SPDX-License-Identifier: MIT */
/* RFC 1952, "GZIP file format specification version 4.3": one member, without a name or other optional fields. */
#include "kernel/lib/gzip.h"

#include "kernel/lib/deflate_decode.h"
#include "probe/coding/crc32.h"
#include "probe/schedule/memory.h"

#define HEAD 10 /* ID1, ID2, CM, FLG, MTIME, XFL, OS */
#define TAIL 8  /* CRC32, ISIZE */

static uint32_t word_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

size_t gzip_size(const uint8_t *file, size_t bytes)
{
    return bytes < HEAD + TAIL ? 0 : word_at(file + bytes - 4);
}

bool gzip_decode(const uint8_t *file, size_t bytes, void *to, size_t size)
{
    static const uint8_t head[] = { 0x1f, 0x8b, 8 /* deflate */, 0 /* no optional field */ };
    const size_t packed = bytes - HEAD - TAIL;

    return size != 0 && gzip_size(file, bytes) == size && memcmp(file, head, sizeof head) == 0 &&
           deflate_decode(file + HEAD, packed, to, size) == packed &&
           crc32_update(0, to, size) == word_at(file + bytes - TAIL);
}
