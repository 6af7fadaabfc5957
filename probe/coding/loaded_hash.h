/* SPDX-License-Identifier: MIT */
/*
 * Hashes the bytes that a program's file loads: what identifies a program without a build id, in PROGRAMS and on the
 * host.  They are those of its PT_LOAD segments in the order of their table, without the file's first 64, of which
 * `strip` changes some.  FNV-1a of 64 bits (draft-eastlake-fnv): chance gives no two programs the same one; who wants
 * to can.
 */
#pragma once

#include <stdint.h>

#define LOADED_HASH_NONE   0xcbf29ce484222325u
#define LOADED_HASH_PREFIX "loaded:" /* before its digits, where a build id stands otherwise */
#define LOADED_HASH_DIGITS 16        /* hexadecimal */
#define LOADED_HASH_SINCE  9         /* minor version of the protocol */
#define LOADED_HASH_SKIPS  64u       /* bytes at the file's begin, the header of ELF64 */

/* Continue from `hash` (LOADED_HASH_NONE to begin) over a segment's bytes.  Any context. */
static inline uint64_t loaded_hash(uint64_t hash, const uint8_t *bytes, uint64_t length)
{
    for (uint64_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* How many bytes of a segment at this offset of the file are left out. */
static inline uint64_t loaded_hash_skips(uint64_t offset, uint64_t length)
{
    const uint64_t skips = offset < LOADED_HASH_SKIPS ? LOADED_HASH_SKIPS - offset : 0;

    return skips < length ? skips : length;
}
