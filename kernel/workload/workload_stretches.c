/* SPDX-License-Identifier: MIT */
/*
 * Thurner's figure 4: in each cycle of 6 ticks a long stretch lies between two ticks, where an equidistant sampler
 * misses it, and a short one over a tick, which such a sampler takes for a whole interval.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define STRETCH(task, begin, length)                                                                  \
    { .name = (task), .program = "stretch", .grants = GRANTS_CLOCK | GRANTS_SLEEP,                    \
      .argument = (begin) | (uint64_t)(length) << STRETCH_LENGTH | 6ull << STRETCH_CYCLE }

static const struct workload_task tasks[] = {
    STRETCH("LONG", 3100, 800),
    STRETCH("SHORT", 4950, 100),
};

WORKLOAD(workload_stretches, "stretches", "a long stretch between the clock's ticks, a short one over a tick", tasks);
