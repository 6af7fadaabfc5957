/* SPDX-License-Identifier: MIT */
/*
 * A profile of a task in memory of its own, as 4.4BSD's profil(2): 16-bit counters, one of which each tick
 * increments that finds the task at ring 3.  RDI of SYS_PROFIL is the address of a struct profil_request.
 */
#pragma once

#include <stdint.h>

#define PROFIL_BYTES_MAX 65536u

/* Pages of a task that are there and not mapped before they are first touched: room for such a buffer. */
#define PROFIL_AREA       0x0000600000000000ull
#define PROFIL_AREA_PAGES 16u

#define PROFIL_TRAP 1u /* flag: a trap at each tick, as before 4.4BSD */

/*
 * The counter of address pc is that at byte ((pc - offset) * scale >> 16), rounded down to an even one; scale
 * 65536: one counter for two bytes of code.  An address below `offset`, or whose counter would be past `bytes`,
 * has none.  scale 0: no profile any more.
 */
struct profil_request {
    uint64_t buffer; /* an even address */
    uint64_t bytes;  /* at most PROFIL_BYTES_MAX */
    uint64_t offset, scale;
    uint64_t flags;
};
