/* SPDX-License-Identifier: MIT */
/*
 * account=log: every change of cell, kept in memory in the order of their
 * happening.  Change number n of a window is entry n: the account's generation
 * counts them already, so that a change that is torn and made again is one entry.
 */
#ifndef KERNEL_ACCOUNT_EXACT_TIME_LOG_H
#define KERNEL_ACCOUNT_EXACT_TIME_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/probe.h"

/* What a change did: `time` clock units more for the cell that it left.  Stubs in assembly write it too. */
struct account_log_entry {
    uint64_t time; /* below 0 where the account ran ahead by more than it took to come back */
    uint64_t *cell;
};

/* A ring: where it is full the oldest entries go first, and who reads it counts them. */
struct account_log {
    struct account_log_entry *entry;
    uint64_t mask; /* of a generation, which is twice the number */
};

extern struct account_log account_log; /* interrupts off; its entries restartably too */

/* Bytes that the log takes where `room` bytes of memory lie in one piece; 0: that is too little. */
uint64_t account_log_size(uint64_t room);

/* Have the stubs write into this memory, of a size that account_log_size() gave.  Once, before tasks run. */
void account_log_begin(void *memory, uint64_t bytes);

/*
 * As account_switch_nmi_safe() and probe_enter(), and an entry more; nothing where account_on
 * says that no account is kept.  Interrupts off.
 */
__attribute__((cold)) void account_log_change(uint64_t now, uint64_t *cell);
__attribute__((cold)) void account_log_switch(uint64_t ahead, uint64_t *cell); /* at account_clock(), and so much */
__attribute__((cold)) void account_log_enter(struct probe *p, const struct probe_event *e);

/*
 * To be read the log must stand still: from stop to go on changes are kept nowhere.
 * The window must be closed, and not begun again before it goes on.  Interrupts off.
 */
void account_log_pause(void);
void account_log_resume(void);

/* Entry `number` of the window; false where it was overwritten.  While it stands still. */
bool account_log_read(uint64_t number, struct account_log_entry *to);

#endif
