/* SPDX-License-Identifier: MIT */
/* Epochs of a port: what the options say of the schedule, the window, and its first HELLO. */
#include "probe/port/port.h"
#include "probe/schedule/arithmetic.h"
#include "probe/schedule/memory.h"
#include "probe/schedule/splitmix64.h"

#define SOON 16u /* part of a mean interval: by chance one switch in so many comes within it */

void port_set_facts(struct cpuprobe *c)
{
    const struct cpuprobe_port *const p = &c->port;
    struct port_facts *const f = &c->facts;

    f->policy = port_policy(p, &c->options);
    if (p->arm == NULL) {
        f->rate = (uint32_t)divide64(p->source_hz + (uint64_t)p->longest / 2, p->longest);
        f->mean = (uint64_t)p->longest << 16;
    } else {
        f->rate = c->options.rate != 0 ? c->options.rate : PORT_RATE;
        f->mean = divide64((uint64_t)p->source_hz << 16, f->rate);
    }
    f->seed = c->options.seed;
    if (f->seed == 0) /* 63 bits, as everywhere; not 0 */
        f->seed = splitmix64_mix(probe_clock(&c->probe) + SPLITMIX64_GAMMA) >> 1 | 1;
}

/*
 * Begin a window: what takes time is done before it begins, or before its first point is looked for, which is armed
 * at once.  A source without arm() has its next tick when it comes.
 */
static void begin_window(struct cpuprobe *c)
{
    const uintptr_t was = c->port.lock();
    uint64_t first, now;

    c->target = 0;
    c->last = 0;
    memset((void *)c->doubt, 0, sizeof c->doubt);
    memset(c->doubted, 0, sizeof c->doubted);
    c->switches = c->behind = 0;
    port_load_begin(c);
    c->soon = divide64(c->facts.clock_hz, (uint64_t)SOON * c->facts.rate);
    probe_clear(&c->probe);
    system_reserve(&c->probe.system, ROW_IDLE); /* whoever comes before it is idle */
    now = probe_clock(&c->probe);
    if (c->account != NULL)
        port_account_begin(c, now);
    first = probe_begin_at(&c->probe, now);
    c->seen = now;
    c->phase = PORT_RUNS;
    port_arm(c, first);
    c->port.unlock(was);
}

const char *port_begin_epoch(struct cpuprobe *c)
{
    const char *const why = port_schedule(c, c->facts.policy, c->facts.rate);

    if (why != NULL)
        return why;
    c->epoch = splitmix64_mix(c->epoch + probe_clock(&c->probe)) >> 1 | 1;
    c->sent = (struct wire_sent){ .epoch = c->epoch };
    c->serial = 0;
    c->waits = false;
    probe_prepare(&c->probe);
    begin_window(c);
    port_samples_begin(c);
    c->shown = c->probe.counters.begin;
    port_send_hello(c);
    port_events_begin(c);
    return NULL;
}

const char *port_try_restart(struct cpuprobe *c)
{
    const struct port_facts before = c->facts;
    struct schedule plan; /* that of the open window stays */
    const char *why;

    port_set_facts(c);
    why = port_plan(c, c->facts.policy, c->facts.rate, &plan);
    c->facts = before;
    return why;
}

const char *port_restart(struct cpuprobe *c)
{
    const uintptr_t was = c->port.lock();

    c->phase = PORT_IDLE;
    c->port.unlock(was);
    c->changing = false;
    port_set_facts(c);
    return port_begin_epoch(c);
}
