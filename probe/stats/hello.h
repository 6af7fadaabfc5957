/* SPDX-License-Identifier: MIT */
/*
 * Makes what the core alone tells in HELLO, SNAPSHOT, REGION and raw samples, the same for every kernel
 * (docs/PROTOCOL.md).
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

/*
 * What SNAPSHOT tells of the closed window; epoch, serial, `final`, `made` and the numbers of frames and buckets are
 * the caller's.  Times count from `start`, clock units.  Task context.
 */
struct wire_snapshot snapshot_head_of(const struct probe *p, uint64_t start);

/* What REGION tells of region `number` of the closed window, but for its slots.  Task context. */
struct wire_region region_head_of(const struct probe *p, uint32_t number);
