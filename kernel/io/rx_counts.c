/* SPDX-License-Identifier: MIT */
/* The counters of what was received (kernel/io/rx_counts.h). */
#include "kernel/io/rx_counts.h"

struct rx_counts rx_counts; /* task PROBE */
