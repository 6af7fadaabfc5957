/* SPDX-License-Identifier: MIT */
/*
 * A change of words while the image runs: what is judged whole, and refused whole
 * or put into force whole.  Words of the tick, of the monitors, of the length of the
 * run and of what is put out can change; each change ends the epoch.
 */
#ifndef KERNEL_TICK_RECONFIGURE_H
#define KERNEL_TICK_RECONFIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/tick/tick_plan.h"

/* What is asked for, judged and ready to be put into force. */
struct reconfiguration {
    struct tick_plan arrangement;
    bool seconds; /* the run has a new length, from the change on */
};

/*
 * Judge a line of words over those in force.  True where they can be had.  False with
 * a sentence (CONFIG_MESSAGE bytes) that says why not, "" where it has no words;
 * nothing has changed.  Task PROBE.
 */
bool reconfigure_line(struct reconfiguration *c, const char *line, char *sentence);

/*
 * The same of all the words that shall be in force, w->given those that were named (a
 * bit a word, config_given()), and of a seed, not 0.  They may be in force already.
 */
bool reconfigure_check(struct reconfiguration *c, const struct config *w, uint64_t seed, char *sentence);

/* The seed after the one in force, not 0: no two windows of a boot are sampled alike.  Task PROBE. */
uint64_t reconfigure_next_seed(void);

/*
 * What was judged is in force from here on, the tick source but for its first tick.
 * While no tick can come, the source that is in force stopped, interrupts off.  For
 * run_change_config(), which ends the one epoch before and begins the other after.
 */
void reconfigure_apply(const struct reconfiguration *c);

#endif
