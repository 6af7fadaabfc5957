/* SPDX-License-Identifier: MIT */
/* One-shots as NMI, with NMIs of others between them. */
#include "kernel/source/one_shot_nmi.h"

#include <stdint.h>

#include "kernel/io/log.h"
#include "kernel/source/nmi.h"

#define NMI_TRIES 3

/*
 * An NMI that nobody asked for is no shot (the sources' handlers tell by their counters), but its handler can hold a
 * shot up: then the measurement is repeated, and the smallest values count,
 * for whatever holds a shot up makes it later.
 */
static struct probe_lateness lateness(struct one_shot_timer *t, bool halt)
{
    struct probe_lateness least = { UINT64_MAX, UINT64_MAX };
    uint64_t strays = 0;

    for (int i = 0; i < NMI_TRIES && (i == 0 || nmi_strays() != strays); i++) {
        struct probe_lateness found;

        strays = nmi_strays();
        found = one_shot_lateness(t, halt);
        least.floor = found.floor < least.floor ? found.floor : least.floor;
        least.late = found.late < least.late ? found.late : least.late;
    }
    if (nmi_strays() != strays)
        log_line(LOG_WARNING, "NMIs that nobody asked for came each time that the latency of NMIs was measured: "
                              "it may be too long");
    return least;
}

void one_shot_nmi_lateness(struct one_shot_timer *t, struct probe_lateness *running, struct probe_lateness *halted)
{
    *running = lateness(t, false);
    *halted = lateness(t, true);
    halted->late = UINT64_MAX; /* no section masks an NMI: one that is late out of HLT is still IDLE's */
}
