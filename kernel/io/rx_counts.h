/* SPDX-License-Identifier: MIT */
/*
 * What was received over the serial line: frames and lines by what was wrong with them.
 * Written by who reads the line (kernel/shell/host_link.c), told by report_received.c.
 */
#ifndef KERNEL_IO_RX_COUNTS_H
#define KERNEL_IO_RX_COUNTS_H

#include <stdint.h>

#include "probe/stream/wire.h"

struct rx_counts {
    struct wire_received framing; /* what the inbox counts (probe/command/rx_demux.h); the other members are 0 */
    uint64_t refused;             /* lines and commands that were understood and not carried out */
    uint64_t repeated;            /* commands that came again and were answered only */
};

extern struct rx_counts rx_counts; /* since boot; task PROBE */

#endif
