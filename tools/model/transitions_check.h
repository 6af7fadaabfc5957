/* SPDX-License-Identifier: MIT */
/* Checks the log of changes for consistency and against the exact table (docs/PROTOCOL.md, "Transitions"). */
#pragma once

#include "tools/model/stream_model.h"

/*
 * Note contradictions in the log of an epoch; after transitions_finish().  The sums are compared if
 * all changes arrived and the last snapshot is the final one.
 */
void transitions_check(struct epoch *e);
