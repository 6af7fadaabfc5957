/* SPDX-License-Identifier: MIT */
/*
 * The tick as NMI.  Neither CLI nor a handler delays it, so that every moment is sampled where
 * it is, except those of the tick itself.  It can come between any two instructions: its handler
 * uses no data that the interrupted code may have half changed (docs/DESIGN.md, "The tick as NMI").
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "kernel/measure/one_shot.h"
#include "probe/core/probe.h"
#include "probe/text/refusal.h"

#define NMI_PINS   2 /* of the I/O APIC that a line may be wired to */

/* The interrupt line of a device that is delivered as NMI.  One at a time is open. */
struct nmi_line {
    unsigned irq;           /* of the 8259, where it is masked */
    unsigned tries, tried[NMI_PINS]; /* the pins of the I/O APIC to try, in order */
    unsigned pin;           /* the one that was proven */
    unsigned shots;         /* NMIs that must arrive for the proof */
    /* Have the device request `shots` NMIs; returns how many came within a bounded time. */
    unsigned (*prove)(void);
    /*
     * Called for each NMI while the line is open, a stray one too: `f` is the interrupted
     * frame, `now` the clock at the entry.  Returns the moment from which time is charged
     * to MONITOR.  NMI context; nothing else uses the device's ports then.
     */
    uint64_t (*handler)(const struct cpu_frame *f, uint64_t now);
};

/* The result of nmi_route(), for the message that refuses it. */
struct nmi_proof {
    unsigned pins;              /* of the I/O APIC; 0: none answers */
    unsigned arrived[NMI_PINS]; /* NMIs that came through each that was tried */
};

/* False, with *why, where no I/O APIC can send this CPU an interrupt.  Any context. */
bool nmi_can_come(struct refusal *why);

/*
 * Deliver a line as NMI by the I/O APIC, mask it in the 8259, and prove the route by counting.
 * NMIs are ticks from here on, until survey_set_delivery().  True: line->pin is set, and open.
 * False where no pin delivered every shot.  Interrupts off, no line open, at least one IRETQ
 * executed since hw_takeover() (firmware may have left NMIs blocked).
 */
bool nmi_route(struct nmi_line *line, struct nmi_proof *proof);

/* Unmask a line that was proven, or mask it.  Any context but the NMI. */
void nmi_open(const struct nmi_line *line);
void nmi_close(const struct nmi_line *line);

/*
 * Call this after each tick whose sample goes to PROBE_SAMPLES, in its frame; NULL: nothing.
 * Interrupts off, no line open.
 */
void nmi_set_after(void (*more)(const struct cpu_frame *f));

/* What `f` interrupted: pc, task and mode of the sample, and `halted`.  NMI context. */
void nmi_locate(const struct cpu_frame *f, struct probe_event *e);

/* The last NMI's last reading of the clock, and the computed end of its IRETQ: clock units.  Any context. */
uint64_t nmi_last_reading(void);
uint64_t nmi_exit_time(void);

/* Set the time from that reading to the end of IRETQ, clock units.  Once, before the probe runs. */
void nmi_set_exit_cost(uint64_t clocks);

/* NMIs that came while one was handled: the handler runs again for them.  Any context. */
uint64_t nmi_nested(void);

/* NMIs that were no tick, by either delivery: no device of ours requested them; and count one.  NMI context. */
uint64_t nmi_strays(void);
void nmi_count_stray(void);

/*
 * The latency of one-shots that come as NMI: out of running code and out of HLT, a line open; halted->late is
 * UINT64_MAX.  Warns where NMIs that nobody asked for may have made both too long.  one_shot_check() says whether a
 * shot was lost.  The start, interrupts off.
 */
void one_shot_nmi_lateness(struct one_shot_timer *t, struct probe_lateness *running, struct probe_lateness *halted);
