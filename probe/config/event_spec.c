/* SPDX-License-Identifier: MIT */
/* The value of events=, read and written. */
#include "probe/config/event_spec.h"

#include "probe/schedule/memory.h"

static const struct {
    const char *name;
    uint32_t classes;
} sets[] = {{"usual", EVENT_USUAL}, {"all", EVENT_ALL}};

#define SETS (sizeof sets / sizeof sets[0])

static uint32_t classes_named(struct span name)
{
    for (unsigned i = 0; i < SETS; i++)
        if (span_is(name, sets[i].name))
            return sets[i].classes;
    return trace_classes_named(name) & EVENT_ALL;
}

/* A site is for classes that have one; which ones of a class are taken cannot depend on the task. */
static bool parse_site(struct event_spec *e, struct span site)
{
    const struct span low = span_until(site, '-');

    return low.length < site.length && span_address(low, &e->low) &&
           span_address(span_after(site, low.length + 1), &e->high) && e->low <= e->high &&
           (e->classes & ~EVENT_SITED) == 0;
}

static bool parse_one(struct event_spec *e, struct span text)
{
    const struct span class = span_until(text, ':');
    const struct span rest = span_after(text, class.length + (class.length < text.length));
    const struct span task = span_until(rest, ':');

    *e = (struct event_spec){.high = UINT64_MAX, .classes = classes_named(class), .task = "*"};
    if (e->classes == 0)
        return false;
    if (class.length == text.length)
        return true;
    memset(e->task, 0, sizeof e->task);
    if (!region_spec_task(e->task, task))
        return false;
    return task.length == rest.length || parse_site(e, span_after(rest, task.length + 1));
}

/* Two sites of one class cannot be told apart: a class has one. */
static bool sites_agree(const struct event_specs *s, const struct event_spec *e)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->spec[i].classes & e->classes & EVENT_SITED && (s->spec[i].low != e->low || s->spec[i].high != e->high))
            return false;
    return true;
}

/* As it is printed it can be longer than it was given, and must be readable again. */
static bool fits(const struct event_specs *s)
{
    char text[EVENT_VALUE_SIZE + 1];
    struct text_buf out = TEXT_BUF(text);

    event_specs_put(&out, s);
    return out.length < EVENT_VALUE_SIZE;
}

bool event_specs_parse(struct event_specs *s, struct span value)
{
    struct event_specs to;
    bool more = true;

    memset(&to, 0, sizeof to);
    if (value.length >= EVENT_VALUE_SIZE)
        return false;
    while (more) {
        const struct span text = span_until(value, ',');
        struct event_spec e;

        if (to.count == EVENT_SPECS_MAX || !parse_one(&e, text) || !sites_agree(&to, &e))
            return false;
        to.spec[to.count++] = e;
        more = text.length < value.length;
        value = span_after(value, text.length + more);
    }
    if (!fits(&to))
        return false;
    *s = to;
    return true;
}

/* The name that has these classes. */
static const char *name_of(uint32_t classes)
{
    for (unsigned i = 0; i < SETS; i++)
        if (sets[i].classes == classes)
            return sets[i].name;
    return trace_classes_name(classes, EVENT_ALL);
}

static void put_one(struct text_buf *out, const struct event_spec *e)
{
    const bool sited = e->low != 0 || e->high != UINT64_MAX;

    buf_text(out, name_of(e->classes));
    if (e->task[0] == '*' && e->task[1] == '\0' && !sited)
        return;
    buf_char(out, ':');
    buf_text(out, e->task);
    if (!sited)
        return;
    buf_char(out, ':');
    buf_text(out, HEX(e->low));
    buf_char(out, '-');
    buf_text(out, HEX(e->high));
}

void event_specs_put(struct text_buf *out, const struct event_specs *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        buf_text(out, i ? "," : "");
        put_one(out, &s->spec[i]);
    }
}

bool event_specs_same(const struct event_specs *a, const struct event_specs *b)
{
    for (uint32_t i = 0; i < a->count && i < b->count; i++)
        if (a->spec[i].classes != b->spec[i].classes || a->spec[i].low != b->spec[i].low ||
            a->spec[i].high != b->spec[i].high || !span_is(span_text(a->spec[i].task), b->spec[i].task))
            return false;
    return a->count == b->count;
}

uint32_t event_specs_of_task(const struct event_specs *s, const char *task)
{
    uint32_t classes = 0;

    for (uint32_t i = 0; i < s->count; i++)
        if (span_is(span_text("*"), s->spec[i].task) || span_is(span_text(task), s->spec[i].task))
            classes |= s->spec[i].classes;
    return classes;
}
