/* SPDX-License-Identifier: MIT */
/*
 * The isochronous process of McCanne and Torek, "The Isochronous Anomaly": a
 * frame of sound each 22.5 ms against a clock of 10 ms.
 *
 * Four bursts take 90 ms, nine ticks of the clock, and begin at four phases of a tick
 * that are 2.5 ms apart.  So a sampler on the clock charges 1 tick of 9 or none: the 0
 * and 10 % of the paper's Figure 3.  If a burst lasts half of 2.5 ms, that is so for
 * half of the time, as there and in Figure 4.  It changes each minute if the two clocks
 * drift apart by 2.5 ms a minute, 42 ppm, as crystals do.  The clocks of an emulator do
 * not drift, so the period is 42 ppm longer instead.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define PERIOD_NS 22500945ull /* 22.5 ms and 42 ppm */
#define BURST_NS  1250000ull

static const struct workload_task tasks[] = {
    { .name = "VAT", .program = "isochronous",
      .argument = BURST_NS << ISOCHRONOUS_BURST | PERIOD_NS,
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT },
};

WORKLOAD(workload_isochronous, "isochronous", "a burst each 22.5 ms, off the clock's grid", tasks);
