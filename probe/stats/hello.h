/* SPDX-License-Identifier: MIT */
/*
 * Makes what the core alone tells in HELLO, SNAPSHOT and raw samples, the same for every kernel (docs/PROTOCOL.md).
 */
#pragma once

#include "probe/core/probe.h"
#include "probe/stream/sample_encode.h"
#include "probe/stream/wire.h"

/*
 * A HELLO of an epoch with versions, seed, and what this probe judges lateness by; all else is the caller's to fill
 * in, and 0 or empty.  Task context.
 */
struct wire_hello hello_of(const struct probe *p, uint64_t epoch, uint64_t seed);

/*
 * The settings of raw samples that follow from the core; `source_clock` and `lead` count where ticks have no points.
 * Task context.
 */
struct sample_setting sample_setting_of(const struct probe *p, const struct schedule *schedule, uint64_t source_clock,
                                        uint64_t lead);

/* What a snapshot tells of the points of the closed window: nothing where ticks have none.  Task context. */
struct wire_snapshot points_of(const struct probe *p);
