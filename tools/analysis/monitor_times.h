/* SPDX-License-Identifier: MIT */
/* Declares times that follow from the records of software monitors and from the exact table of the same moment. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/model/stream_model.h"

/* When the window began: the first snapshot's head says it. */
uint64_t epoch_window_begin(const struct epoch *e);

/* The exact time of IDLE with interrupts on, that across HLT, at the reading of this number; false: there is none. */
bool idle_exact(const struct epoch *e, uint64_t serial, uint64_t *time);

/* The time in handlers of all vectors but those of ticks, whose time is MONITOR's. */
uint64_t intercept_handlers(const struct epoch *e);

/*
 * The interrupt column of the exact table at the same moment, masked time included; false: it is not there, or
 * covers something else, because gates were given back meanwhile or an NMI closed the table.
 */
bool intercept_exact(const struct epoch *e, uint64_t *time);
