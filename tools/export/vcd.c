/* SPDX-License-Identifier: MIT */
/*
 * A value change dump (IEEE 1364-2005, 18): a wire for each task that runs and for its mode, `monitor` in the tick's
 * handler, `masked` with interrupts off, `lost` in a gap; and for each task its state as a string, which GTKWave and
 * others know though the standard does not.  From the states of the run; without them from its samples, each until
 * the next one.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/hash_index.h"
#include "tools/export/export.h"
#include "tools/timeline/epoch_pass.h"

#define CODE_FIRST  '!' /* names of signals are made of these characters */
#define CODES       ('R' - '!' + 1)
#define STRING_MARK 'S' /* before that of a string: no other has it, and readers without strings see no value in it */

/* The first wires; those of tasks follow. */
enum wire { MONITOR, MASKED, LOST, MODE, FIXED = MODE + MODES };

struct vcd {
    const struct export_run *run;
    FILE *out;
    struct index task_of; /* numbers of signals by row id, in the order in which tasks came */
    uint32_t *task;
    size_t tasks;
    size_t running;       /* whose wire is 1; tasks: none */
    enum mode mode;       /* of it; MODES: not known */
    bool wire[FIXED];
    uint64_t now;         /* ns: time never goes back */
    bool timed;           /* `now` was written */
    int64_t end;          /* ns: of the last step */
};

static void put_code(const struct vcd *v, size_t signal)
{
    do {
        putc(CODE_FIRST + (int)(signal % CODES), v->out);
        signal /= CODES;
    } while (signal--);
}

static void put_wire(const struct vcd *v, size_t signal, bool value)
{
    putc(value ? '1' : '0', v->out);
    put_code(v, signal);
    putc('\n', v->out);
}

static void put_state(const struct vcd *v, size_t task, const char *state)
{
    fprintf(v->out, "s%s %c", state, STRING_MARK);
    put_code(v, task);
    putc('\n', v->out);
}

static void put_time(struct vcd *v, int64_t ns)
{
    const uint64_t time = ns < 0 ? 0 : (uint64_t)ns;

    if (v->timed && time <= v->now)
        return;
    v->now = time;
    v->timed = true;
    fprintf(v->out, "#%" PRIu64 "\n", time);
}

static void set_wire(struct vcd *v, unsigned wire, bool value)
{
    if (v->wire[wire] == value)
        return;
    v->wire[wire] = value;
    put_wire(v, wire, value);
}

/* Which task runs, v->tasks: none, and in which mode. */
static void set_running(struct vcd *v, size_t task, enum mode mode)
{
    const bool runs = task < v->tasks;

    for (unsigned m = 0; m < MODES; m++)
        set_wire(v, MODE + m, runs && mode == m);
    if (v->running != task && v->running < v->tasks) {
        put_wire(v, FIXED + v->running, false);
        put_state(v, v->running, "-");
    }
    if (v->running != task && runs)
        put_wire(v, FIXED + task, true);
    if (runs && (v->running != task || v->mode != mode))
        put_state(v, task, mode < MODES ? mode_name(mode) : "?");
    v->running = task;
    v->mode = mode;
}

/* ---- the tasks of the run ---- */

static void add_task(struct vcd *v, uint32_t id)
{
    INDEX_ROW(&v->task_of, id, v->task, v->tasks, &id);
}

static void find_task(void *context, const struct timeline_item *item)
{
    if (item->kind == TIMELINE_STEP && item->step.known & KNOWN_TASK)
        add_task(context, item->step.task);
}

static bool find_tasks(struct vcd *v)
{
    if (export_has_items(v->run))
        return epoch_pass_run(v->run->pass, &(struct epoch_sink){.context = v, .on_item = find_task});
    for (size_t i = 0; i < v->run->stacks.count; i++)
        if (v->run->stacks.stack[i].at.known)
            add_task(v, v->run->stacks.stack[i].at.task);
    return true;
}

/* ---- changes ---- */

static enum mode mode_of(enum mode mode, bool known)
{
    return known && mode < MODES ? mode : MODES;
}

static void put_step(struct vcd *v, const struct timeline_step *s)
{
    const bool runs = !s->monitor && s->known & KNOWN_TASK;

    put_time(v, export_ns(v->run, s->begin));
    set_wire(v, LOST, false);
    set_wire(v, MONITOR, s->monitor);
    set_wire(v, MASKED, s->known & KNOWN_MASKED && s->masked);
    set_running(v, runs ? index_find(&v->task_of, s->task) : v->tasks, mode_of(s->mode, s->known & KNOWN_MODE));
    v->end = export_ns(v->run, s->begin + s->length);
}

