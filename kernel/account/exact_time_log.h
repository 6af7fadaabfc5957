/* SPDX-License-Identifier: MIT */
/*
 * account=log: every change of cell in memory, in order.  Change number n of a window is entry n:
 * the account's generation counts the changes, so that a torn change that is repeated is one entry.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/probe.h"

/* A change of cell: `time` clock units were added to the cell that was left.  The assembly stubs write it too. */
struct account_log_entry {
    uint64_t time; /* negative where the account was ahead by more than the time until the change */
    uint64_t *cell;
};

/* A ring: new entries overwrite the oldest, and the reader counts those. */
struct account_log {
    struct account_log_entry *entry;
    uint64_t mask; /* of a generation, which is twice the number of a change */
};

extern struct account_log account_log; /* interrupts off; its entries restartably too */

/* The size of a log where `room` bytes of contiguous memory are free; 0: too little. */
uint64_t account_log_size(uint64_t room);

/* Have the stubs write into this memory, of a size that account_log_size() gave.  Once, before tasks run. */
void account_log_begin(void *memory, uint64_t bytes);

/*
 * As account_switch_nmi_safe() and probe_enter(), where account_on is not ACCOUNT_KEPT: with the
 * log an entry more, with events taken the event of the change; nothing where no account is kept.
 * Interrupts off.
 */
__attribute__((cold)) void account_log_change(uint64_t now, uint64_t *cell);
__attribute__((cold)) void account_log_switch(uint64_t ahead, uint64_t *cell); /* at account_clock() + ahead */
__attribute__((cold, noinline)) void account_log_tick_exit(uint64_t *cell); /* as account_tick_exit() */
/* to the masked counter, and back as account_sti() */
__attribute__((cold)) void account_log_cli(uint64_t shut);
__attribute__((cold)) void account_log_sti(void);
__attribute__((cold)) void account_log_enter(struct probe *p, const struct probe_event *e);

/*
 * The log is read while it is paused: changes are discarded meanwhile.  The window must be
 * closed, and the next one may begin only after account_log_resume().  Interrupts off.
 */
void account_log_pause(void);
void account_log_resume(void);

/* Entry `number` of the window; false where it was overwritten.  While the log is paused. */
bool account_log_read(uint64_t number, struct account_log_entry *to);
