/* SPDX-License-Identifier: MIT */
/* The optional memory of a port: what stands in it, and how much it is. */
#pragma once

#include <stddef.h>

#include "probe/command/reply_cache.h"
#include "probe/command/rx_demux.h"

struct port_commands {
    struct rx_demux rx;
    struct reply_cache replies;
    struct reply typed; /* the answer to a line */
    uint64_t boot;      /* the first epoch */
    bool show;          /* send a snapshot soon */
};

size_t port_commands_size(void);
size_t port_regions_size(unsigned regions);
