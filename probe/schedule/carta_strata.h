/* SPDX-License-Identifier: MIT */
/* Intervals of the stratified policy from Carta's generator, several strata at a time: the same as one by one. */
#pragma once

#include <stdint.h>

#include "probe/schedule/schedule.h"

#define CARTA_STRATA 4u /* strata at a time */

/*
 * Draw the two intervals of each of `strata` strata, or of fewer: of a multiple of CARTA_STRATA, and of none where
 * the schedule's numbers are too large.  Returns of how many.  The schedule is stratified, not keyed, and at the
 * begin of a stratum; its `sum`, `second`, `next` and `pair` do not change.
 * Task or host context: it uses vector registers.
 */
unsigned carta_strata_run(struct schedule *s, uint64_t *interval, unsigned strata);
