/* SPDX-License-Identifier: MIT */
/*
 * Two sources side by side (tick=A,B): a wrapper around each, which notes for the
 * other's probe how long its handler held interrupts off.
 */
#ifndef KERNEL_SOURCE_DUAL_SOURCE_H
#define KERNEL_SOURCE_DUAL_SOURCE_H

#include "kernel/source/source.h"

/*
 * The source `s` by way of the common entry, where what its handler holds up is
 * noted: the first of two (0) or the second.  Interrupts off, none of its own running.
 */
const struct source *dual_source_wrap(unsigned number, const struct source *s);

/* Measure how long the way out takes.  Once, before the first way is used, interrupts off. */
void dual_source_measure(void);

#endif
