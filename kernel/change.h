/* SPDX-License-Identifier: MIT */
/*
 * Words that come over the serial line while the image runs: the tick may be
 * given another rate, policy, spread and seed.  A line is read whole and judged
 * whole; what is not taken changes nothing.
 */
#ifndef KERNEL_CHANGE_H
#define KERNEL_CHANGE_H

#include <stdbool.h>

#include "kernel/source.h"
#include "probe/schedule.h"
#include "probe/words.h"

#define CHANGE_LINE 256 /* longest line, its end included */

/* What a line asks for, judged and ready to be put into force. */
struct change {
    struct words words;
    struct source_facts source;
    struct schedule schedule;
    uint32_t seed;
};

/*
 * Take what has come in.  True where a line asks for a change that can be had;
 * false otherwise, and said where a line was wrong.  Task PROBE.
 */
bool change_asked(struct change *c);

/* Lines that were taken and lines that were refused, since the start. */
struct change_counts {
    uint64_t taken, refused;
};
struct change_counts change_counts(void);

#endif
