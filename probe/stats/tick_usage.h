/* SPDX-License-Identifier: MIT */
/*
 * The counters of processor time as Linux 2.6.2x to 3.x keeps and tells them: whole ticks by mode, rescaled
 * to 1/100 s where they are told; and load averages in fixed point (Stefanov and Gradskov, "Analysis of CPU
 * Usage Data Properties", 2016, section 2; proc(5)).  Any context, host too.
 */
#pragma once

#include <stdint.h>

#include "probe/stream/wire.h"
#include "probe/text/text_buf.h"

#define TICK_USAGE_HZ 100u /* units of what is told, a second (USER_HZ) */

enum tick_mode { TICK_USER, TICK_NICE, TICK_SYSTEM, TICK_IDLE, TICK_IOWAIT, TICK_IRQ, TICK_MODES };

/* The ticks of a record by mode; its averages of 1, 5 and 15 minutes. */
const uint64_t *tick_usage_of(const struct wire_procstat *p);
const uint64_t *load_averages_of(const struct wire_procstat *p);

/* The name of a mode, as proc(5) has it. */
const char *tick_mode_name(enum tick_mode mode);

/*
 * Ticks of a clock of `hz`, 1 to 1000, as 1/100 s, rounded down as that kernel does: by whole numbers where a tick is
 * a multiple of 1/100 s or the other way round, else by the tick's nanoseconds, rounded down.  Up to WIRE_TICKS_MAX.
 */
uint64_t tick_usage_told(uint64_t ticks, uint64_t hz);

/* The sum of all modes. */
uint64_t tick_usage_sum(const uint64_t ticks[TICK_MODES]);

/* The files in which they are told (enum proc_kind): their names, as proc(5) has them. */
#define TICK_USAGE_FILES 3u
const char *tick_usage_file(unsigned file);

/*
 * A load average in fixed point, 2048 for one task, after one more look that found `active` tasks; the weights of
 * the averages of 1, 5 and 15 minutes where looks are 5 s and a tick apart.
 */
#define LOAD_AVERAGES 3u
#define LOAD_ONE     2048u
#define LOAD_LOOK_S  5u
#define LOAD_WEIGHT1  1884u
#define LOAD_WEIGHT5  2014u
#define LOAD_WEIGHT15 2037u
uint64_t load_average_next(uint64_t average, uint64_t weight, uint64_t active);

/* Append it with two decimals, rounded as that kernel does. */
void load_average_print(struct text_buf *b, uint64_t average);
