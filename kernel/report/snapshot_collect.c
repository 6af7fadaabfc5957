/* SPDX-License-Identifier: MIT */
/* Makes a struct snapshot, from which tables and frames are made, of what a tick closed. */
#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/window.h"
#include "probe/schedule/memory.h"
#include "probe/stats/hello.h"

_Static_assert(LATENESS_BUCKETS == SNAPSHOT_BUCKETS, "a snapshot has the probe's histogram");

/* The row of a slot; a row that is being retired belongs to ENDED already. */
static struct snapshot_row *row_of(struct snapshot *s, const struct closed_row *from, uint64_t retiring)
{
    const bool ended = from->id == ROW_ENDED || (retiring != 0 && from->id == (uint32_t)retiring);
    struct snapshot_row *row = snapshot_row(s, ended ? ROW_ENDED : from->id);

    if (row != 0 && row->name[0] == '\0')
        string_copy(row->name, ended ? ROW_ENDED_NAME : from->name, NAME_SIZE);
    return row;
}

/* Each task has a row, sampled or not; tasks with one id share a row. */
static void add_tasks(struct snapshot *s, const struct probe *p, uint64_t retiring)
{
    const struct closed_row *from;

    for (uint32_t i = 0; (from = window_closed_row(p, i)) != 0; i++) {
        struct snapshot_row *row = from->id != 0 ? row_of(s, from, retiring) : 0;

        for (unsigned m = 0; row != 0 && account_on && m < MODES; m++) {
            row->time[m] += from->exact.time[m][0];
            row->masked[m] += from->exact.time[m][1];
        }
    }
}

/* The samples of all rows; those of retired rows go to ENDED. */
static void add_records(struct snapshot *s, const struct system_monitor *closed)
{
    struct system_record ended = closed->ended;

    ended.key = ROW_ENDED | SYSTEM_USED;
    for (unsigned i = 0; i < SYSTEM_RECORDS; i++)
        if (closed->record[i].key != 0)
            snapshot_add_record(s, &closed->record[i]);
    if (snapshot_find_row(s, ROW_ENDED) != 0)
        snapshot_add_record(s, &ended);
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

static void take_points(struct snapshot *s, const struct probe *p)
{
    const struct wire_snapshot w = points_of(p);

    s->points = w.points;
    s->in_handler = w.in_handler;
    s->arrivals = w.arrivals;
    s->earliest = w.earliest;
    s->latest = w.latest;
    s->arrived = w.arrived;
}

void report_make_snapshot(struct snapshot *s, const struct sampler *sampler, bool final)
{
    static struct system_monitor closed; /* task PROBE */
    const struct probe *const p = sampler->probe;
    const struct probe_closed *c = &p->closed;
    const uint64_t start = run_state->start;

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
    take_points(s, p);
    s->exact = account_on;
    s->final = final;
    memcpy(s->mode_changes, c->system.mode_changes, sizeof s->mode_changes);
    closed = c->system;
    system_settle(&closed);
    add_tasks(s, p, closed.retiring);
    add_records(s, &closed);
    snapshot_add_total(s, ROW_MASKED, "MASKED", &c->system.masked);
    snapshot_add_total(s, ROW_STOLEN, "STOLEN", &c->system.stolen);
    snapshot_add_total(s, ROW_LOST, "LOST", &c->system.lost);
    s->lost_ring = c->lost_ring;
    s->regions = p->regions;
    for (uint32_t i = 0; i < p->regions; i++)
        add_region(&s->region[i], &c->region[i], &p->region_request[i]);
    s->made = rdtsc() - start;
}
