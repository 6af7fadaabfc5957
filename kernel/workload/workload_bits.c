/* SPDX-License-Identifier: MIT */
/* Crowe's second case, as it was found and mended in two steps (kernel/tasks/bits.c). */
#include "kernel/workload/workload.h"

#define BITS(mended) { .name = "BITS", .program = "bits", .argument = (mended), \
                       .grants = GRANTS_CLOCK | GRANTS_SLEEP }

static const struct workload_task found[] = { BITS(0) }, checked[] = { BITS(1) }, fixed[] = { BITS(2) };

WORKLOAD(workload_bits, "bits", "a task that takes a quarter of the CPU in loops over bits", found);
WORKLOAD(workload_bits_checked, "bits-checked", "the same, with a cheap check whether they are needed", checked);
WORKLOAD(workload_bits_fixed, "bits-fixed", "and with the loops rearranged", fixed);
