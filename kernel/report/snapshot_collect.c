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
#include "probe/stats/snapshot_frames.h"

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

static void add_region(struct snapshot_region *to, const struct probe *p, uint32_t number)
{
    const struct wire_region head = region_head_of(p, number);

    snapshot_take_region(to, &head);
    memcpy(to->hits, p->closed.region[number].hits, sizeof to->hits);
    memcpy(to->changes, p->closed.region[number].changes, sizeof to->changes);
}

void report_make_snapshot(struct snapshot *s, const struct sampler *sampler, bool final)
{
    static struct system_monitor closed; /* task PROBE */
    const struct probe *const p = sampler->probe;
    const struct probe_closed *c = &p->closed;
    const struct wire_snapshot head = snapshot_head_of(p, run_state->start);

    memset(s, 0, sizeof *s);
    snapshot_take_head(s, &head);
    memcpy(s->bucket, c->counters.bucket, sizeof s->bucket);
    s->exact = account_on;
    s->final = final;
    closed = c->system;
    system_settle(&closed);
    add_tasks(s, p, closed.retiring);
    add_records(s, &closed);
    snapshot_add_total(s, ROW_MASKED, "MASKED", &c->system.masked);
    snapshot_add_total(s, ROW_STOLEN, "STOLEN", &c->system.stolen);
    snapshot_add_total(s, ROW_LOST, "LOST", &c->system.lost);
    s->regions = p->regions;
    for (uint32_t i = 0; i < p->regions; i++)
        add_region(&s->region[i], p, i);
    s->made = rdtsc() - run_state->start;
}
