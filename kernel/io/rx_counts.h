/* SPDX-License-Identifier: MIT */
/*
 * Counts of what was received over the serial line, by what was wrong with it.  Written
 * by kernel/shell/host_link.c, printed or sent by kernel/report/report_received.c.
 */
#pragma once

#include <stdint.h>

#include "probe/stream/wire.h"

struct rx_counts {
    struct wire_received framing; /* what probe/command/rx_demux.h counts; the other members are 0 */
    uint64_t refused;             /* lines and commands that were understood and refused */
    uint64_t repeated;            /* commands that were received again: answered, not repeated */
};

extern struct rx_counts rx_counts; /* since boot; task PROBE */
