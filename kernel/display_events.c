/* SPDX-License-Identifier: MIT */
/* Tells what tasks did: faults that ended them, and numbers that they reported. */
#include "kernel/display.h"

#include "kernel/events.h"
#include "kernel/exception_names.h"
#include "kernel/link.h"
#include "kernel/options.h"
#include "kernel/say.h"
#include "kernel/text.h"

static void tell_fault(const struct event *e)
{
    const struct wire_fault f = {
        .epoch = options.epoch, .time = e->time - options.start, .id = e->task->id, .mode = e->mode,
        .vector = e->vector, .error = e->error, .pc = e->pc, .address = e->address,
        .name = { e->task->name, text_length(e->task->name) },
        .cause = { exception_name(e->vector), text_length(exception_name(e->vector)) },
    };

    if (options_frames())
        link_send_head(WIRE_FAULT, &f);
    else
        say(SAY_WARNING, "task ", e->task->name, " was ended in ",
            e->mode == MODE_USER ? "user" : "supervisor", " mode at ", HEX(e->pc), ": ",
            exception_name(e->vector), ", address ", HEX(e->address));
}

static void tell_report(const struct event *e)
{
    const struct wire_report r = {
        .epoch = options.epoch, .time = e->time - options.start, .id = e->task->id, .value = e->value,
        .name = { e->task->name, text_length(e->task->name) },
    };

    if (options_frames())
        link_send_head(WIRE_REPORT, &r);
    else
        say(SAY_NOTE, "task ", e->task->name, " reports ", DECIMAL(e->value));
}

void display_events(void)
{
    struct event e = { .task = 0 };

    while (events_take(&e)) {
        if (e.kind == EVENT_FAULT)
            tell_fault(&e);
        else
            tell_report(&e);
    }
}

bool display_tell(void (*before)(void))
{
    if (!events_waiting())
        return false;
    before();
    display_events();
    return true;
}
