/* SPDX-License-Identifier: MIT */
/* Finds the source that tick= names, and puts sources into force.  It alone knows each by its name. */
#pragma once

#include "kernel/source/source.h"

/* The source of a value of tick=, by a delivery; NULL: it has none, or names no source.  Any context. */
const struct source *source_of(enum config_tick tick, bool via_nmi);

/*
 * Put sources into force, NULL for none: their interrupts come to them.  A source whose
 * vector is SOURCE_NO_VECTOR registers its handler itself (kernel/cpu/irq.h).  Interrupts off, no tick under way.
 */
void sources_set(const struct source *first, const struct source *second);
