/* SPDX-License-Identifier: MIT */
/* Parses event points, counts and keeps events. */
#include "tools/hwmon/event_monitor.h"

#include <string.h>

#include "tools/base/alloc.h"

#define EVENT_BITS 8  /* of the argument of a user event: its number; the value is above */
#define BYTES      4u /* of a value where the word does not say */

/* ADDRESS, or ADDRESS:BYTES */
static bool parse_store(struct event_point *p, const struct names *names, const char *text)
{
    const char *const colon = strchr(text, ':');
    char address[256] = "";

    p->bytes = BYTES;
    if (colon == NULL)
        return names_address(names, text, &p->address);
    if (colon[1] < '1' || colon[1] > '6' || colon[2] != '\0' || (size_t)(colon - text) >= sizeof address)
        return false;
    p->bytes = (unsigned)(colon[1] - '0');
    memcpy(address, text, (size_t)(colon - text));
    return names_address(names, address, &p->address);
}

/* NULL, or what is wrong. */
static const char *parse_point(struct event_point *p, const struct names *names, const char *text)
{
    if (p->mode == EVENT_STORED || p->mode == EVENT_SYNC) {
        p->bytes = EVENT_WINDOW;
        return names_address(names, text, &p->address) ? NULL : "no file has this name, and it is no address";
    }
    if (strncmp(text, "at:", 3) == 0 && names_address(names, text + 3, &p->address))
        return NULL;
    if (strncmp(text, "store:", 6) == 0 && parse_store(p, names, text + 6))
        return NULL;
    return "it is none of at:ADDRESS, store:ADDRESS, store:ADDRESS:BYTES (1 to 6)";
}

const char *event_monitor_add(struct event_monitor *m, const struct names *names, const char *text,
                              enum event_mode mode)
{
    struct event_point p = { .text = text, .mode = mode };
    const char *wrong;

    if (m->points == EVENT_POINTS)
        return "there are more than 32 events";
    wrong = parse_point(&p, names, text);
    if (wrong != NULL)
        return wrong;
    m->point[m->points++] = p;
    m->on |= mode != EVENT_SYNC;
    return NULL;
}

static void keep(struct event_monitor *m, enum trace_class class, uint64_t time, uint64_t argument)
{
    APPEND(m->kept, m->count, (struct trace_event){
        .time = time, .argument = argument & TRACE_ARGUMENT_MAX, .class = (uint8_t)class,
    });
}

static void lose(struct event_monitor *m, uint64_t time)
{
    if (m->lost++ == 0)
        m->lost_time = time;
    m->untold++;
}

void event_monitor_record(struct event_monitor *m, enum trace_class class, uint64_t time, uint64_t argument)
{
    m->counts[class]++;
    if (m->count >= EVENTS_KEPT) {
        lose(m, time);
        return;
    }
    if (m->untold != 0)
        keep(m, TRACE_LOST, time, m->untold);
    m->untold = 0;
    keep(m, class, time, argument);
}

void event_monitor_reached(struct event_monitor *m, struct event_point *point, uint64_t time, uint64_t value)
{
    point->times++;
    switch (point->mode) {
    case EVENT_TIMED:
        event_monitor_record(m, TRACE_USER, time, value << EVENT_BITS | (uint64_t)(point - m->point));
        break;
    case EVENT_COUNTED: m->counts[TRACE_USER]++; break;
    case EVENT_STORED: event_monitor_record(m, TRACE_USER, time, value); break;
    case EVENT_SYNC: event_monitor_record(m, TRACE_SYNC, time, value); break;
    }
}

void event_monitor_entered(struct event_monitor *m, unsigned range, uint64_t time)
{
    event_monitor_record(m, TRACE_USER, time, range != 0 ? EVENT_RANGE + range - 1 : EVENT_OUTSIDE);
}

void event_monitor_sent(struct event_monitor *m)
{
    m->count = 0;
}

void event_monitor_clear(struct event_monitor *m)
{
    for (unsigned i = 0; i < m->points; i++)
        m->point[i].times = 0;
    memset(m->counts, 0, sizeof m->counts);
    m->count = 0;
    m->lost = m->lost_time = m->untold = 0;
}

/* Appends changes of cell. */

void change_log_end(struct change_log *log, uint64_t cell)
{
    if (!log->on || log->since == 0)
        return;
    APPEND(log->kept, log->count, (struct change){ cell, log->since });
    log->since = 0;
}
