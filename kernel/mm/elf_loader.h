/* SPDX-License-Identifier: MIT */
/* ELF64 programs into an address space.  System V gABI, chapters 4 and 5. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/text/refusal.h"

/*
 * Map the program's segments; only code can be executed, and no code can be written.  Returns the
 * entry address, or 0 and *why: no ELF64 program, an address outside the user half, a page both
 * writable and executable, out of memory.  Task context.
 */
uint64_t elf_load(uint64_t space, const void *image, uint64_t bytes, struct refusal *why);

/* The address range [*low, *high) of its code; false where it has none. */
bool elf_code(const void *image, uint64_t bytes, uint64_t *low, uint64_t *high);

#define ELF_BUILD_ID 20 /* bytes of a SHA-1 */

/* The build id that the linker left in the program's notes; false where there is none. */
bool elf_build_id(const void *image, uint64_t bytes, uint8_t id[ELF_BUILD_ID]);
