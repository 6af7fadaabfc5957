/* SPDX-License-Identifier: MIT */
/* The names of the classes of events. */
#include "probe/trace/event_class.h"

#include <stddef.h>

static const struct {
    const char *group, *name;
} classes[] = {
#define TRACE_ROW(NAME, number, group, name, what) [number] = {group, name},
    TRACE_CLASSES(TRACE_ROW)
#undef TRACE_ROW
};

_Static_assert(TRACE_CLASSES_END <= 32, "a mask has a bit for each class");

const char *trace_class_name(unsigned class)
{
    return class < TRACE_CLASSES_END ? classes[class].name : NULL;
}

uint32_t trace_classes_named(struct span name)
{
    uint32_t mask = 0;

    for (unsigned i = 0; i < TRACE_CLASSES_END; i++)
        if (classes[i].name && (span_is(name, classes[i].group) || span_is(name, classes[i].name)))
            mask |= trace_bit(i);
    return mask;
}

const char *trace_classes_name(uint32_t mask, uint32_t within)
{
    for (unsigned i = 0; i < TRACE_CLASSES_END; i++) {
        if (!classes[i].name)
            continue;
        if ((trace_classes_named(span_text(classes[i].group)) & within) == mask)
            return classes[i].group;
        if ((trace_classes_named(span_text(classes[i].name)) & within) == mask)
            return classes[i].name;
    }
    return "";
}
