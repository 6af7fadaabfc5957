/* SPDX-License-Identifier: MIT */
/*
 * A value change dump (IEEE 1364-2005, 18): a vector of 3 bits for each task, 0 where it does not run, else its mode:
 * 1 user, 2 supervisor, 3 kernel, 4 interrupt, 7 not known; `monitor` is the tick's handler, `masked` interrupts off,
 * `lost` a gap.  From the states of the run; without them from its samples, each until the next one.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/hash_index.h"
#include "tools/export/export.h"
#include "tools/timeline/epoch_pass.h"

#define MODE_NOT_KNOWN 7u
#define BITS           3
#define CODE_FIRST     '!' /* names of signals are made of these characters */
#define CODES          ('~' - '!' + 1)
#define FLAGS          3u

enum flag { MONITOR, MASKED, LOST };

struct vcd {
    const struct export_run *run;
    FILE *out;
    struct index task_of; /* numbers of signals by row id, in the order in which tasks came */
    uint32_t *task;
    size_t tasks;
    size_t running;       /* whose signal is not 0; tasks: none */
    unsigned value;       /* of it */
    bool flag[FLAGS];
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

static void put_vector(const struct vcd *v, size_t task, unsigned value)
{
    putc('b', v->out);
    for (unsigned bit = BITS; bit-- > 0;)
        putc(value >> bit & 1 ? '1' : '0', v->out);
    putc(' ', v->out);
    put_code(v, FLAGS + task);
    putc('\n', v->out);
}

static void put_flag(const struct vcd *v, enum flag flag)
{
    putc(v->flag[flag] ? '1' : '0', v->out);
    put_code(v, flag);
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

static void set_flag(struct vcd *v, enum flag flag, bool value)
{
    if (v->flag[flag] == value)
        return;
    v->flag[flag] = value;
    put_flag(v, flag);
}

static void set_running(struct vcd *v, size_t task, unsigned value)
{
    if (v->running == task && v->value == value)
        return;
    if (v->running != task && v->running < v->tasks)
        put_vector(v, v->running, 0);
    if (task < v->tasks)
        put_vector(v, task, value);
    v->running = task;
    v->value = value;
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

static unsigned value_of(enum mode mode, bool known)
{
    return known && mode < MODES ? (unsigned)mode + 1 : MODE_NOT_KNOWN;
}

static void put_step(struct vcd *v, const struct timeline_step *s)
{
    const bool runs = !s->monitor && s->known & KNOWN_TASK;

    put_time(v, export_ns(v->run, s->begin));
    set_flag(v, LOST, false);
    set_flag(v, MONITOR, s->monitor);
    set_flag(v, MASKED, s->known & KNOWN_MASKED && s->masked);
    set_running(v, runs ? index_find(&v->task_of, s->task) : v->tasks, value_of(s->mode, s->known & KNOWN_MODE));
    v->end = export_ns(v->run, s->begin + s->length);
}

static void put_gap(struct vcd *v, const struct timeline_gap *g)
{
    put_time(v, export_ns(v->run, g->begin));
    set_running(v, v->tasks, 0);
    set_flag(v, LOST, true);
}

/* Nobody runs after the last step. */
static void put_end(void *context)
{
    struct vcd *v = context;

    put_time(v, v->end);
    set_running(v, v->tasks, 0);
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
    set_flag(v, LOST, !of || !of->at.known);
    set_running(v, of && of->at.known ? index_find(&v->task_of, of->at.task) : v->tasks,
                of ? value_of(of->at.mode, true) : MODE_NOT_KNOWN);
}

static void put_lost(void *context, const struct sample_gap *gap)
{
    struct vcd *v = context;

    (void)gap;
    set_running(v, v->tasks, 0);
    set_flag(v, LOST, true);
}

/* ---- the head ---- */

static void put_signal(const struct vcd *v, unsigned bits, size_t signal, const char *name)
{
    fprintf(v->out, "$var wire %u ", bits);
    put_code(v, signal);
    putc(' ', v->out);
    for (; *name; name++) /* an identifier has no blank; readers take '[' for an index */
        putc(isalnum((unsigned char)*name) || *name == '.' || *name == '$' ? *name : '_', v->out);
    fputs(" $end\n", v->out);
}

/* A note may not end its own comment. */
static void put_note(const struct vcd *v, const char *note)
{
    fputs("$comment ", v->out);
    for (; *note; note++)
        putc(*note == '$' ? 'S' : *note, v->out);
    fputs(" $end\n", v->out);
}

static void put_head(struct vcd *v)
{
    static const char *const flags[] = {[MONITOR] = "monitor", [MASKED] = "masked", [LOST] = "lost"};
    char name[NAME_SIZE];

    for (size_t i = 0; i < v->run->notes; i++)
        put_note(v, v->run->note[i]);
    fputs("$timescale 1ns $end\n$scope module cpuprobe $end\n", v->out);
    for (unsigned f = 0; f < FLAGS; f++)
        put_signal(v, 1, f, flags[f]);
    for (size_t t = 0; t < v->tasks; t++) {
        epoch_name_of(v->run->epoch, v->task[t], name);
        put_signal(v, BITS, FLAGS + t, name);
    }
    fputs("$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n", v->out);
    for (unsigned f = 0; f < FLAGS; f++)
        put_flag(v, f);
    for (size_t t = 0; t < v->tasks; t++)
        put_vector(v, t, 0);
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
