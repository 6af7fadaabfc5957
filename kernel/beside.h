/* SPDX-License-Identifier: MIT */
/*
 * Two sources side by side (tick=A,B): the second one, with a probe of its own,
 * and what is told of each of the two.
 */
#ifndef KERNEL_BESIDE_H
#define KERNEL_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arrange.h"
#include "kernel/source.h"
#include "probe/probe.h"

/* One source with all that is its own. */
struct lane {
    struct probe *probe;
    const struct source *source; /* NULL: tick=none */
    const struct words *words;   /* by which it alone would tick so */
    const struct source_facts *facts;
    uint64_t seed;
    uint32_t minimum;            /* smallest count that fires in time */
    uint64_t epoch;              /* identifier of what it tells */
};

/* How many sources tick, or 1 where none does; and each of them.  Once both are arranged. */
unsigned lanes(void);
struct lane lane_at(unsigned number);
bool lanes_have(const struct source *s); /* it is one of those in force */

/*
 * The source `s` by way of the common entry, where what its handler holds up is
 * noted: the first of two (0) or the second.  Interrupts off, none of its own running.
 */
const struct source *beside_way(unsigned number, const struct source *s);

/* Measure how long the way out takes.  Once, before the first way is used, interrupts off. */
void beside_measure(void);

/*
 * Arrange what the words of `first` have beside it.  NULL, or why it cannot be
 * had, as arrange().  And put it into force, beside tick_source: arrange_put() does.
 */
const char *beside_arrange(const struct arrangement *first);
void beside_put(void);

/* The monitors of the first, regions and all, are the second's too: monitors_put() does it. */
void beside_watch(void);

#endif
