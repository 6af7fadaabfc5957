/* SPDX-License-Identifier: MIT */
/*
 * The part of the HPET's tick source (kernel/source/source.h) that others use: its route,
 * and one-shots for measurements.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/nmi.h"
#include "kernel/measure/one_shot.h"
#include "probe/text/text_buf.h"

#define HPET_PROOFS 8u /* one-shots that must all arrive by a route */

/*
 * Find a comparator and a way for its interrupt, proven by counting: by its own messages, through an input of an I/O
 * APIC, or in the place of IRQ 0 (legacy replacement).  `clock_hz`: TSC.  False where there is none, with *why.  The
 * first call looks, later ones give the same answer.  The start, interrupts off, and on meanwhile.
 */
bool source_hpet_find(uint64_t clock_hz, struct refusal *why);

/*
 * Its one-shots, by the rate that was measured; it is open from here on until source_hpet.stop().
 * After source_hpet_find().
 */
struct one_shot_timer source_hpet_shots(uint64_t clock_hz);

/*
 * For the system clock's test: interrupt after so many thousandths of a second; and no more.
 * While it is open; interrupts off.
 */
void source_hpet_alarm(uint32_t milliseconds);
void source_hpet_alarm_off(void);

/* Deliver its ticks as NMI (nmi_route() in kernel/source/nmi.h).  The start. */
bool source_hpet_route(struct nmi_proof *proof, uint64_t clock_hz);

/* Which comparator it is and how it comes: for the machine report. */
void source_hpet_put(struct text_buf *b);
