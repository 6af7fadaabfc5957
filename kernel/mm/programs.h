/* SPDX-License-Identifier: MIT */
/* The user programs that the image carries. */
#pragma once

#include <stdint.h>

struct program {
    const char *name;
    const uint8_t *begin, *end; /* an ELF64 file */
};

/*
 * Take the programs from what kernel/mm/program_files.asm has made, and turn its offsets into addresses.  The bytes stay
 * where they are.  Once: kernel/mm/carried.c.
 */
void programs_use(void *files);

/* By index, from 0; NULL past the last. */
const struct program *program_at(uint32_t index);

/* How many there are: indexes are below. */
uint32_t programs_carried(void);

/* By name; NULL if the image has none of that name.  *number, unless NULL: its index. */
const struct program *program_named(const char *name, uint32_t *number);
