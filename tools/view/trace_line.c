/* SPDX-License-Identifier: MIT */
/* A dash is what is not known.  Arguments that are tasks are printed by name. */
#include "tools/view/trace_line.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "probe/trace/event_class.h"

static void set_task(struct trace_line *line, const struct timeline_input *in, uint32_t task, unsigned known)
{
    if (known & KNOWN_TASK)
        epoch_name_of(timeline_epoch(in->timeline), task, line->subject.task);
}

static void set_mode(struct trace_line *line, enum mode mode, bool monitor, unsigned known)
{
    if (monitor) {
        line->subject.mode = FILTER_MONITOR;
        line->mode = "monitor";
    } else if (known & KNOWN_MODE) {
        line->subject.mode = mode;
        line->mode = mode_name(mode);
    }
    line->subject.mode_told = monitor || known & KNOWN_MODE;
}

/* ---- events ---- */

static void put_cell(char *text, uint64_t argument)
{
    const unsigned cell = trace_cell(argument);

    if (cell < 2 * MODES)
        snprintf(text, TRACE_ARGUMENT_TEXT, "%s%s", mode_name((enum mode)(cell / 2)), cell & 1 ? ",masked" : "");
}

static void put_argument(struct trace_line *line, const struct timeline_input *in, const struct timeline_event *e)
{
    char *text = line->argument;

    switch (e->class) {
    case TRACE_SWITCH: case TRACE_READY: case TRACE_SLEEP: case TRACE_WAKE: case TRACE_START: case TRACE_END:
    case TRACE_CONTINUE:
        epoch_name_of(timeline_epoch(in->timeline), trace_task_row(e->argument), text);
        break;
    case TRACE_RESUME: put_cell(text, e->argument); break;
    case TRACE_IRQ_ENTER: case TRACE_IRQ_EXIT:
        snprintf(text, TRACE_ARGUMENT_TEXT, "0x%" PRIx32, (uint32_t)e->argument);
        break;
    case TRACE_SYSCALL_EXIT: case TRACE_SERVICE_EXIT:
        snprintf(text, TRACE_ARGUMENT_TEXT, "%" PRIu32, (uint32_t)e->argument);
        break;
    case TRACE_USER: case TRACE_IO_START: case TRACE_IO_END:
        snprintf(text, TRACE_ARGUMENT_TEXT, "%" PRIu64 ":%" PRIu64, e->argument & 0xff, e->argument >> 8);
        break;
    case TRACE_MASK: case TRACE_UNMASK: case TRACE_TICK_ENTER: case TRACE_TICK_EXIT: break;
    default: snprintf(text, TRACE_ARGUMENT_TEXT, "%" PRIu64, e->argument);
    }
}

/* What a filter compares: a number without the cell that an exit leads to. */
static uint64_t number_of(const struct timeline_event *e)
{
    const bool exit = e->class == TRACE_IRQ_EXIT || e->class == TRACE_SYSCALL_EXIT || e->class == TRACE_SERVICE_EXIT;

    return exit ? (uint32_t)e->argument : e->argument;
}

static void set_event(struct trace_line *line, const struct timeline_input *in, const struct timeline_event *e)
{
    static const char *const unknown = "unknown";
    const char *name = trace_class_name(e->class);

    set_task(line, in, e->task, e->known);
    set_mode(line, e->mode, false, e->known);
    line->class = name ? name : unknown;
    line->subject.class = name ? trace_bit(e->class) : 0;
    line->subject.argument = number_of(e);
    line->subject.argument_told = e->class;
    put_argument(line, in, e);
}

/* ---- states and gaps ---- */

static void set_step(struct trace_line *line, const struct timeline_input *in, const struct timeline_step *s)
{
    char call[24] = "";

    set_task(line, in, s->task, s->known);
    set_mode(line, s->mode, s->monitor, s->known);
    line->class = "state";
    line->subject.class = FILTER_STATE;
    if (s->known & KNOWN_CALL && s->call != CALL_NONE)
        snprintf(call, sizeof(call), "call=%" PRId32, s->call);
    if (*call || (s->known & KNOWN_MASKED && s->masked))
        snprintf(line->argument, sizeof(line->argument), "%s%s%s",
                 s->known & KNOWN_MASKED && s->masked ? "masked" : "",
                 *call && s->known & KNOWN_MASKED && s->masked ? "," : "", call);
    line->subject.duration = (double)s->length / in->hz;
    line->subject.duration_told = true;
}

