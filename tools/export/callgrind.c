/* SPDX-License-Identifier: MIT */
/*
 * The format of Callgrind (Valgrind's manual, "Callgrind Format Specification"): self cost by function and line, and
 * calls with inclusive cost from each outer frame to the next inner one.  A function has its task's name in front.
 * How often was called is not known; each says 1.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"
#include "tools/export/export.h"

struct cost { /* of a function at a line, or of what it calls */
    uint32_t task;    /* frame: a function is another one in another task */
    uint32_t caller;  /* frame */
    uint32_t callee;  /* frame; SELF: its own */
    uint32_t file;    /* text; of the line */
    unsigned line;
    uint64_t samples;
};

#define SELF UINT32_MAX

struct callgrind {
    const struct stacks *s;
    struct cost *cost;
    size_t costs;
    struct index cost_of;
    uint32_t *home; /* by frame: a file that has lines of it, by which callers name it too */
};

static void add(struct callgrind *c, const struct cost *more)
{
    const uint64_t words[] = {(uint64_t)more->caller << 32 | more->callee, (uint64_t)more->file << 32 | more->line,
                              more->task};
    struct cost fresh = *more, *to;

    fresh.samples = 0;
    to = INDEX_ROW(&c->cost_of, index_key(words, sizeof(words)), c->cost, c->costs, &fresh);
    to->samples += more->samples;
}

/* Whether the call was in this stack already: what a recursion costs counts once. */
static bool is_again(const struct stacks *s, const struct stack *of, uint32_t n)
{
    for (uint32_t before = 0; before < n; before++)
        if (s->id[of->first + before] == s->id[of->first + n] &&
            s->id[of->first + before + 1] == s->id[of->first + n + 1])
            return true;
    return false;
}

static void add_stack(struct callgrind *c, const struct stack *of)
{
    const struct stacks *s = c->s;
    const struct stack_frame *last = of->depth ? stack_frame(s, of, of->depth - 1) : NULL;
    const bool lined = last && last->kind == FRAME_LINE;
    const uint32_t depth = lined ? of->depth - 1 : of->depth;

    for (uint32_t n = 0; n < depth; n++) {
        struct cost cost = {.task = s->id[of->first], .caller = s->id[of->first + n], .callee = SELF,
                            .samples = of->hits};

        if (n + 1 < depth) {
            cost.callee = s->id[of->first + n + 1];
            cost.samples = is_again(s, of, n) ? 0 : of->hits;
        } else if (lined) {
            cost.file = last->file;
            cost.line = last->line;
            c->home[cost.caller] = last->file;
        }
        add(c, &cost);
    }
}

static int by_caller(const void *left, const void *right)
{
    const struct cost *a = left, *b = right;

    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    if (a->callee != b->callee)
        return a->callee > b->callee ? -1 : 1; /* its own first */
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* "(1)" would be a number for a name. */
static const char *mark_of(const char *name)
{
    return *name == '(' ? "?" : *name ? "" : "???";
}

static void put_name(const char *key, const char *name, FILE *out)
{
    fprintf(out, "%s=%s%s\n", key, mark_of(name), name);
}

/* Readers add up what has one name, whatever its object: the task is in front, as a class is. */
static void put_frame(const struct callgrind *c, const char *key, uint32_t task, uint32_t frame, FILE *out)
{
    const struct stacks *s = c->s;
    const char *const of = stack_text(s, s->frame[task].name), *const name = stack_text(s, s->frame[frame].name);

    if (task == frame)
        put_name(key, of, out);
    else
        fprintf(out, "%s=%s%s::%s\n", key, mark_of(of), of, name);
}

static void put_function(const struct callgrind *c, const struct cost *cost, FILE *out)
{
    const struct stacks *s = c->s;

    putc('\n', out);
    put_name("ob", stack_text(s, s->frame[cost->task].name), out);
    put_name("fl", stack_text(s, c->home[cost->caller]), out);
    put_frame(c, "fn", cost->task, cost->caller, out);
}

static void put_cost(const struct callgrind *c, const struct cost *cost, FILE *out)
{
    const struct stacks *s = c->s;

    if (cost->callee == SELF) {
        if (cost->file != c->home[cost->caller])
            put_name("fi", stack_text(s, cost->file), out);
        fprintf(out, "%u %" PRIu64 "\n", cost->line, cost->samples);
        if (cost->file != c->home[cost->caller])
            put_name("fe", stack_text(s, c->home[cost->caller]), out);
        return;
    }
    put_name("cfi", stack_text(s, c->home[cost->callee]), out);
    put_frame(c, "cfn", cost->task, cost->callee, out);
    fprintf(out, "calls=1 0\n0 %" PRIu64 "\n", cost->samples);
}

static bool is_same_function(const struct cost *a, const struct cost *b)
{
    return a->task == b->task && a->caller == b->caller;
}

static void put_head(const struct export_run *run, FILE *out)
{
    fputs("# callgrind format\nversion: 1\ncreator: cpuprobe\n", out);
    fprintf(out, "cmd: %s\n", run->name);
    for (unsigned i = 0; i < HEAD_LINES; i++)
        if (run->head[i])
            fprintf(out, "desc: %s\n", run->head[i]);
    fprintf(out, "positions: line\nevent: Samples : ticks that found it running\nevents: Samples\nsummary: %" PRIu64
                 "\n", run->stacks.samples);
}

bool export_callgrind(const struct export_run *run, FILE *out)
{
    struct callgrind c = {.s = &run->stacks, .home = xcalloc(run->stacks.frames + 1, sizeof(*c.home))};

    for (size_t i = 0; i < run->stacks.count; i++)
        add_stack(&c, &run->stacks.stack[i]);
    if (c.costs)
        qsort(c.cost, c.costs, sizeof(*c.cost), by_caller);
    put_head(run, out);
    for (size_t i = 0; i < c.costs; i++) {
        if (!i || !is_same_function(&c.cost[i], &c.cost[i - 1]))
            put_function(&c, &c.cost[i], out);
        put_cost(&c, &c.cost[i], out);
    }
    fprintf(out, "\ntotals: %" PRIu64 "\n", run->stacks.samples);
    free(c.cost);
    free(c.home);
    index_free(&c.cost_of);
    return !ferror(out);
}
