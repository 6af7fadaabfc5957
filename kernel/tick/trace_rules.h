/* SPDX-License-Identifier: MIT */
/* What events do beside being recorded (when=): the rules in force, their counters, and their effect. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/config.h"
#include "probe/trace/event_rules.h"

/* Have events find the rules.  Once, at the start. */
void trace_rules_init(void);

/* Put the rules of these words into force, with counters that begin from zero; NULL: none.  Interrupts off. */
void trace_rules_begin(const struct config *w);

/* The rules in force and what they have counted; times are the account's.  Interrupts off. */
const struct event_rules *trace_rules(void);

/* The rules, as a mask, were met by something that is no event.  Task PROBE, interrupts off. */
void trace_rules_meet(uint32_t met);

/* What PROBE is to do: ACTION_WRITE, ACTION_SNAPSHOT, or-ed.  It is forgotten.  Task PROBE, interrupts off. */
unsigned trace_rules_take(void);
