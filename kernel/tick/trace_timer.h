/* SPDX-License-Identifier: MIT */
/* The timer of the event monitor (timer=): an event of class TIMER each so many milliseconds. */
#pragma once

#include "probe/config/config.h"

/* Begin with the period of these words, from now on; NULL, or none there: stop.  Interrupts off. */
void trace_timer_begin(const struct config *w);
