/* SPDX-License-Identifier: MIT */
/*
 * The system monitor's tick.  Crowe, "System-wide CPU usage monitoring": hash,
 * at most five probes, else the lost counter.
 */
#include "probe/system.h"

#include <stddef.h>
#include "probe/memory.h"

void system_init(struct system_monitor *m)
{
    memset(m, 0, sizeof *m);
}

/* Past the home record: four more are looked at, and an empty one is taken. */
static struct system_record *search(struct system_monitor *m, uint32_t home, uint64_t key)
{
    for (uint32_t probe = 0; probe < SYSTEM_PROBES; probe++) {
        struct system_record *r = &m->record[(home + probe) & (SYSTEM_RECORDS - 1)];

        if (r->key == 0)
            r->key = key;
        if (r->key == key)
            return r;
    }
    return NULL;
}

/* A pair whose samples fall apart makes known how much a share varies. */
static void count_change(struct system_monitor *m, struct system_place a,
                         struct system_place b)
{
    if (a.record != b.record) {
        a.record->total_changes++;
        b.record->total_changes++;
    } else if (a.mode == b.mode) {
        return;
    }
    a.record->changes[a.mode]++;
    b.record->changes[b.mode]++;
    if (a.mode != b.mode) {
        m->mode_changes[a.mode]++;
        m->mode_changes[b.mode]++;
    }
}

static inline void count(struct system_monitor *m, struct system_place here, bool pair)
{
    here.record->hits[here.mode]++;
    if (pair)
        count_change(m, m->last, here);
    m->last = here;
}

/* A late sample, or one whose home record is another's: out of the way of the rest. */
static __attribute__((noinline)) void tick_elsewhere(struct system_monitor *m,
                                                     struct sample s, bool late, bool pair)
{
    struct system_record *r;

    if (late) {
        count(m, (struct system_place){ &m->masked, MODES }, pair);
        return;
    }
    r = search(m, system_hash(s.task), s.task | SYSTEM_USED);
    if (r != NULL)
        count(m, (struct system_place){ r, s.mode }, pair);
    else
        count(m, (struct system_place){ &m->lost, MODES }, pair);
}

void system_tick(struct system_monitor *m, const struct sample *s, bool late, bool pair)
{
    struct system_record *home = &m->record[system_hash(s->task)];

    if (late || home->key != (s->task | SYSTEM_USED))
        tick_elsewhere(m, *s, late, pair);
    else
        count(m, (struct system_place){ home, s->mode }, pair);
}

uint64_t system_hits(const struct system_monitor *m, uint32_t id)
{
    const uint32_t home = system_hash(id);

    for (uint32_t probe = 0; probe < SYSTEM_PROBES; probe++) {
        const struct system_record *r = &m->record[(home + probe) & (SYSTEM_RECORDS - 1)];

        if (r->key == (id | SYSTEM_USED))
            return r->hits[MODE_USER] + r->hits[MODE_SUPERVISOR] + r->hits[MODE_KERNEL];
    }
    return 0;
}
