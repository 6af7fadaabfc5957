/* SPDX-License-Identifier: MIT */
/* Differences of tick counters, and the exact table in their modes. */
#include "tools/analysis/procstat_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/hash_index.h"
#include "tools/base/saturate.h"

static const struct wire_procstat *first_after(const struct record_store *s, uint64_t from)
{
    const struct wire_procstat *const head = record_head(s, 0);

    for (size_t i = 0; i < s->head.count; i++)
        if (head[i].end >= from)
            return &head[i];
    return NULL;
}

static const struct wire_procstat *last_before(const struct record_store *s, uint64_t to)
{
    const struct wire_procstat *const head = record_head(s, 0);

    for (size_t i = s->head.count; i-- > 0;)
        if (head[i].end <= to)
            return &head[i];
    return NULL;
}

static void put_modes(struct procstat_diff *d, const struct wire_procstat *from, const struct wire_procstat *to)
{
    static const struct wire_procstat nothing;
    const uint64_t *const then = tick_usage_of(from ? from : &nothing), *const now = tick_usage_of(to);

    for (unsigned m = 0; m < TICK_MODES; m++) {
        d->mode[m].ticks = now[m] - then[m];
        d->mode[m].told = tick_usage_told(now[m], d->hz) - tick_usage_told(then[m], d->hz);
        d->mode[m].exact = NAN;
        d->sum += d->mode[m].ticks;
        d->told += d->mode[m].told;
    }
    for (unsigned m = 0; m < TICK_MODES; m++) {
        d->mode[m].level = percent_of((double)d->mode[m].told, (double)d->told);
        d->mode[m].elapsed = percent_of((double)d->mode[m].told / TICK_USAGE_HZ, d->seconds);
    }
    d->busy = 100 - d->mode[TICK_IDLE].level - d->mode[TICK_IOWAIT].level;
    d->busy_elapsed = 100 - d->mode[TICK_IDLE].elapsed - d->mode[TICK_IOWAIT].elapsed;
}

#define TWO_SIDED_95 1.96

/* By how much a level can be wrong though nothing errs: told in whole 1/100 s, of ticks that find what they find. */
static void put_precision(struct procstat_diff *d)
{
    const double share = d->busy / 100.0;

    d->step = percent_of(1.0, (double)d->told);
    d->step_elapsed = percent_of(1.0 / TICK_USAGE_HZ, d->seconds);
    d->random = d->sum ? 100.0 * TWO_SIDED_95 * sqrt(fmax(0.0, share * (1.0 - share)) / (double)d->sum) : NAN;
}

/* ---- tasks: by row, several tasks of one name are one ---- */

static struct procstat_used *used_of(struct procstat_diff *d, struct index *known, uint32_t id)
{
    return INDEX_ROW(known, id, d->task, d->tasks, &(struct procstat_used){.id = id});
}

/* A task that has ended is no longer told, or its slot has another one: no counter goes below zero. */
static void take_off(uint64_t *from, uint64_t what)
{
    *from -= what < *from ? what : *from;
}

static void put_task(struct procstat_diff *d, struct index *known, const struct wire_procstat_row *r, bool later)
{
    struct procstat_used *const u = used_of(d, known, (uint32_t)r->id);
    const uint64_t told_user = tick_usage_told(r->user, d->hz), told_system = tick_usage_told(r->system, d->hz);

    u->nice = (int)wire_unzigzag(r->nice);
    if (later) {
        u->user += r->user;
        u->system += r->system;
        u->told_user += told_user;
        u->told_system += told_system;
        return;
    }
    take_off(&u->user, r->user);
    take_off(&u->system, r->system);
    take_off(&u->told_user, told_user);
    take_off(&u->told_system, told_system);
}

static void put_tasks(struct procstat_diff *d, struct index *known, const struct record_store *s,
                      const struct wire_procstat *of, bool later)
{
    const size_t head = (size_t)(of - (const struct wire_procstat *)record_head(s, 0));

    for (size_t i = s->first[head]; i < record_rows_end(s, head); i++)
        put_task(d, known, record_row(s, i), later);
}

static int by_ticks(const void *a, const void *b)
{
    const struct procstat_used *const x = a, *const y = b;
    const uint64_t left = x->user + x->system, right = y->user + y->system;

    if (left != right)
        return left < right ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* ---- the exact table ---- */

static bool is_niced(const struct procstat_diff *d, const struct index *known, uint32_t id)
{
    const size_t found = index_find(known, id);

    return found != INDEX_NONE && d->task[found].nice > 0;
}

static double time_in(const struct snapshot_row *r, enum mode mode)
{
    return (double)r->time[mode] + (double)r->masked[mode];
}

/* Idle and waiting for a device are one row of it. */
static void put_exact(struct procstat_diff *d, const struct index *known, const struct snapshot *s)
{
    double time[TICK_MODES] = {0}, all = 0;

    for (uint32_t i = 0; i < s->rows; i++) {
        const struct snapshot_row *const r = &s->row[i];
        const double outer = time_in(r, MODE_USER) + time_in(r, MODE_SUPERVISOR);

        time[is_niced(d, known, r->id) ? TICK_NICE : TICK_USER] += outer;
        time[r->id == ROW_IDLE ? TICK_IDLE : TICK_SYSTEM] += time_in(r, MODE_KERNEL);
        time[TICK_IRQ] += time_in(r, MODE_INTERRUPT);
        all += outer + time_in(r, MODE_KERNEL) + time_in(r, MODE_INTERRUPT);
    }
    for (unsigned m = 0; m < TICK_MODES; m++)
        d->mode[m].exact = m == TICK_IOWAIT ? NAN : percent_of(time[m], all);
    d->busy_exact = 100 - d->mode[TICK_IDLE].exact;
}

bool procstat_diff_make(struct procstat_diff *d, const struct epoch *e, uint64_t from, uint64_t to)
{
    const struct record_store *const p = epoch_kept(e, WIRE_PROCSTAT);
    const struct wire_procstat *const first = from ? first_after(p, from) : NULL, *const last = last_before(p, to);
    const double hz = (double)e->hello.clock_hz;
    struct index known = {0}; /* rows of task[], before they are sorted */

    *d = (struct procstat_diff){.busy_exact = NAN};
    if (!last || (from && (!first || first == last || first->end > last->end)) || hz <= 0)
        return false;
    d->from = first ? first->end : last->begin;
    d->to = last->end;
    d->hz = last->hz;
    d->seconds = (double)(d->to - d->from) / hz;
    d->passed = d->seconds * (double)d->hz;
    put_modes(d, first, last);
    put_precision(d);
    memcpy(d->load, (uint64_t[]){last->load1, last->load5, last->load15}, sizeof(d->load));
    put_tasks(d, &known, p, last, true);
    if (first)
        put_tasks(d, &known, p, first, false);
    if (!first && e->snapshot && e->snapshot->exact && e->snapshot->serial == last->serial)
        put_exact(d, &known, e->snapshot);
    index_free(&known);
    for (size_t i = 0; i < d->tasks; i++)
        d->task[i].level = percent_of((double)(d->task[i].user + d->task[i].system), (double)d->sum);
    if (d->tasks)
        qsort(d->task, d->tasks, sizeof(*d->task), by_ticks);
    return true;
}

void procstat_diff_free(struct procstat_diff *d)
{
    free(d->task);
    *d = (struct procstat_diff){0};
}
