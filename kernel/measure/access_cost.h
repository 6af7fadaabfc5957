/* SPDX-License-Identifier: MIT */
/*
 * What one access to a device takes on this machine.  On a board a port access takes as long whatever
 * the CPU, so that the accesses of a tick, not its instructions, are most of its cost.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct access_cost {
    uint64_t port_read, port_write; /* of the 8259's mask, clock units, rounded */
    uint64_t lapic;                 /* a read of the local APIC, likewise; 0: it is not in use */
};

/*
 * Measure them: the least of several attempts of a few accesses each, together below a millisecond on a board.  The
 * start, interrupts off.
 */
void access_cost_measure(struct access_cost *cost);

/* An access, and the time of one or of a few in a row, the readings of the clock included.  Interrupts off. */
struct access {
    const char *name;
    uint64_t (*take)(bool row);
};

enum { PORT_READ, PORT_WRITE, LAPIC_READ, ACCESSES };

extern const struct access accesses[ACCESSES]; /* the last one only where the local APIC is in use */
