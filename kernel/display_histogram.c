/* SPDX-License-Identifier: MIT */
/*
 * The regions as histograms on the serial line, with the names that the image
 * carries.  Floating point: task PROBE only.
 */
#include "kernel/display.h"

#include "kernel/options.h"
#include "kernel/programs.h"
#include "kernel/symbols.h"
#include "kernel/task.h"
#include "probe/estimator.h"
#include "probe/histogram.h"

static struct histogram_slot slots[REGION_SLOTS]; /* task PROBE */

/* The task whose row this is; NULL: any, or none. */
static const struct task *task_of(uint32_t id)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (tasks[i].id == id)
            return &tasks[i];
    return 0;
}

static size_t collect(const struct snapshot_region *r)
{
    size_t count = 0;

    for (unsigned i = 0; i < REGION_SLOTS; i++)
        if (r->hits[i] != 0)
            slots[count++] = (struct histogram_slot){
                r->base + ((uint64_t)i << r->shift), r->hits[i], r->changes[i],
            };
    return count;
}

/* Whose functions these addresses are: the image's above, the program's below. */
static bool begin_names(struct symbol_cursor *c, const struct snapshot_region *r,
                        const struct task *t)
{
    const struct program *p = 0;

    if ((int64_t)r->low < 0) {
        symbols_begin(c, 0);
        return true;
    }
    if (t != 0 && t->program != 0)
        p = program_at(t->program - 1);
    if (p != 0)
        symbols_begin(c, p->name);
    return p != 0;
}

void display_histogram(const struct snapshot *s, uint32_t number,
                       void (*line)(void *context, const char *text))
{
    const struct snapshot_region *r = &s->region[number];
    const struct display_facts *f = &display_facts;
    const struct task *t = task_of(r->task);
    const struct histogram h = {
        .task = t != 0 ? t->name : 0, .mode = r->mode,
        .samples = s->samples, .active = r->active,
        .changes_active = r->changes_active, .below = r->below, .above = r->above,
        .base = r->base, .high = r->high, .slot = 1ull << r->shift,
        .maskable = !words_unmasked(&options.words),
        .estimator = estimator_of_run(&options.words, f->source.mean, f->cost.minimum),
        .slots = slots, .count = collect(r),
    };
    struct histogram_options o = { .octal = options.words.region[number].octal };
    struct symbol_cursor names;

    if (begin_names(&names, r, t)) {
        o.symbol = symbols_next;
        o.symbols = &names;
    }
    histogram_print(&h, &o, line, 0);
}
