/* SPDX-License-Identifier: MIT */
/*
 * Assembles snapshots from their frames.  A snapshot comes into force only when all of its parts
 * have arrived: docs/PROTOCOL.md, "Snapshots".
 */
#pragma once

#include "tools/model/stream_model.h"

/* Take a frame of a snapshot of epoch `e`, the last of the model; `head` is the head of its wire record. */
void assembly_head(struct model *m, struct epoch *e, const struct wire_snapshot *head);
void assembly_cells(struct model *m, struct epoch *e, const void *head, struct wire_reader *rows);
void assembly_exact(struct model *m, struct epoch *e, const void *head, struct wire_reader *rows);
void assembly_region(struct model *m, struct epoch *e, const void *head, struct wire_reader *rows);

void assembly_lateness(struct model *m, struct epoch *e, const void *head, struct wire_reader *rows);

/* A delta to the last whole one; where that did not arrive it is counted and dropped. */
void assembly_delta(struct model *m, struct epoch *e, const struct wire_delta *head);

/* No more parts will come: an unfinished snapshot is counted and dropped. */
void assembly_abandon(struct model *m, struct epoch *e);
