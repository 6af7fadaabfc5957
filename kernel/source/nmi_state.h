/* SPDX-License-Identifier: MIT */
/* What the two handlers of NMIs share: the common one (nmi.c), and the straight one of the PIT (pit_plain_tick.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/account/exact_time.h"
#include "kernel/source/sampler.h"

/* A test raises another NMI here (tests/qemu/nested.h). */
#ifndef NMI_STRIKE
#define NMI_STRIKE(place) ((void)0)
#endif

struct nmi_state {
    volatile bool busy, again;      /* one is handled; another came meanwhile.  NMI only */
    volatile uint64_t exit_time;    /* the computed end of the last one's IRETQ, clock units.  NMI only */
    uint64_t exit_cost, plain_exit_cost; /* from the last reading of the clock to there, of each handler; set once */
};
extern struct nmi_state nmi_state;

/*
 * Charge the time from `from` to `end`, the end of this NMI's IRETQ, to MONITOR, and stop the account's clock for as
 * long.  What the NMI before was charged with is not charged twice.  NMI context.
 */
static inline void nmi_charge(uint64_t from, uint64_t end)
{
    const uint64_t before = nmi_state.exit_time;

    if (from < before)
        from = before;
    nmi_state.exit_time = end;
    if (account_on) {
        probe.monitor += end - from;
        account.nmi_time += end - from;
    }
}
