/* SPDX-License-Identifier: MIT */
/* Steps tell when interrupts are off; events, where there are some, tell why. */
#include "tools/trace/masked_stretches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/saturate.h"

/* ---- what is kept ---- */

static struct masked_sum *sum_of(struct masked_stretches *m, const struct masked_stretch *s)
{
    for (size_t i = 0; i < m->sums; i++)
        if (m->sum[i].longest.cause == s->cause && m->sum[i].longest.number == s->number)
            return &m->sum[i];
    if (m->sums == MASKED_SUMS)
        return &m->sum[MASKED_SUMS - 1];
    m->sum[m->sums].longest = (struct masked_stretch){.cause = s->cause, .number = s->number, .length = INT64_MIN};
    return &m->sum[m->sums++];
}

static void keep_longest(struct masked_stretches *m, const struct masked_stretch *s)
{
    size_t at = m->longests;

    while (at && m->longest[at - 1].length < s->length)
        at--;
    if (at == MASKED_LONGEST)
        return;
    m->longests += m->longests < MASKED_LONGEST;
    memmove(&m->longest[at + 1], &m->longest[at], (m->longests - 1 - at) * sizeof(*s));
    m->longest[at] = *s;
}

static const struct masked_stretch *end_stretch(struct masked_stretches *m)
{
    struct masked_sum *sum;

    if (!m->open)
        return NULL;
    m->open = false;
    sum = sum_of(m, &m->now);
    sum->count++;
    sum->total = saturate_add(sum->total, m->now.length);
    if (m->now.length > sum->longest.length)
        sum->longest = m->now;
    keep_longest(m, &m->now);
    return &m->now;
}

/* ---- items ---- */

static enum masked_cause first_cause(const struct timeline_step *s)
{
    if (!(s->known & KNOWN_MODE))
        return MASKED_OTHER;
    if (s->mode == MODE_INTERRUPT)
        return MASKED_INTERRUPT;
    return s->known & KNOWN_CALL && s->call != CALL_NONE ? MASKED_CALL : MASKED_OTHER;
}

static const struct masked_stretch *take_step(struct masked_stretches *m, const struct timeline_step *s)
{
    if (!(s->known & KNOWN_MASKED) || !s->masked || s->monitor)
        return end_stretch(m);
    if (!m->open) {
        m->open = true;
        m->now = (struct masked_stretch){
            .cause = first_cause(s), .number = MASKED_NO_NUMBER, .task = s->task,
            .task_known = s->known & KNOWN_TASK, .mode = s->mode, .begin = s->begin,
        };
        if (m->now.cause == MASKED_CALL)
            m->now.number = (uint64_t)s->call;
    }
    m->now.length = saturate_add(m->now.length, s->length);
    if (m->now.task_known && s->known & KNOWN_TASK && s->task != m->now.task && m->now.cause == MASKED_OTHER)
        m->now.cause = MASKED_SWITCH;
    return NULL;
}

/* The step that an interrupt ends with an exit was its handler's. */
static void take_event(struct masked_stretches *m, const struct timeline_event *e)
{
    if (!m->open)
        return;
    if (e->class == TRACE_IRQ_EXIT && m->now.cause == MASKED_INTERRUPT && m->now.number == MASKED_NO_NUMBER)
        m->now.number = (uint32_t)e->argument;
}

const struct masked_stretch *masked_stretches_take(struct masked_stretches *m, const struct timeline_item *item)
{
    if (item->kind == TIMELINE_STEP)
        return take_step(m, &item->step);
    if (item->kind == TIMELINE_EVENT)
        take_event(m, &item->event);
    else
        m->open = false;
    return NULL;
}

static int by_total(const void *a, const void *b)
{
    const struct masked_sum *one = a, *other = b;

    return (one->total < other->total) - (one->total > other->total);
}

void masked_stretches_sort(struct masked_stretches *m)
{
    qsort(m->sum, m->sums, sizeof(*m->sum), by_total);
}

void masked_cause_name(enum masked_cause cause, uint64_t number, char text[40])
{
    static const char *const name[] = {
        [MASKED_INTERRUPT] = "interrupt", [MASKED_SWITCH] = "switch of tasks", [MASKED_CALL] = "system call",
        [MASKED_OTHER] = "section of the kernel",
    };

    if (number == MASKED_NO_NUMBER)
        snprintf(text, 40, "%s", name[cause]);
    else
        snprintf(text, 40, cause == MASKED_INTERRUPT ? "%s 0x%" PRIx64 : "%s %" PRIu64, name[cause], number);
}
