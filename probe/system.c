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
static __attribute__((noinline)) struct system_record *
search(struct system_monitor *m, uint32_t home, uint64_t key)
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

static inline struct system_place place_of(struct system_monitor *m, const struct sample *s,
                                           bool late)
{
    const uint64_t key = s->task | SYSTEM_USED;
    const uint32_t home = system_hash(s->task);
    struct system_record *r = &m->record[home];

    if (late)
        return (struct system_place){ &m->masked, MODES };
    if (r->key != key)
        r = search(m, home, key);
    if (r != NULL)
        return (struct system_place){ r, s->mode };
    return (struct system_place){ &m->lost, MODES };
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
    if (a.mode != MODES)
        a.record->changes[a.mode]++;
    if (b.mode != MODES)
        b.record->changes[b.mode]++;
    if (a.mode != b.mode) {
        if (a.mode != MODES)
            m->mode_changes[a.mode]++;
        if (b.mode != MODES)
            m->mode_changes[b.mode]++;
    }
}

void system_tick(struct system_monitor *m, const struct sample *s, bool late, bool pair)
{
    const struct system_place here = place_of(m, s, late);

    here.record->hits[here.mode & (MODES - 1)]++; /* MODES counts as 0 */
    if (pair)
        count_change(m, m->last, here);
    m->last = here;
}
