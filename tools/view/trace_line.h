/* SPDX-License-Identifier: MIT */
/* Shows one event, state or gap of a timeline as a line: as text and as JSON. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "tools/base/report_object.h"
#include "tools/input/timeline_input.h"
#include "tools/timeline/timeline.h"
#include "tools/trace/durations.h"
#include "tools/trace/item_filter.h"

#define TRACE_ARGUMENT_TEXT 64

struct trace_line {
    struct filter_subject subject; /* for the filter too */
    const char *class, *mode;      /* "-": not known */
    char argument[TRACE_ARGUMENT_TEXT]; /* as a person reads it; "-": it has none */
    const struct timeline_item *item;
    const char *stream;            /* of several; NULL: there is one */
};

/* `ended`: what lasted until this event, NULL: nothing. */
void trace_line_of(struct trace_line *line, const struct timeline_input *in, const struct timeline_item *item,
                   const struct duration *ended);

/* The names of the columns; `several`: lines tell their streams. */
void trace_line_head(bool several, FILE *out);

void trace_line_print(const struct trace_line *line, FILE *out);
void trace_line_json(const struct trace_line *line, FILE *out);
extern const struct report_object trace_line_object;
