/* SPDX-License-Identifier: MIT */
/*
 * The callers of an interrupted function, by the chain of frame pointers that System V's ABI for x86-64 describes
 * (section 3.2.2): a frame begins with the frame pointer of the caller, and the return address is the word above it.
 * All that is read belongs to a program that may have put anything there: each frame must lie above the one before,
 * so that no chain is a circle, and the number of frames is bounded.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Why a walk ended. */
enum walk_end {
    WALK_WHOLE,  /* at the outermost frame: its frame pointer or its return address is 0 */
    WALK_CUT,    /* as many callers as were asked for, and there are more */
    /* a frame pointer that is odd, not above the one before, or in no memory of a task; likewise a return address */
    WALK_BROKEN,
    WALK_ABSENT, /* a frame whose page is not there */
    WALK_ENDS
};

struct frame_walk {
    uint64_t fp;   /* frame pointer */
    uint64_t low;  /* stack pointer: no frame is below it */
    uint64_t high; /* all memory of the task is below */
    /* of an address that is a multiple of 8; false: absent */
    bool (*read)(void *context, uint64_t address, uint64_t *word);
    void *context;
};

/*
 * Put the return addresses into pc[0 .. most - 1], the innermost first; `found` is their number.  Reads at most
 * 2 * (most + 1) words.  Any context in which `read` may be called.
 */
enum walk_end frame_walk(const struct frame_walk *w, uint64_t *pc, unsigned most, unsigned *found);
