/* SPDX-License-Identifier: MIT */
/*
 * The value of when=, CONDITION/ACTION[/ACTION...] with commas between: what events do.  A condition is
 * CLASS[:TASK[:NUMBER]], or share:TASK:PERCENT.  Any context.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/region_spec.h"
#include "probe/text/text_buf.h"
#include "probe/text/text_span.h"
#include "probe/trace/event_rules.h"

#define RULE_VALUE_SIZE 129 /* longest value, as given and as printed, its end included */
#define RULE_SPEC_ALLOWED                                                                                   \
    "none, or CLASS[:TASK[:NUMBER]]/ACTION.. or share:TASK:PERCENT/ACTION.., commas between, eight at most; " \
    "actions: add:C set:C:N reset:C start stop freeze[:PERCENT] write snapshot"

/*
 * Classes whose events have a number that can be asked for, and all that can have a rule: a service runs at ring 1.
 */
#define RULE_NUMBERED                                                                                        \
    (1u << TRACE_SYSCALL_ENTER | 1u << TRACE_SYSCALL_EXIT | 1u << TRACE_IRQ_ENTER | 1u << TRACE_IRQ_EXIT | \
     1u << TRACE_FAULT | 1u << TRACE_USER | 1u << TRACE_IO_START | 1u << TRACE_IO_END)
#define RULE_CLASSES                                                                                          \
    (RULE_NUMBERED | 1u << TRACE_SWITCH | 1u << TRACE_READY | 1u << TRACE_SLEEP | 1u << TRACE_WAKE |         \
     1u << TRACE_START | 1u << TRACE_END | 1u << TRACE_RESUME | 1u << TRACE_TIMER)

/* One of them. */
struct rule_spec {
    struct event_rule rule;
    char task[REGION_TASK_SIZE]; /* its name; "*": any task */
};

struct rule_specs {
    uint32_t count; /* 0: none */
    struct rule_spec spec[EVENT_RULES_MAX];
};

/* Read a value; *s changes only if it is one. */
bool rule_specs_parse(struct rule_specs *s, struct span value);

/* Append it in the form that is read. */
void rule_specs_put(struct text_buf *out, const struct rule_specs *s);

bool rule_specs_same(const struct rule_specs *a, const struct rule_specs *b);

/* The rules, as a mask, that are about the task of this name; those of shares are about none here. */
uint32_t rule_specs_of_task(const struct rule_specs *s, const char *task);

/* The classes of these rules, as a mask; and the actions of all. */
uint32_t rule_specs_classes(const struct rule_specs *s, uint32_t rules);
unsigned rule_specs_actions(const struct rule_specs *s);
