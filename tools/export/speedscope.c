/* SPDX-License-Identifier: MIT */
/*
 * speedscope's own format (its file-format-schema.json): a profile of kind `sampled` for each task, in seconds, with
 * gaps where it did not run.  Notes are a member of their own, which speedscope does not read, with the length of a
 * sample.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/export/export.h"

#define NS 1000000000u

static void put_frames(const struct stacks *s, FILE *out)
{
    for (size_t i = 0; i < s->frames; i++) {
        const struct stack_frame *f = &s->frame[i];

        fputs(i ? ",\n{\"name\":" : "{\"name\":", out);
        export_json_text(out, stack_text(s, f->name));
        if (f->kind == FRAME_LINE) {
            fputs(",\"file\":", out);
            export_json_text(out, stack_text(s, f->file));
            fprintf(out, ",\"line\":%u", f->line);
        }
        putc('}', out);
    }
}

/* ---- the points of a profile ---- */

/* Samples at one moment: of a run without times, all samples of a stack. */
struct point {
    uint64_t ns, count;
    uint32_t stack; /* index */
    bool follows;   /* the sample before it, of all tasks, was of the same one */
};

struct task {
    uint32_t frame;
    uint64_t samples, points; /* points: at most so many */
    size_t first, taken;      /* of its points in point[] */
};

/* Points of several tasks are kept from one reading of the stream; a task that has more is read by itself. */
#define POINTS_MOST ((uint64_t)1 << 19)

struct speedscope {
    const struct export_run *run;
    FILE *out;
    struct task *task;   /* the one with most samples first */
    size_t tasks;
    uint32_t *task_of;   /* by frame */
    bool timed;
    uint64_t period;     /* ns; 0: weights are counts */
    struct point *point;
    size_t first, end;   /* tasks that are being read; of one alone points are put and not kept */
    size_t last;         /* task of the last point; tasks: none */
    bool started;        /* `start` is known */
    uint64_t start, now; /* ns: of the first sample, of the last one */
    struct stack_turns turns;

    /* What is being put: the stacks or the weights of a profile, of which the last waits for more of its kind. */
    bool weights, any;
    uint64_t at;         /* ns: where the next sample stands */
    uint32_t stack;
    uint64_t held;       /* weight that waits; 0: nothing does */
};

#define GAP UINT32_MAX

static uint64_t weight_of(const struct speedscope *p, uint64_t count)
{
    const uint64_t each = p->period ? p->period : 1;

    return count > UINT64_MAX / each ? UINT64_MAX : count * each;
}

static void put_weight(const struct speedscope *p, uint64_t weight)
{
    if (p->period)
        fprintf(p->out, "%" PRIu64 ".%09" PRIu64, weight / NS, weight % NS);
    else
        export_json_count(p->out, weight);
}

static void put_stack(const struct speedscope *p, uint32_t stack)
{
    const struct stacks *s = &p->run->stacks;

    putc('[', p->out);
    for (uint32_t n = 0; stack != GAP && n < s->stack[stack].depth; n++)
        fprintf(p->out, n ? ",%" PRIu32 : "%" PRIu32, s->id[s->stack[stack].first + n]);
    putc(']', p->out);
}

static void put_held(struct speedscope *p)
{
    if (!p->held)
        return;
    if (p->any)
        fputs(p->weights ? "," : ",\n", p->out);
    if (p->weights)
        put_weight(p, p->held);
    else
        put_stack(p, p->stack);
    p->any = true;
    p->held = 0;
}

static void hold(struct speedscope *p, uint32_t stack, uint64_t weight)
{
    if (stack != p->stack)
        put_held(p);
    p->stack = stack;
    p->held = weight > UINT64_MAX - p->held ? UINT64_MAX : p->held + weight;
    p->at = weight > UINT64_MAX - p->at ? UINT64_MAX : p->at + weight;
}

/*
 * A sample is one mean interval long, so that sums are those of the table.  It stands at its time, or where the one
 * before it ends, if that is later; samples of one task that follow each other have no gap between them, unless it is
 * a long one.
 */
static void put_point(struct speedscope *p, const struct point *of)
{
    const uint64_t room = of->follows ? 2 * p->period : 0;

    if (of->ns > p->at && of->ns - p->at > room)
        hold(p, GAP, of->ns - p->at);
    hold(p, of->stack, weight_of(p, of->count));
}

static void take_point(struct speedscope *p, const struct stack *of, uint64_t count)
{
    const size_t task = p->task_of[p->run->stacks.id[of->first]];
    const struct point point = {.ns = p->now, .count = count, .stack = (uint32_t)(of - p->run->stacks.stack),
                                .follows = p->timed && task == p->last};
    struct task *const to = &p->task[task];

    p->last = task;
    if (task < p->first || task >= p->end)
        return;
    if (!p->point)
        put_point(p, &point);
    else if (to->taken < to->points)
        p->point[to->first + to->taken++] = point;
}

static void take_sample(void *context, const struct resolved_sample *sample)
{
    struct speedscope *p = context;
    const struct stack *of = stack_turns_next(&p->turns, &p->run->stacks, sample);

    p->now = export_sample_ns(p->run, sample);
    if (!p->started)
        p->start = p->at = p->now;
    p->started = true;
    if (of)
        take_point(p, of, 1);
}

