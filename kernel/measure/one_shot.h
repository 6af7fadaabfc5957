/* SPDX-License-Identifier: MIT */
/*
 * One-shots of a timer, fired at the start to measure its clock and the latency of its
 * interrupt.  The 8254 and the local APIC's timer are measured by the same code.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/config.h"
#include "probe/core/one_shots.h"
#include "probe/core/probe.h"
#include "probe/text/refusal.h"

struct one_shot_timer {
    const char *name;                 /* in the message of a lost shot */
    /* Clear *fired, begin a one-shot, and return the clock after that.  Interrupts off. */
    uint64_t (*arm)(uint32_t counts);
    const volatile uint64_t *fired;   /* the clock at the entry of its handler, which sets it; 0: not yet */
    /* At that entry: counts past the timer's end.  NULL where the timer stops there. */
    uint32_t (*counts_past)(void);
    uint64_t longest;                 /* that a shot is waited for, clock units: a quarter of a second */
    uint64_t clocks_q24;              /* clock units in a count, 40.24: for one_shot_lengths(), as the next */
    uint32_t shortest;                /* counts */
    /* Results, 0 at first. */
    uint32_t usual_past;              /* counts_past() of a shot in time, the largest of all measurements */
    uint32_t shots;
    /* the last shot did not interrupt, and that was in HLT; then no more are fired */
    bool lost, lost_halted;
};

/*
 * Fire one shot and wait for it in running code, or in HLT.  Returns clock units from
 * arming to its handler, 0 where it is lost.  The system clock ends a HLT whose interrupt
 * does not come.  The start; interrupts on meanwhile, off at the end.
 */
uint64_t one_shot(struct one_shot_timer *t, uint32_t counts, bool halt);

/* The timer as one that probe/core/one_shots.h measures; it stays the caller's. */
struct one_shots one_shots_of(struct one_shot_timer *t);

/* What shots of it are measured by: so many lengths from the shortest. */
struct one_shots_lengths one_shot_lengths(const struct one_shot_timer *t, uint32_t lengths);

/* The latency of its interrupt, out of running code or out of HLT. */
struct probe_lateness one_shot_lateness(struct one_shot_timer *t, bool halt);

/* False where a shot was lost, with which one. */
bool one_shot_check(const struct one_shot_timer *t, struct refusal *why);

/* Clock units that two readings of the clock are apart by themselves.  CPL 0. */
uint64_t clock_grain(void);

/*
 * The one-shot timer that stands for the machine's interrupts while latencies and costs are measured: the 8254's,
 * where it counts and interrupts, else the HPET's, else that of the local APIC,
 * which then cannot be the system clock's.
 */

/* Which it is, by its value of tick=; TICK_NONE until it is set, by calibrate_clocks().  Any context. */
enum config_tick reference_tick(void);
void reference_set(enum config_tick tick);

/* True where the 8254 counts and interrupts; else *why is set.  Any context. */
bool reference_has_pit(struct refusal *why);

/* Why the 8254 does not.  Once, in calibrate_clocks(). */
void reference_refuse_pit(const struct refusal *why);
