/* SPDX-License-Identifier: MIT */
/*
 * The system monitor's tick.  Crowe, "System-wide CPU usage monitoring": hash,
 * at most five probes, in a port as many as there are records, else the lost counter.
 */
#include "probe/core/system_monitor.h"

#include <stddef.h>
#include "probe/schedule/memory.h"

void system_init(struct system_monitor *m)
{
    memset(m, 0, sizeof *m);
}

#ifdef PROBE_PORT
static bool is_full(const struct system_monitor *m)
{
    return m->used == SYSTEM_RECORDS;
}

/* It is at home from now on, until another row of the same hash is found. */
static void remember(struct system_monitor *m, uint32_t home, const struct system_record *r)
{
    m->found[home] = (uint8_t)(r - m->record);
}

static void count_used(struct system_monitor *m, int change)
{
    __atomic_fetch_add(&m->used, (uint32_t)change, __ATOMIC_RELAXED); /* a tick may count between */
}
#else
static bool is_full(const struct system_monitor *m)
{
    (void)m;
    return false;
}

static void remember(struct system_monitor *m, uint32_t home, const struct system_record *r)
{
    (void)m, (void)home, (void)r;
}

static void count_used(struct system_monitor *m, int change)
{
    (void)m, (void)change;
}
#endif

/* The same, or the first empty record.  A record before the row's own may be empty, because its row was retired. */
static struct system_record *search(struct system_monitor *m, uint32_t home, uint64_t key)
{
    struct system_record *r = system_find(m, home, key);

    if (r == NULL && !is_full(m) && (r = system_find(m, home, 0)) != NULL) {
        r->key = key;
        count_used(m, 1);
    }
    if (r != NULL)
        remember(m, home, r);
    return r;
}

/* A late sample, or one whose home record belongs to another row: apart from the hot path. */
static __attribute__((noinline)) void tick_slow_path(struct system_monitor *m, uint32_t task,
                                                     enum mode mode, enum delay delay, bool pair)
{
    struct system_record *r;

    if (delay != DELAY_NONE) {
        r = delay == DELAY_STOLEN ? &m->stolen : &m->masked;
        system_count(m, (struct system_place){ r, MODES }, pair);
        return;
    }
    r = search(m, system_hash(task), task | SYSTEM_USED);
    if (r != NULL)
        system_count(m, (struct system_place){ r, mode }, pair);
    else
        system_count(m, (struct system_place){ &m->lost, MODES }, pair);
}

void system_tick(struct system_monitor *m, const struct sample *s, enum delay delay, bool pair)
{
    struct system_record *const home = system_home(m, s->task);

    if (delay != DELAY_NONE || home == NULL)
        tick_slow_path(m, s->task, s->mode, delay, pair);
    else
        system_count(m, (struct system_place){ home, s->mode }, pair);
}

/* The record of an id; NULL where it has none. */
static struct system_record *record_of(const struct system_monitor *m, uint32_t id)
{
    return system_find((struct system_monitor *)m, system_hash(id), id | SYSTEM_USED);
}

uint64_t system_hits(const struct system_monitor *m, uint32_t id)
{
    const struct system_record *const r = record_of(m, id);

    return r != NULL ? r->hits[MODE_USER] + r->hits[MODE_SUPERVISOR] + r->hits[MODE_KERNEL] : 0;
}

uint32_t system_row_at(const struct system_monitor *m, uint32_t id, uint32_t probe)
{
    return (uint32_t)m->record[(system_hash(id) + probe) & (SYSTEM_RECORDS - 1)].key;
}

bool system_reserve(struct system_monitor *m, uint32_t id)
{
    return search(m, system_hash(id), id | SYSTEM_USED) != NULL;
}

/* ---- rows that end ---- */

static void barrier(void)
{
    __asm__ volatile("" : : : "memory");
}

static void add(struct system_record *to, const struct system_record *from)
{
    for (unsigned slot = 0; slot < SYSTEM_SLOTS; slot++) {
        to->hits[slot] += from->hits[slot];
        to->changes[slot] += from->changes[slot];
    }
    to->total_changes += from->total_changes;
}

/*
 * The next sample must not be compared with a record that is being retired.  One atomic
 * exchange: if a tick comes before it, that tick has set `last` itself.
 */
static void detach_last(struct system_monitor *m, struct system_record *r)
{
    __atomic_compare_exchange_n(&m->last.record, &(struct system_record *){ r }, &m->ended_late, false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void system_retire_begin(struct system_monitor *m, uint32_t id)
{
    struct system_record *const r = record_of(m, id);

    m->sum = m->ended;
    if (r != NULL) {
        detach_last(m, r);
        add(&m->sum, r);
    }
    barrier();
    m->retiring = id | SYSTEM_USED;
    barrier();
}

/* The key is cleared after the counters: a tick may take the record as soon as it looks free. */
void system_retire_end(struct system_monitor *m)
{
    struct system_record *const r = record_of(m, (uint32_t)m->retiring);

    barrier();
    m->ended = m->sum;
    barrier();
    if (r != NULL) {
        memset(r, 0, offsetof(struct system_record, key));
        barrier();
        r->key = 0;
        count_used(m, -1);
    }
    barrier();
    m->retiring = 0;
}

void system_settle(struct system_monitor *copy)
{
    for (uint32_t i = 0; copy->retiring != 0 && i < SYSTEM_RECORDS; i++)
        if (copy->record[i].key == copy->retiring)
            memset(&copy->record[i], 0, sizeof copy->record[i]);
    if (copy->retiring != 0)
        copy->ended = copy->sum;
    add(&copy->ended, &copy->ended_late);
}
