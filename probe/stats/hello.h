/* SPDX-License-Identifier: MIT */
/* What HELLO tells of the core, the same for every kernel (docs/PROTOCOL.md). */
#pragma once

#include "probe/core/probe.h"
#include "probe/stream/wire.h"

/*
 * A HELLO of an epoch with versions, seed, and what this probe judges lateness by; all else is the caller's to fill in,
 * and 0 or empty.  Task context.
 */
struct wire_hello hello_of(const struct probe *p, uint64_t epoch, uint64_t seed);
