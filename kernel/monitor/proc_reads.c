/* SPDX-License-Identifier: MIT */
/* What readings of the tick counters cost. */
#include "kernel/monitor/proc_reads.h"

#include "drivers/io.h"
#include "probe/schedule/memory.h"

static struct wire_procreads_row counted[PROC_KINDS], closed[PROC_KINDS]; /* interrupts off */

void proc_reads_count(enum proc_kind kind, uint64_t begin, uint64_t bytes)
{
    struct wire_procreads_row *const r = &counted[kind];
    const uint64_t took = rdtsc() - begin;

    r->file = kind;
    r->least = r->reads == 0 || took < r->least ? took : r->least;
    r->reads++;
    r->time += took;
    r->bytes += bytes;
}

void proc_reads_begin(void)
{
    memset(counted, 0, sizeof counted);
}

void proc_reads_close(void)
{
    memcpy(closed, counted, sizeof closed);
}

const void *proc_reads_next(uint32_t *at)
{
    while (*at < PROC_KINDS)
        if (closed[(*at)++].reads != 0)
            return &closed[*at - 1];
    return 0;
}
