/* SPDX-License-Identifier: MIT */
/* What a tick closed, as the one struct that tables and frames are made of. */
#include "drivers/io.h"
#include "kernel/account.h"
#include "kernel/sampler.h"
#include "kernel/display.h"
#include "kernel/options.h"
#include "kernel/task.h"
#include "kernel/text.h"
#include "kernel/tick.h"
#include "probe/memory.h"

_Static_assert(LATENESS_BUCKETS == SNAPSHOT_BUCKETS, "a snapshot has the probe's histogram");

static void add_system(struct snapshot *s, const struct system_record *r)
{
    struct snapshot_row *row = snapshot_row(s, (uint32_t)r->key);

    if (row == 0)
        return;
    for (unsigned m = 0; m < MODES; m++) {
        row->hits[m] += r->hits[m];
        row->changes[m] += r->changes[m];
        row->total += r->hits[m];
    }
    row->total_changes += r->total_changes;
}

static void add_without_modes(struct snapshot *s, uint32_t id, const char *name,
                              const struct system_record *r)
{
    struct snapshot_row *row;

    if (r->hits[MODES] == 0 || (row = snapshot_row(s, id)) == 0)
        return;
    text_copy(row->name, name, NAME_SIZE);
    row->total = r->hits[MODES];
    row->total_changes = r->total_changes;
}

static void name_row(struct snapshot_row *row, uint32_t number)
{
    if (row->name[0] == '\0')
        text_copy(row->name, tasks[number].name, NAME_SIZE);
}

/* Every task has a row, sampled or not; tasks of one identity share theirs. */
static void add_tasks(struct snapshot *s, const struct probe *p)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        struct snapshot_row *row = snapshot_row(s, tasks[i].id);
        struct account_row exact;

        if (row == 0)
            continue;
        name_row(row, i);
        if (!account_on)
            continue;
        tick_row(p, i, &exact);
        for (unsigned m = 0; m < MODES; m++) {
            row->time[m] += exact.time[m][0];
            row->masked[m] += exact.time[m][1];
        }
    }
}

static void add_region(struct snapshot_region *to, const struct region *from,
                       const struct region_request *watched)
{
    to->task = watched->task;
    to->mode = watched->mode;
    to->low = watched->low;
    to->high = watched->high;
    to->base = from->base;
    to->shift = from->shift;
    to->below = from->hits[REGION_BELOW];
    to->above = from->hits[REGION_ABOVE];
    to->active = region_active(from);
    to->changes_below = from->changes[REGION_BELOW];
    to->changes_above = from->changes[REGION_ABOVE];
    to->changes_active = from->changes_active;
    memcpy(to->hits, from->hits, sizeof to->hits);
    memcpy(to->changes, from->changes, sizeof to->changes);
}

void display_snapshot(struct snapshot *s, const struct sampler *sampler, bool final)
{
    const struct probe *const p = sampler->probe;
    const struct probe_closed *c = &p->closed;
    const uint64_t start = options.start;

    memset(s, 0, sizeof *s);
    s->ticks = c->counters.ticks;
    s->samples = p->monitors != 0 ? c->counters.ticks : 0;
    s->late = c->counters.late;
    s->excess = c->counters.excess;
    s->missed_overrun = c->counters.missed_overrun;
    s->missed_source = c->counters.missed_source;
    s->lost_table = c->system.lost.hits[MODES];
    s->begin = c->counters.begin - start;
    s->end = c->counters.end - start;
    s->first = c->counters.first != 0 ? c->counters.first - start : 0;
    s->lateness = c->counters.lateness;
    memcpy(s->bucket, c->counters.bucket, sizeof s->bucket);
    s->monitor = c->monitor;
    s->transitions = c->transitions;
    s->generator = c->generator;
    s->intervals = c->intervals;
    s->exact = account_on;
    s->final = final;
    memcpy(s->mode_changes, c->system.mode_changes, sizeof s->mode_changes);
    add_tasks(s, p);
    for (unsigned i = 0; i < SYSTEM_RECORDS; i++)
        if (c->system.record[i].key != 0)
            add_system(s, &c->system.record[i]);
    if (p->unmasked)
        add_without_modes(s, ROW_STOLEN, "STOLEN", &c->system.masked);
    else
        add_without_modes(s, ROW_MASKED, "MASKED", &c->system.masked);
    add_without_modes(s, ROW_LOST, "LOST", &c->system.lost);
    s->lost_ring = c->lost_ring;
    s->regions = p->regions;
    for (uint32_t i = 0; i < p->regions; i++)
        add_region(&s->region[i], &c->region[i], &p->watched[i]);
    s->made = rdtsc() - start;
}
