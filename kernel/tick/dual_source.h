/* SPDX-License-Identifier: MIT */
/*
 * Two sources at the same time (tick=A,B): a wrapper around each, which notes for the other
 * sampler's probe how long its handler held interrupts off.
 */
#pragma once

#include "kernel/source/source.h"

/*
 * Wrap a source as the first (0) or the second (1) of two.  Its interrupts then come through
 * the common entry.  Interrupts off, while no tick can come.
 */
const struct source *dual_source_wrap(unsigned number, const struct source *s);

/* Measure how long the exit of a wrapped tick takes.  Once, before the first is wrapped, interrupts off. */
void dual_source_measure(void);
