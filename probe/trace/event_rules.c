/* SPDX-License-Identifier: MIT */
/* Which rules an event meets, and what they count. */
#include "probe/trace/event_rules.h"

#define IN_A_BYTE (1u << TRACE_USER | 1u << TRACE_IO_START | 1u << TRACE_IO_END)

uint32_t event_rules_classes(const struct event_rules *r)
{
    uint32_t classes = 0;

    for (uint32_t i = 0; i < r->count; i++)
        classes |= r->rule[i].classes;
    return classes;
}

/* The number in an event's argument: of USER and of I/O it is a byte. */
static uint32_t number_of(enum trace_class class, uint64_t argument)
{
    return IN_A_BYTE >> class & 1 ? argument & 0xff : (uint32_t)argument;
}

uint32_t event_rules_met(const struct event_rules *r, enum trace_class class, uint64_t argument, uint32_t of)
{
    const uint32_t number = number_of(class, argument);
    uint32_t met = 0;

    for (uint32_t i = 0; i < r->count; i++)
        if (of >> i & r->rule[i].classes >> class & 1 && (r->rule[i].any || r->rule[i].number == number))
            met |= 1u << i;
    return met;
}

static void count(struct event_rules *r, const struct event_rule *rule)
{
    switch ((enum event_counting)rule->counting) {
    case COUNTING_NONE:
        break;
    case COUNTING_ADD:
        r->counter[rule->counter]++;
        break;
    case COUNTING_SET:
        r->counter[rule->counter] = rule->value;
        break;
    case COUNTING_RESET:
        r->counter[rule->counter] = 0;
        break;
    }
}

unsigned event_rules_count(struct event_rules *r, uint32_t met, uint64_t time)
{
    unsigned actions = 0;

    for (uint32_t i = 0; i < r->count; i++) {
        if (!(met >> i & 1))
            continue;
        r->hits[i]++;
        r->last[i] = time;
        count(r, &r->rule[i]);
        actions |= r->rule[i].actions;
    }
    return actions;
}

unsigned event_rules_with(const struct event_rules *r, uint32_t met, unsigned actions)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (met >> i & 1 && r->rule[i].actions & actions)
            return i;
    return EVENT_RULES_MAX;
}
