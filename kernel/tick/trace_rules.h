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

/* Pauses of the event monitor: by a command, by a rule, or because the line cannot carry the events. */

/* What stubs record (kernel/cpu/call_stubs.inc). */
#define TRACE_SYSCALLS (1u << TRACE_SYSCALL_ENTER | 1u << TRACE_SYSCALL_EXIT)
#define TRACE_SERVICES (1u << TRACE_SERVICE_ENTER | 1u << TRACE_SERVICE_EXIT)
#define TRACE_CALLS    (TRACE_SYSCALLS | TRACE_SERVICES)

/*
 * Pause at `time`, and go on; nothing where that is so already, or where no events are taken.  While it is paused
 * events are looked at for their rules (kernel/tick/trace_rules.h), and neither recorded nor counted.
 * Interrupts off.
 */
void trace_pause(enum trace_pause why, uint64_t time);
void trace_continue(uint64_t time);
bool trace_is_paused(void);

/* Record an event of group `control`; nothing while it is paused.  Interrupts off. */
void trace_tell(enum trace_class class, uint64_t time, uint64_t argument);

/* A buffer has begun, with the sites of these words: it is not paused; and the sites alone.  Interrupts off. */
void trace_open(const struct config *w);
void trace_set_sites(const struct config *w);
