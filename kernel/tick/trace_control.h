/* SPDX-License-Identifier: MIT */
/*
 * From monitor=events,states, events=, classes= and buffer= to the buffer of events and its hooks
 * (kernel/trace/trace.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/trace/trace.h"
#include "probe/config/config.h"
#include "probe/text/refusal.h"

/*
 * Compile the tree and get the memory that these words need; false where that cannot be.  What is in force stays.
 * The start, and task PROBE.
 */
bool trace_control_plan(const struct config *w, struct refusal *why);

/* Whether events= names a task that is not there.  Once the tasks are made. */
bool trace_control_resolve(const struct config *w, struct refusal *why);

/*
 * A window is about to begin with the words in force: take events, or take none.  While no tick can come, interrupts
 * off.  trace_control_mark(): it begins at the account's last change of cell, which is an event.
 */
void trace_control_begin(void);
void trace_control_mark(void);

/* Take none from now on; what is in the buffer can be read.  Interrupts off. */
void trace_control_end(void);

/*
 * Record a SYNC event where these are taken, and store its number for an observer outside.
 * Interrupts off, in a task at ring 0.
 */
void trace_control_sync(void);

/*
 * While the cost of entries is measured: take the events of these words into a buffer that nobody reads.
 * Interrupts off.
 */
void trace_control_rehearse(const struct config *w, bool on);
