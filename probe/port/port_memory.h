/* SPDX-License-Identifier: MIT */
/* The optional memory of a port: what stands in it, and how much it is. */
#pragma once

#include <stddef.h>

#include "probe/command/reply_cache.h"
#include "probe/command/rx_demux.h"
#include "probe/schedule/point_queue.h"
#include "probe/core/samples.h"
#include "probe/stream/event_encode.h"
#include "probe/stream/sample_encode.h"
#include "probe/trace/event_ring.h"

struct port_commands {
    struct rx_demux rx;
    struct reply_cache replies;
    struct reply typed; /* the answer to a line */
    uint64_t boot;      /* the first epoch */
    bool show;          /* send a snapshot soon */
};

struct port_samples {
    struct sample_encoder encoder;
    struct samples_ring ring;
};

#define PORT_EVENTS_LEAST 64u
#define PORT_EVENTS_MOST  65536u
struct port_events {
    struct event_encoder encoder;
    struct event_ring ring;
    uint64_t task;    /* trace_task() of the last switch; ROW_IDLE: there was none */
    uint32_t records; /* a power of two */
    struct event_record record[];
};

#define PORT_INTERVALS_LEAST (4u * POINT_QUEUE_CHECKPOINT)
#define PORT_INTERVALS_MOST  4096u

/* Bytes of each, on this machine.  Any context. */
size_t port_commands_size(void);
size_t port_regions_size(unsigned regions);
size_t port_samples_size(void);
size_t port_events_size(uint32_t records);
