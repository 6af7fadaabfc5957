/* SPDX-License-Identifier: MIT */
/* A run of a port: laid down, begun, polled, ended. */
#include "probe/port/cpuprobe.h"

#include "probe/schedule/memory.h"
#include "probe/port/port.h"
#include "probe/port/port_memory.h"

#define QUIET_SECONDS 10u /* without the tick that was asked to close the window: the source is dead */

/* As many as there is room for, a power of two. */
static void lay_queue(struct point_queue *q, const struct cpuprobe_options *o)
{
    uint32_t size = PORT_INTERVALS_LEAST;

    if (o->intervals == NULL)
        return;
    while (size < PORT_INTERVALS_MOST && point_queue_bytes(2 * size) <= o->intervals_size)
        size *= 2;
    point_queue_give(q, o->intervals, size);
}

/* In one block: those that count, their copies, the requests. */
static void lay_regions(struct probe *p, const struct cpuprobe_options *o)
{
    p->region = o->region_memory;
    p->closed.region = p->region + o->regions;
    p->region_request = (struct region_request *)(p->closed.region + o->regions);
    p->regions = o->regions;
    for (unsigned i = 0; i < o->regions; i++)
        p->region_request[i] = (struct region_request){
            .task = o->region[i].task, .mode = (enum mode)o->region[i].mode, .low = o->region[i].low,
            .high = o->region[i].high,
        };
}

struct cpuprobe *cpuprobe_init(void *memory, size_t size, const struct cpuprobe_port *port,
                               const struct cpuprobe_options *options, const char **why)
{
    struct cpuprobe *const c = memory;
    const char *const wrong = port_check(memory, size, port, options);

    if (why != NULL)
        *why = wrong;
    if (wrong != NULL)
        return NULL;
    memset(c, 0, sizeof *c);
    c->port = *port;
    c->options = *options;
    c->probe.goal = UINT64_MAX;
    c->probe.clock = port->clock;
    c->probe.counts_left = port->clock == NULL ? port->left : NULL;
    c->probe.turn = port->clock_bits != 0 ? 1ull << port->clock_bits : 0;
    c->probe.known = port->clock != NULL ? port->clock() : 0;
    c->probe.via_nmi = options->nmi;
    c->probe.periodic = port->arm == NULL;
    lay_regions(&c->probe, options);
    lay_queue(&c->probe.queue, options);
    probe_set_monitors(&c->probe, PROBE_SYSTEM | (options->regions != 0 ? PROBE_REGION : 0u) |
                                  (options->samples != NULL ? PROBE_SAMPLES : 0u));
    if (options->account != NULL)
        port_account_init(c);
    if (options->commands != NULL)
        port_commands_init(c);
    if (options->samples != NULL)
        port_samples_init(c);
    if (options->events != NULL)
        port_events_init(c);
    return c;
}

/* A time in counts begins with the first one-shot; the tick that it makes is nobody's. */
static void begin_time(struct cpuprobe *c)
{
    const uintptr_t was = c->port.lock();

    if (c->port.clock != NULL)
        c->probe.known = c->port.clock();
    else
        port_start(c, c->port.longest);
    c->port.unlock(was);
}

const char *cpuprobe_begin(struct cpuprobe *c)
{
    const char *why;

    if (c->phase != PORT_IDLE)
        return "cpuprobe_begin() was called before";
    begin_time(c);
    port_set_facts(c);
    c->start = probe_clock(&c->probe);
    why = port_measure(c);
    return why != NULL ? why : port_begin_epoch(c);
}

void cpuprobe_end(struct cpuprobe *c)
{
    c->ending = true;
}

/* Ask the next tick to close the window. */
static void ask(struct cpuprobe *c, enum probe_close how, uint64_t now)
{
    const uintptr_t was = c->port.lock();

    probe_request_close(&c->probe, how);
    c->port.unlock(was);
    c->waits = true;
    c->asked = now;
    c->shown = now;
}

static bool end_run(struct cpuprobe *c, bool complete, const char *reason)
{
    const uintptr_t was = c->port.lock();

    c->phase = PORT_ENDED;
    c->port.unlock(was);
    port_send_end(c, complete, reason);
    return false;
}

/* The window is open: close it where that is due. */
static bool poll_open(struct cpuprobe *c)
{
    const uint64_t now = probe_clock(&c->probe), hz = c->facts.clock_hz;

    if (c->waits && now - c->asked > QUIET_SECONDS * hz)
        return end_run(c, false, "the tick source stopped: no tick for ten seconds");
    if (c->waits && !c->ending && !c->changing)
        return true;
    if (c->options.seconds != 0 && now - c->probe.counters.begin >= c->options.seconds * hz)
        c->ending = true;
    if ((c->ending || c->changing) && c->probe.close != PROBE_STOP_REQUESTED)
        ask(c, PROBE_STOP_REQUESTED, now);
    else if (!c->ending && !c->changing && now - c->shown >= hz) {
        port_retire_silent(c);
        ask(c, PROBE_CLOSE_REQUESTED, now);
    }
    return true;
}

static void show(struct cpuprobe *c)
{
    uintptr_t was;

    c->waits = false;
    port_samples_flush(c);
    port_events_flush(c);
    port_send_snapshot(c, false);
    was = c->port.lock();
    probe_resume(&c->probe);
    c->port.unlock(was);
}

/* The window is closed for good: the run is over, or a command has changed the words. */
static bool stop(struct cpuprobe *c)
{
    const char *why;

    port_samples_end(c);
    port_events_end(c);
    port_send_snapshot(c, true);
    if (c->ending)
        return end_run(c, true, "complete");
    port_send_end(c, true, "the words were changed");
    why = port_restart(c);
    return why == NULL || end_run(c, false, why);
}

/* A source that died keeps no time. */
static void keep_time(struct cpuprobe *c)
{
    const uintptr_t was = c->port.lock();

    c->probe.known = probe_clock(&c->probe);
    c->port.unlock(was);
}

bool cpuprobe_poll(struct cpuprobe *c)
{
    const char *why;

    if (c->phase == PORT_ENDED)
        return false;
    if (c->phase != PORT_RUNS)
        return true;
    keep_time(c);
    point_queue_fill(&c->probe.queue, point_queue_most(&c->probe.queue));
    port_samples_poll(c);
    port_events_poll(c);
    port_make_room(c);
    if (c->commands != NULL && !c->changing)
        port_commands_poll(c);
    why = port_tell_doubts(c);
    if (why != NULL)
        return end_run(c, false, why);
    if (c->probe.close == PROBE_CLOSED)
        show(c);
    return c->probe.close == PROBE_STOPPED ? stop(c) : poll_open(c);
}
