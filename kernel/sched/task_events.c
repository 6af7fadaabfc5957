/* SPDX-License-Identifier: MIT */
/* The rings of events between the tasks and PROBE, one for each kind. */
#include "kernel/sched/task_events.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/string.h"

#define EVENTS 128u /* of each kind; a power of two */

static struct {
    struct event event[EVENTS];
    volatile uint32_t head, tail;
} rings[EVENT_KINDS]; /* interrupts off */

static uint64_t lost;          /* interrupts off */
static void (*pressing)(void); /* set once */

static uint32_t waiting(enum event_kind kind)
{
    return rings[kind].head - rings[kind].tail;
}

static bool refuse(enum event_kind kind)
{
    struct denials *const d = &current->denied;

    lost++;
    *(kind == EVENT_FAULT ? &d->faults : &d->reports) += 1;
    return false;
}

bool events_put(const struct event *e)
{
    struct event *to;

    if (e->kind == EVENT_FAULT && events_fault_backlog() && pressing != 0)
        pressing();
    if (waiting(e->kind) == EVENTS)
        return refuse(e->kind);
    to = &rings[e->kind].event[rings[e->kind].head++ % EVENTS];
    *to = *e;
    to->time = rdtsc();
    to->id = current->id;
    string_copy(to->name, current->name, sizeof to->name);
    return true;
}

/* The kind of the oldest; EVENT_KINDS where there is none.  Interrupts off. */
static unsigned oldest(unsigned kinds)
{
    unsigned first = EVENT_KINDS;
    uint64_t time = UINT64_MAX;

    for (unsigned kind = 0; kind < EVENT_KINDS; kind++) {
        const struct event *const e = &rings[kind].event[rings[kind].tail % EVENTS];

        if (!(kinds >> kind & 1) || waiting(kind) == 0 || e->time >= time)
            continue;
        first = kind;
        time = e->time;
    }
    return first;
}

bool events_take(struct event *e, unsigned kinds)
{
    unsigned kind;

    irq_disable();
    kind = oldest(kinds);
    if (kind != EVENT_KINDS)
        *e = rings[kind].event[rings[kind].tail++ % EVENTS];
    irq_enable();
    return kind != EVENT_KINDS;
}

uint32_t events_pending(void)
{
    return waiting(EVENT_FAULT) + waiting(EVENT_REPORT);
}

bool events_fault_backlog(void)
{
    return waiting(EVENT_FAULT) >= EVENTS / 2;
}

void events_on_fault_backlog(void (*call)(void))
{
    pressing = call;
}

uint64_t events_lost(void)
{
    return lost;
}
