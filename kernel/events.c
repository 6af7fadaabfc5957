/* SPDX-License-Identifier: MIT */
/* A ring of events between the tasks and PROBE. */
#include "kernel/events.h"

#include "kernel/account.h"

#define EVENTS 128u /* a power of two */

static struct event ring[EVENTS];
static volatile uint32_t head, tail; /* interrupts off */
static uint64_t lost;

bool events_put(const struct event *e)
{
    if (head - tail == EVENTS) {
        lost++;
        *(e->kind == EVENT_FAULT ? &current->denied.faults : &current->denied.reports) += 1;
        return false;
    }
    ring[head++ % EVENTS] = *e;
    return true;
}

bool events_take(struct event *e)
{
    bool any;

    masked_begin();
    any = tail != head;
    if (any)
        *e = ring[tail++ % EVENTS];
    masked_end();
    return any;
}

bool events_waiting(void)
{
    return tail != head;
}

uint64_t events_lost(void)
{
    return lost;
}
