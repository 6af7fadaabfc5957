/* SPDX-License-Identifier: MIT */
/* The one buffer of events. */
#include "kernel/trace/trace.h"

struct event_ring trace_ring; /* legends in trace.h */
volatile uint64_t trace_sync_word;

/* Not inline: tests/bench/events.py takes a look at the mask elsewhere for a hook. */
__attribute__((noinline)) bool trace_takes(enum trace_class class)
{
    return trace_ring.mask & trace_bit(class);
}

const struct trace_ruler *trace_ruler; /* set once */

void trace_set_ruler(const struct trace_ruler *ruler)
{
    trace_ruler = ruler;
}
