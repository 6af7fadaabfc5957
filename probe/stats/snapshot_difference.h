/* SPDX-License-Identifier: MIT */
/*
 * What happened between two snapshots of one window, as a snapshot: its shares and intervals are
 * those of the time in between, by the same estimator.  Counters are cumulative, so that snapshots
 * that did not arrive make the time longer and lose nothing.  Task and host context.
 */
#pragma once

#include "probe/stats/snapshot.h"

/*
 * *to = later - before, from the last expiry of `before` on; rows are in the order of `later` and
 * have its names.  The runs and pairs of samples that intervals are made of are counted where they
 * end, so that at most one of each cell began before.  False where a counter went down or the time
 * in between is empty: then the two are not of one window, and *to is void.  `to` needs room for all
 * rows and regions; `later` and `before` need no more than snapshot_bytes().
 */
bool snapshot_difference(struct snapshot *to, const struct snapshot *later, const struct snapshot *before);
