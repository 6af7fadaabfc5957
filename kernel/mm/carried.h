/* SPDX-License-Identifier: MIT */
/* What the image carries packed: the user programs (programs.h) and the names of functions (symbols.h). */
#pragma once

#include <stdbool.h>

#include "probe/text/refusal.h"

/*
 * Unpack them into pages of their own; before that there are no programs and no names.  False and *why: out of memory, or
 * damaged.  Once, at the start, after paging_init().
 */
bool carried_unpack(struct refusal *why);
