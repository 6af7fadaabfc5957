/* SPDX-License-Identifier: MIT */
/* The counters of what was received (kernel/rx_counts.h). */
#include "kernel/rx_counts.h"

struct rx_counts rx_counts; /* task PROBE */
