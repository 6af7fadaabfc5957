/* SPDX-License-Identifier: MIT */
/*
 * Stolen time, made on purpose: SMIs that software raises, with a handler of our own
 * where the firmware has none.  No tick, not even an NMI, is taken before the handler
 * has returned.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/text/refusal.h"

/*
 * Put the handler where the processor starts it after a reset, and test it with one
 * SMI.  False, with what is missing.  Interrupts off, before tasks run.
 */
bool smi_detect(struct refusal *why);

/*
 * Raise one that lasts so many clock units.  Returns the clock units of all so far, as
 * the handler counts them from its first to its last instruction.  Task context.
 */
uint64_t smi_raise(uint64_t clocks);