static void set_gap(struct trace_line *line, const struct timeline_input *in, const struct timeline_gap *g)
{
    line->class = "gap";
    line->subject.class = FILTER_GAP;
    if (g->missing)
        snprintf(line->argument, sizeof(line->argument), "%" PRIu64 ",", g->missing);
    strcpy(line->argument + (g->missing ? strlen(line->argument) : 0), gap_cause_text(g->cause));
    line->subject.duration = (double)(g->end - g->begin) / in->hz;
    line->subject.duration_told = g->end > g->begin;
}

void trace_line_of(struct trace_line *line, const struct timeline_input *in, const struct timeline_item *item,
                   const struct duration *ended)
{
    const unsigned known = item->kind == TIMELINE_STEP ? item->step.known : item->kind == TIMELINE_EVENT ?
                           item->event.known : KNOWN_TIME;

    *line = (struct trace_line){.class = "-", .mode = "-", .argument = "-", .item = item};
    line->subject.time = timeline_seconds(in, timeline_item_begin(item));
    line->subject.time_told = known & KNOWN_TIME;
    if (item->kind == TIMELINE_EVENT)
        set_event(line, in, &item->event);
    else if (item->kind == TIMELINE_STEP)
        set_step(line, in, &item->step);
    else
        set_gap(line, in, &item->gap);
    if (item->kind != TIMELINE_EVENT || !ended)
        return;
    line->subject.duration = (double)ended->length / in->hz;
    line->subject.duration_told = true;
}

/* ---- how they are printed ---- */

void trace_line_head(bool several, FILE *out)
{
    fprintf(out, "# %sseconds task mode event argument duration\n", several ? "stream " : "");
}

static void put_seconds(FILE *out, double seconds, bool told)
{
    if (told)
        fprintf(out, "%.9f", seconds);
    else
        fputc('-', out);
}

void trace_line_print(const struct trace_line *line, FILE *out)
{
    const struct filter_subject *s = &line->subject;

    if (s->class == FILTER_GAP) {
        fprintf(out, "# %s%s%.9f gap: %s\n", line->stream ? line->stream : "", line->stream ? " " : "", s->time,
                line->argument);
        return;
    }
    if (line->stream)
        fprintf(out, "%s ", line->stream);
    put_seconds(out, s->time, s->time_told);
    fprintf(out, " %s %s %s %s ", *s->task ? s->task : "-", line->mode, line->class, line->argument);
    put_seconds(out, s->duration, s->duration_told);
    fputc('\n', out);
}

static const char *const streams[] = {"A", "B", NULL};

#define LINE_MEMBERS(M, O)                                                          \
    O(WORD_IF, stream, streams, "with two files: of which it is")                   \
    M(REAL, time, "s since the image started; null: not known")                     \
    M(TEXT, event, "class of the event as in events=, or state or gap")             \
    M(TEXT, task, "name of the task that ran; null: not known")                     \
    M(TEXT, mode, "its mode; null: not known")                                      \
    M(TEXT, argument, "by class, as in the lines of text; null: it has none")       \
    M(REAL, duration, "length of what it ends, or of the state or gap, s; null: not known")
REPORT_SHARED(trace_line, LINE_MEMBERS)

/* NULL: not known. */
static const char *known(const char *text)
{
    return *text && strcmp(text, "-") != 0 ? text : NULL;
}

void trace_line_json(const struct trace_line *line, FILE *out)
{
    const struct filter_subject *s = &line->subject;
    const struct trace_line_value value = {
        .stream = line->stream, .time = s->time_told ? s->time : NAN, .event = known(line->class),
        .task = known(s->task), .mode = known(line->mode), .argument = known(line->argument),
        .duration = s->duration_told ? s->duration : NAN,
    };

    report_object_line(&trace_line_object, &value, out);
}
