/* SPDX-License-Identifier: MIT */
/*
 * The value of events=, CLASS[:TASK[:LOW-HIGH]] with commas between: which events the monitor
 * takes.  Any context.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/region_spec.h"
#include "probe/text/text_buf.h"
#include "probe/text/text_span.h"
#include "probe/trace/event_class.h"

#define EVENT_SPECS_MAX  8u
#define EVENT_VALUE_SIZE 65 /* longest value, as given and as printed, its end included */
#define EVENT_SPEC_ALLOWED                                                                        \
    "usual, all, or of switch ready sleep wake start end irq syscall service fault io user "      \
    "timer mask tick sync, commas between, each with :TASK or :TASK:LOW-HIGH (* any task), eight at most"

/* All that figure 3 needs; `all` has the sections with interrupts off and the ticks too. */
#define EVENT_ALL   ((1u << TRACE_PAUSE) - 2)
#define EVENT_USUAL (EVENT_ALL & ~(1u << TRACE_MASK | 1u << TRACE_UNMASK | 1u << TRACE_TICK_ENTER | \
                                   1u << TRACE_TICK_EXIT))

/* The classes whose events come from code at an address: that calls, or that is interrupted. */
#define EVENT_SITED                                                                                             \
    (1u << TRACE_SYSCALL_ENTER | 1u << TRACE_SYSCALL_EXIT | 1u << TRACE_SERVICE_ENTER | 1u << TRACE_SERVICE_EXIT | \
     1u << TRACE_IRQ_ENTER | 1u << TRACE_FAULT)

/* One of them. */
struct event_spec {
    uint64_t low, high;          /* addresses, both included; 0 to UINT64_MAX: any */
    uint32_t classes;            /* a mask; all of one name */
    char task[REGION_TASK_SIZE]; /* its name; "*": any task */
};

struct event_specs {
    uint32_t count; /* at least 1 */
    struct event_spec spec[EVENT_SPECS_MAX];
};

/* Read a value; *s changes only if it is one. */
bool event_specs_parse(struct event_specs *s, struct span value);

/* Append it in the form that is read. */
void event_specs_put(struct text_buf *out, const struct event_specs *s);

bool event_specs_same(const struct event_specs *a, const struct event_specs *b);

/* The classes that are taken of the task of this name, "*" for no task in particular. */
uint32_t event_specs_of_task(const struct event_specs *s, const char *task);
