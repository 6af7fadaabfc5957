/* SPDX-License-Identifier: MIT */
/* Prints the regions as histograms on the serial line, with the names that the image carries. */
#include "kernel/report/run.h"

#include "kernel/lib/run_state.h"
#include "kernel/mm/programs.h"
#include "kernel/mm/symbols.h"
#include "kernel/sched/task.h"
#include "probe/estimate/confidence.h"
#include "probe/stats/histogram.h"

static struct histogram_slot slots[REGION_SLOTS]; /* task PROBE */

/* The task of this row; NULL: any task, or none. */
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

/* Functions of the image in the upper half of the addresses, of the program in the lower half. */
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

void report_histogram(const struct snapshot *s, uint32_t number, const struct report_view *view,
                      void (*line)(void *context, const char *text))
{
    const struct snapshot_region *r = &s->region[number];
    const struct table_options options = report_table_options(s);
    const struct task *t = task_of(r->task);
    const struct histogram h = {
        .task = t != 0 ? t->name : 0, .mode = r->mode,
        .samples = s->samples, .active = r->active,
        .changes_active = r->changes_active, .below = r->below, .above = r->above,
        .base = r->base, .high = r->high, .slot = 1ull << r->shift,
        .maskable = !config_via_nmi(run_config()),
        .estimator = table_estimator(s, &options),
        .slots = slots, .count = collect(r),
    };
    struct histogram_options o = { .octal = run_config()->region[number].octal, .min = view->min };
    struct symbol_cursor names;

    if (!view->plain && begin_names(&names, r, t)) {
        o.symbol = symbols_next;
        o.symbols = &names;
    }
    histogram_print(&h, &o, line, 0);
}

/* ---- the hottest function ---- */

static uint8_t owners[REGION_SLOTS]; /* number of functions that overlap a slot; task PROBE */

/* The slots that a function of the region overlaps, [*first, *past). */
static void slots_of(const struct snapshot_region *r, const struct histogram_symbol *f,
                     unsigned *first, unsigned *past)
{
    const uint64_t last = ((f->end < r->high ? f->end : r->high) - 1 - r->base) >> r->shift;

    *first = f->start > r->base ? (unsigned)((f->start - r->base) >> r->shift) : 0;
    *past = last < REGION_SLOTS ? (unsigned)last + 1 : REGION_SLOTS;
}

static void count_owners(const struct snapshot_region *r, struct symbol_cursor names)
{
    struct histogram_symbol f = { .end = r->low };
    unsigned first, past;

    for (unsigned i = 0; i < REGION_SLOTS; i++)
        owners[i] = 0;
    while (symbols_next(&names, f.end, &f) && f.start < r->high) {
        slots_of(r, &f, &first, &past);
        for (unsigned i = first; i < past; i++)
            owners[i] += owners[i] < UINT8_MAX;
    }
}

/* The hits in all slots that the function overlaps; *alone: no other function overlaps them. */
static uint64_t hits_of(const struct snapshot_region *r, const struct histogram_symbol *f,
                        bool *alone)
{
    uint64_t hits = 0;
    unsigned first, past;

    *alone = true;
    slots_of(r, f, &first, &past);
    for (unsigned i = first; i < past; i++) {
        hits += r->hits[i];
        *alone = *alone && (owners[i] == 1 || r->hits[i] == 0);
    }
    return hits;
}

static void take_slots(const struct snapshot_region *r, struct report_hottest *to)
{
    unsigned first, past;

    slots_of(r, &to->function, &first, &past);
    to->low = r->base + ((uint64_t)first << r->shift);
    to->high = r->base + ((uint64_t)past << r->shift);
    if (to->low < r->low)
        to->low = r->low;
    if (to->high > r->high)
        to->high = r->high;
}

bool report_hottest(const struct snapshot *s, uint32_t number, struct report_hottest *to)
{
    const struct snapshot_region *r = &s->region[number];
    struct histogram_symbol f = { .end = r->low };
    struct symbol_cursor names;
    uint64_t most = 0;
    bool alone;

    if (!begin_names(&names, r, task_of(r->task)))
        return false;
    count_owners(r, names);
    while (symbols_next(&names, f.end, &f) && f.start < r->high) {
        const uint64_t hits = hits_of(r, &f, &alone);

        if (hits <= most)
            continue;
        most = hits;
        to->function = f;
        to->alone = alone;
    }
    if (most == 0)
        return false;
    take_slots(r, to);
    return true;
}
