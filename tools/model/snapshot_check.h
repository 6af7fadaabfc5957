/* SPDX-License-Identifier: MIT */
/* Whether a snapshot is one that can be: what docs/PROTOCOL.md, "Snapshots", says of it. */
#ifndef TOOLS_MODEL_SNAPSHOT_CHECK_H
#define TOOLS_MODEL_SNAPSHOT_CHECK_H

#include "tools/model/stream_model.h"

/*
 * Note what is wrong with the head by itself and after the one `before` it in its epoch
 * (NULL: it is the first) in e->violations.
 */
void snapshot_check_head(struct epoch *e, const struct wire_snapshot *head,
                         const struct wire_snapshot *before);

/* The same of a whole snapshot, all parts of which arrived.  False: its hits do not add up. */
bool snapshot_check(struct epoch *e, const struct snapshot *s);

#endif
