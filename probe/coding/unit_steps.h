/* SPDX-License-Identifier: MIT */
/* Times as steps of a unit, for senders.  Any context; no division of 64 bits, which 32-bit targets lack. */
#pragma once

#include <stdint.h>

/* The number of units nearest to `difference`; the unit is 1 to 2^62 - 1. */
int64_t unit_steps(int64_t difference, uint64_t unit);
