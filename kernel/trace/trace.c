/* SPDX-License-Identifier: MIT */
/* The one buffer of events. */
#include "kernel/trace/trace.h"

struct event_ring trace_ring; /* legend in trace.h */
