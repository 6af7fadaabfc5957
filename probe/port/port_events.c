/* SPDX-License-Identifier: MIT */
/* Events of a port: switches and what else its kernel tells, in a ring in memory of the caller; polls send them. */
#include "probe/port/port.h"
#include "probe/port/port_memory.h"
#include "probe/schedule/memory.h"
#include "probe/stream/event_encode.h"

#define TAKEN (1u << TRACE_SWITCH | 1u << TRACE_USER)

void port_events_init(struct cpuprobe *c)
{
    struct port_events *const e = c->options.events;

    memset(e, 0, sizeof *e);
    for (e->records = PORT_EVENTS_LEAST; port_events_size(2 * e->records) <= c->options.events_size &&
                                         e->records < PORT_EVENTS_MOST;)
        e->records *= 2;
    e->task = ROW_IDLE;
    c->events = e;
}

/* Interrupts off. */
static void begin_ring(struct cpuprobe *c)
{
    struct port_events *const e = c->events;

    event_ring_begin(&e->ring, &(struct event_ring_request){ e->record, e->records, EVENT_RING_STREAM });
    event_ring_control(&e->ring, probe_clock(&c->probe), TRACE_CONTINUE, e->task);
    e->ring.mask = e->ring.open = TAKEN;
}

void port_events_begin(struct cpuprobe *c)
{
    struct port_events *const e = c->events;
    uintptr_t was;

    if (e == NULL)
        return;
    was = c->port.lock();
    begin_ring(c);
    event_encoder_begin(&e->encoder, &(struct event_encoder_request){
        .epoch = c->epoch, .unit = 1, .send = port_send_frame, .context = c,
    }, e->task);
    c->port.unlock(was);
}

static bool take(struct cpuprobe *c, struct event_record *to)
{
    const uintptr_t was = c->port.lock();
    const bool taken = event_ring_take(&c->events->ring, to);

    c->port.unlock(was);
    return taken;
}

/* At most a full ring: write() may cause events itself. */
void port_events_poll(struct cpuprobe *c)
{
    struct port_events *const e = c->events;
    struct event_record r;

    for (uint32_t i = 0; e != NULL && i < e->records && take(c, &r); i++) {
        event_encoder_lost(&e->encoder, e->ring.told, e->ring.lost_time != 0 ? e->ring.lost_time - c->start : 0);
        event_encoder_put(&e->encoder, &(struct trace_event){
            .time = r.time - c->start, .argument = event_record_argument(&r),
            .class = (uint8_t)event_record_class(&r),
        });
    }
}

static void send_counts(struct cpuprobe *c)
{
    struct event_counts counts = { .head.epoch = c->epoch };
    const uintptr_t was = c->port.lock();

    event_counts_read(&counts, &c->events->ring, probe_clock(&c->probe), c->start);
    c->port.unlock(was);
    event_counts_write(&c->frame, &counts);
    port_send_frame(c, &c->frame);
}

void port_events_flush(struct cpuprobe *c)
{
    if (c->events == NULL)
        return;
    port_events_poll(c);
    event_encoder_flush(&c->events->encoder);
    send_counts(c);
}

void port_events_end(struct cpuprobe *c)
{
    struct port_events *const e = c->events;
    uintptr_t was;

    if (e == NULL)
        return;
    was = c->port.lock();
    e->ring.mask = 0; /* nothing is recorded any more */
    c->port.unlock(was);
    port_events_poll(c);
    was = c->port.lock();
    event_ring_release(&e->ring); /* what was lost at the end is told too */
    c->port.unlock(was);
    port_events_poll(c);
    event_encoder_end(&e->encoder);
    send_counts(c);
}

static void put(struct cpuprobe *c, enum trace_class class, uint64_t argument)
{
    struct port_events *const e = c->events;
    const uintptr_t was = c->port.lock();

    const uint64_t now = probe_clock(&c->probe);

    if (class == TRACE_SWITCH)
        e->task = argument;
    if (class == TRACE_SWITCH && c->account == NULL) /* else it is told there */
        port_note_switch(c, now);
    if (e->ring.mask >> class & 1)
        event_ring_put(&e->ring, now, class, argument);
    c->port.unlock(was);
}

void cpuprobe_switch(struct cpuprobe *c, uint32_t task)
{
    if (c != NULL && c->events != NULL)
        put(c, TRACE_SWITCH, trace_task(port_checked_task(task), 0));
}

void cpuprobe_event(struct cpuprobe *c, uint8_t number, uint64_t value)
{
    if (c != NULL && c->events != NULL)
        put(c, TRACE_USER, (value << 8 | number) & TRACE_ARGUMENT_MAX);
}
