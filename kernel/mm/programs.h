/* SPDX-License-Identifier: MIT */
/* The user programs that the image carries. */
#pragma once

#include <stdint.h>

struct program {
    const char *name;
    const uint8_t *begin, *end; /* an ELF64 file */
};

/* By index, from 0; NULL past the last. */
const struct program *program_at(uint32_t index);

/* How many there are: indexes are below. */
uint32_t programs_carried(void);

/* By name; NULL if the image has none of that name.  *number, unless NULL: its index. */
const struct program *program_named(const char *name, uint32_t *number);
