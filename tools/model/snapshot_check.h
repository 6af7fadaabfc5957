/* SPDX-License-Identifier: MIT */
/* Whether a snapshot is possible by the rules of docs/PROTOCOL.md, "Snapshots". */
#pragma once

#include "tools/model/stream_model.h"

/*
 * Note in e->violations what is wrong with the head alone and compared with the one `before` it in
 * its epoch (NULL: it is the first).
 */
void snapshot_check_head(struct epoch *e, const struct wire_snapshot *head,
                         const struct wire_snapshot *before);

/* The same for a complete snapshot.  False if its hits do not add up. */
bool snapshot_check(struct epoch *e, const struct snapshot *s);
