/* SPDX-License-Identifier: MIT */
/*
 * The one-shot timer that stands for the machine's interrupts while latencies and costs are measured: the 8254's,
 * where it counts and interrupts, else the HPET's, else that of the local APIC,
 * which then cannot be the system clock's.
 */
#pragma once

#include <stdbool.h>

#include "probe/config/config.h"
#include "probe/text/refusal.h"

/* Which it is, by its value of tick=; TICK_NONE until it is set, by calibrate_clocks().  Any context. */
enum config_tick reference_tick(void);
void reference_set(enum config_tick tick);

/* True where the 8254 counts and interrupts; else *why is set.  Any context. */
bool reference_has_pit(struct refusal *why);

/* Why the 8254 does not.  Once, in calibrate_clocks(). */
void reference_refuse_pit(const struct refusal *why);