static void put_gap(struct vcd *v, const struct timeline_gap *g)
{
    put_time(v, export_ns(v->run, g->begin));
    set_running(v, v->tasks, MODES);
    set_wire(v, LOST, true);
}

/* Nobody runs after the last step. */
static void put_end(void *context)
{
    struct vcd *v = context;

    put_time(v, v->end);
    set_running(v, v->tasks, MODES);
}

static void put_item(void *context, const struct timeline_item *item)
{
    if (item->kind == TIMELINE_STEP)
        put_step(context, &item->step);
    else if (item->kind == TIMELINE_GAP)
        put_gap(context, &item->gap);
}

static void put_sample(void *context, const struct resolved_sample *sample)
{
    struct vcd *v = context;
    const struct stack *of = stacks_find(&v->run->stacks, sample);

    put_time(v, (int64_t)export_sample_ns(v->run, sample));
    set_wire(v, LOST, !of || !of->at.known);
    set_running(v, of && of->at.known ? index_find(&v->task_of, of->at.task) : v->tasks,
                of ? mode_of(of->at.mode, true) : MODES);
}

static void put_lost(void *context, const struct sample_gap *gap)
{
    struct vcd *v = context;

    (void)gap;
    set_running(v, v->tasks, MODES);
    set_wire(v, LOST, true);
}

/* ---- the head ---- */

/* An identifier has no blank; readers take '[' for an index. */
static void put_signal_name(const struct vcd *v, const char *name)
{
    putc(' ', v->out);
    for (; *name; name++)
        putc(isalnum((unsigned char)*name) || *name == '.' || *name == '$' ? *name : '_', v->out);
    fputs(" $end\n", v->out);
}

static void put_signal(const struct vcd *v, size_t signal, const char *name)
{
    fputs("$var wire 1 ", v->out);
    put_code(v, signal);
    put_signal_name(v, name);
}

static void put_string(const struct vcd *v, size_t task, const char *name)
{
    fprintf(v->out, "$var string 1 %c", STRING_MARK);
    put_code(v, task);
    put_signal_name(v, name);
}

/* A note may not end its own comment. */
static void put_note(const struct vcd *v, const char *note)
{
    fputs("$comment ", v->out);
    for (; *note; note++)
        putc(*note == '$' ? 'S' : *note, v->out);
    fputs(" $end\n", v->out);
}

static void put_task(const struct vcd *v, size_t task, bool string)
{
    char name[NAME_SIZE];

    epoch_name_of(v->run->epoch, v->task[task], name);
    if (string)
        put_string(v, task, name);
    else
        put_signal(v, FIXED + task, name);
}

static void put_definitions(const struct vcd *v)
{
    static const char *const names[MODE] = {[MONITOR] = "monitor", [MASKED] = "masked", [LOST] = "lost"};

    fputs("$timescale 1ns $end\n$scope module cpuprobe $end\n", v->out);
    for (unsigned w = 0; w < FIXED; w++)
        put_signal(v, w, w < MODE ? names[w] : mode_name((enum mode)(w - MODE)));
    for (size_t t = 0; t < v->tasks; t++)
        put_task(v, t, false);
    fputs("$scope module states $end\n", v->out);
    for (size_t t = 0; t < v->tasks; t++)
        put_task(v, t, true);
    fputs("$upscope $end\n$upscope $end\n$enddefinitions $end\n", v->out);
}

static void put_head(struct vcd *v)
{
    for (size_t i = 0; i < v->run->notes; i++)
        put_note(v, v->run->note[i]);
    put_definitions(v);
    fputs("#0\n$dumpvars\n", v->out);
    for (size_t w = 0; w < FIXED + v->tasks; w++)
        put_wire(v, w, false);
    for (size_t t = 0; t < v->tasks; t++)
        put_state(v, t, "-");
    fputs("$end\n", v->out);
    v->timed = true;
}

bool export_vcd(const struct export_run *run, FILE *out)
{
    struct vcd v = {.run = run, .out = out};
    const struct epoch_sink items = {.context = &v, .on_item = put_item, .on_end = put_end};
    const struct epoch_sink samples = {.context = &v, .on_sample = put_sample, .on_lost = put_lost};
    bool read = find_tasks(&v);

    v.running = v.tasks;
    if (read) {
        put_head(&v);
        read = epoch_pass_run(run->pass, export_has_items(run) ? &items : &samples);
    }
    index_free(&v.task_of);
    free(v.task);
    return read && !ferror(out);
}
