/* SPDX-License-Identifier: MIT */
/* Numbers are little-endian and addresses 8 bytes, as on x86-64, whose gprof reads them. */
#include "tools/export/export.h"

#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

#define ONE_TO_ONE    65536u
#define COUNTER_BYTES 2u
#define TAG_HISTOGRAM 0
#define VERSION       1
#define SPARE         12
#define DIMENSION     15

static void allocate(struct gmon *g, size_t counts)
{
    g->counts = counts;
    g->count = xcalloc(counts, sizeof(*g->count));
}

static void add(struct gmon *g, size_t at, uint64_t hits)
{
    const uint64_t room = UINT16_MAX - g->count[at], taken = hits < room ? hits : room;

    g->count[at] = (uint16_t)(g->count[at] + taken);
    g->cut += hits - taken;
}

/* gprof divides the addresses evenly: a counter must stand for a whole number of bytes. */
bool gmon_of_profil(struct gmon *g, const struct record_store *from, uint32_t rate)
{
    const struct wire_profil *const h = record_last(from);

    *g = (struct gmon){.low = h->offset, .rate = rate};
    if (!h->scale || h->bytes < COUNTER_BYTES || COUNTER_BYTES * (uint64_t)ONE_TO_ONE % h->scale) {
        cli_error("the profile was stopped, or its scale is no whole number of bytes a counter: "
                  "gprof cannot read it");
        return false;
    }
    allocate(g, h->bytes / COUNTER_BYTES);
    g->high = g->low + g->counts * (COUNTER_BYTES * (uint64_t)ONE_TO_ONE / h->scale);
    for (size_t i = 0; i < from->row.count; i++) {
        const struct wire_profil_row *const row = record_row(from, i);

        add(g, row->counter, row->count);
    }
    return true;
}

bool gmon_of_profile(struct gmon *g, const struct profile *from, uint32_t rate)
{
    *g = (struct gmon){.rate = rate};
    if (!from->atoms) {
        cli_error("the task has no hits at addresses");
        return false;
    }
    g->low = from->atom[0].address & ~1ull;
    g->high = (from->atom[from->atoms - 1].end + 1) & ~1ull;
    if (g->high <= g->low || (g->high - g->low) / COUNTER_BYTES > GMON_COUNTERS_MAX) {
        cli_error("the hits are too far apart for a histogram: narrow the addresses with --low and --high");
        return false;
    }
    allocate(g, (g->high - g->low) / COUNTER_BYTES);
    for (size_t i = 0; i < from->atoms; i++)
        add(g, (from->atom[i].address - g->low) / COUNTER_BYTES, from->atom[i].hits);
    return true;
}

void gmon_free(struct gmon *g)
{
    free(g->count);
    g->count = NULL;
}

bool gmon_write(const void *gmon, FILE *out)
{
    const struct gmon *const g = gmon;
    static const char dimension[DIMENSION] = "seconds", spare[SPARE];

    fputs("gmon", out);
    export_number(out, VERSION, 4);
    fwrite(spare, 1, sizeof(spare), out);
    export_number(out, TAG_HISTOGRAM, 1);
    export_number(out, g->low, 8);
    export_number(out, g->high, 8);
    export_number(out, g->counts, 4);
    export_number(out, g->rate, 4);
    fwrite(dimension, 1, sizeof(dimension), out);
    putc('s', out);
    for (size_t i = 0; i < g->counts; i++)
        export_number(out, g->count[i], COUNTER_BYTES);
    return !ferror(out);
}
