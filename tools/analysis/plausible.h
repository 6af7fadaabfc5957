/* SPDX-License-Identifier: MIT */
/*
 * Checks what an epoch tells of its ticks against itself, without its schedule: counts that add up, arrivals not
 * before their points, a rate that is the words', a plausible threshold of lateness.  `stat` and the other
 * readers tell what fails; `audit` does more.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/alias.h"
#include "probe/stats/table.h"
#include "tools/model/stream_model.h"

#define PLAUSIBLE_SENTENCE 200

/* Takes a sentence of what cannot be. */
typedef void plausible_sink(void *context, const char *sentence);

/* One snapshot of the epoch. */
void plausible_head(const struct epoch *e, const struct wire_snapshot *head, plausible_sink *say, void *context);

/* What HELLO and the last complete snapshot tell, without plausible_head(). */
void plausible_epoch(const struct epoch *e, plausible_sink *say, void *context);

/* Both, of the last snapshot, and whether the hooks of a port agree with its samples: for a reader of the table. */
void plausible_table(const struct epoch *e, plausible_sink *say, void *context);

/*
 * Whether arrivals of ticks in time, clock units after their points, can be; `whose` and `serial` begin the sentence.
 */
void plausible_arrivals(const struct epoch *e, const char *whose, uint64_t serial, int64_t earliest, int64_t latest,
                        plausible_sink *say, void *context);

/*
 * How far before its point a tick may come, clock units: the clock may be off over a one-shot by what makes a tick
 * late, at most.
 */
int64_t plausible_before(const struct epoch *e);

/*
 * How far behind its point a tick in time may come, clock units: the point may be in the handler of the tick before,
 * which, for some ticks, begins by the common entry (`entry` of HELLO);
 * INT64_MAX: an NMI that HLT delayed is in time, however late it is.
 */
int64_t plausible_behind(const struct epoch *e);

/* ---- the two sources of an epoch (probe/stats/alias.h) ---- */
struct alias_compare {
    struct table_options options[2];
    struct alias_side side[2];
    struct alias alias;
};

/* False without two tables: there is one source only, or no complete snapshot of one arrived. */
bool alias_compare_make(struct alias_compare *b, const struct epoch *e);
