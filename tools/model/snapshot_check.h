/* SPDX-License-Identifier: MIT */
/* Whether a snapshot is possible by the rules of docs/PROTOCOL.md, "Snapshots". */
#pragma once

#include "tools/model/stream_model.h"

/* Keep the head of a snapshot that arrived; note what is wrong with it alone and after the one before it. */
void snapshot_note_head(struct epoch *e, const struct wire_snapshot *head);

/* Note what is wrong with a complete snapshot.  False if its hits do not add up. */
bool snapshot_check(struct epoch *e, const struct snapshot *s);
