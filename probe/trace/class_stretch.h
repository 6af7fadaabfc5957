/* SPDX-License-Identifier: MIT */
/* A stretch of a run in one class of states.  Any context, host. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/trace/class_tree.h"

#define CLASS_GAP  34u /* the class of a stretch of which nothing is known; attribute: class_gap() */
#define CLASS_SENT 35u /* classes that can be sent: those of a tree, REST, PAUSE and this one */

_Static_assert(CLASS_GAP == CLASS_CODES, "the first that no tree has");

/* A stretch in one class. */
struct class_stretch {
    uint64_t begin, end; /* clock units since start; `end` may be below `begin`, by some instructions */
    uint64_t attribute;  /* 0 where it has none */
    uint8_t code;        /* below CLASS_SENT */
    bool attributed;     /* it has an attribute */
};

/* Why nothing is known. */
enum class_gap_cause { CLASS_GAP_PAUSED, CLASS_GAP_NO_ROOM, CLASS_GAP_OVERWRITTEN, CLASS_GAP_UNKNOWN,
                       CLASS_GAP_CAUSES };

/* The attribute of a gap: its cause, and how many events are missing. */
static inline uint64_t class_gap(enum class_gap_cause cause, uint64_t missing)
{
    return missing << 2 | cause;
}
static inline enum class_gap_cause class_gap_cause(uint64_t attribute)
{
    return (enum class_gap_cause)(attribute & 3);
}
static inline uint64_t class_gap_missing(uint64_t attribute)
{
    return attribute >> 2;
}