/* Nothing tells when they were: they stand behind the sample before them. */
static void take_lost(void *context, const struct sample_gap *gap)
{
    struct speedscope *p = context;
    const struct stack *of = stacks_find(&p->run->stacks, &(struct resolved_sample){0});

    if (of)
        take_point(p, of, gap->count);
}

/* Read the points of the tasks [first, end). */
static bool read_points(struct speedscope *p)
{
    const struct stacks *s = &p->run->stacks;
    bool read = true;

    p->last = p->tasks;
    p->now = p->start;
    if (p->timed)
        read = epoch_pass_run(p->run->pass, &(struct epoch_sink){.context = p, .on_sample = take_sample,
                                                                 .on_lost = take_lost});
    for (size_t i = 0; i < s->count && !p->timed; i++)
        if (s->stack[i].shown)
            take_point(p, &s->stack[i], s->stack[i].shown);
    stack_turns_free(&p->turns);
    return read;
}

/* ---- the tasks ---- */

static int by_samples(const void *left, const void *right)
{
    const struct task *a = left, *b = right;

    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return (a->frame > b->frame) - (a->frame < b->frame);
}

/* The hits of a stack are its points, but those that were lost come together. */
static void find_tasks(struct speedscope *p)
{
    const struct stacks *s = &p->run->stacks;
    struct index of = {0};

    p->task_of = xcalloc(s->frames + 1, sizeof(*p->task_of));
    for (size_t i = 0; i < s->count; i++) {
        const struct task fresh = {.frame = s->id[s->stack[i].first]};
        struct task *const task = INDEX_ROW(&of, fresh.frame, p->task, p->tasks, &fresh);

        task->samples += s->stack[i].hits;
        task->points += p->timed ? s->stack[i].hits : 1;
    }
    index_free(&of);
    if (p->tasks)
        qsort(p->task, p->tasks, sizeof(*p->task), by_samples);
    for (size_t i = 0; i < p->tasks; i++)
        p->task_of[p->task[i].frame] = (uint32_t)i;
}

/* The stacks of a profile, or their weights. */
static bool put_list(struct speedscope *p, const struct task *task, bool weights)
{
    bool read = true;

    fputs(weights ? "],\"weights\":[" : "\"samples\":[\n", p->out);
    p->weights = weights;
    p->any = false;
    p->at = p->start;
    for (size_t i = 0; p->point && i < task->taken; i++)
        put_point(p, &p->point[task->first + i]);
    if (!p->point)
        read = read_points(p);
    put_held(p);
    return read;
}

static bool put_profile(struct speedscope *p, const struct task *task, bool first)
{
    const struct stacks *s = &p->run->stacks;
    bool read;

    fputs(first ? "{\"type\":\"sampled\",\"name\":" : ",\n{\"type\":\"sampled\",\"name\":", p->out);
    export_json_text(p->out, stack_text(s, s->frame[task->frame].name));
    fprintf(p->out, ",\"unit\":\"%s\",", p->period ? "seconds" : "none");
    read = put_list(p, task, false) && put_list(p, task, true);
    fputs("],\"startValue\":", p->out);
    put_weight(p, p->start);
    fputs(",\"endValue\":", p->out);
    put_weight(p, p->at);
    putc('}', p->out);
    return read;
}

/* As many tasks as there is room for; where there is none for a single one, that. */
static void choose_batch(struct speedscope *p)
{
    uint64_t points = 0;

    p->first = p->end;
    for (; p->end < p->tasks && p->task[p->end].points <= POINTS_MOST - points; p->end++) {
        p->task[p->end].first = points;
        points += p->task[p->end].points;
    }
    free(p->point);
    p->point = p->end > p->first ? xrealloc_array(NULL, points + 1, sizeof(*p->point)) : NULL;
    p->end += p->end == p->first;
}

static bool put_profiles(struct speedscope *p)
{
    bool read = true;

    while (read && p->end < p->tasks) {
        choose_batch(p);
        read = !p->point || read_points(p);
        for (size_t i = p->first; read && i < p->end; i++)
            read = put_profile(p, &p->task[i], !i);
    }
    free(p->point);
    return read;
}

bool export_speedscope(const struct export_run *run, FILE *out)
{
    struct speedscope p = {.run = run, .out = out, .period = export_period(run)};
    bool read;

    p.timed = p.period && export_has_times(run);
    find_tasks(&p);
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"cpuprobe\",\"name\":",
          out);
    export_json_text(out, run->name);
    fputs(",\n\"activeProfileIndex\":0,\"cpuprobe\":{\"sample\":", out);
    put_weight(&p, weight_of(&p, 1));
    fputs(",\"notes\":", out);
    export_json_notes(out, run, "\n");
    fputs("},\n\"shared\":{\"frames\":[\n", out);
    put_frames(&run->stacks, out);
    fputs("]},\n\"profiles\":[\n", out);
    read = put_profiles(&p);
    fputs("]}\n", out);
    free(p.task);
    free(p.task_of);
    return read && !ferror(out);
}
