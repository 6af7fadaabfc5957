/* SPDX-License-Identifier: MIT */
/* The log of changes against itself and against the exact table (docs/PROTOCOL.md, "Transitions"). */
#ifndef TOOLS_MODEL_TRANSITIONS_CHECK_H
#define TOOLS_MODEL_TRANSITIONS_CHECK_H

#include "tools/model/stream_model.h"

/*
 * Note what the log of an epoch contradicts; after transitions_finish().  The sums are
 * compared where all changes arrived and the last snapshot is the final one.
 */
void transitions_check(struct epoch *e);

#endif
