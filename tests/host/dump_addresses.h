/* SPDX-License-Identifier: MIT */
/*
 * Synthetic runs that tell addresses: the paper's Figures 4 and 5 as regions,
 * and raw samples of a program that cli_test.sh assembles.
 */
#pragma once

#include "probe/core/region.h"
#include "probe/stream/sample_encode.h"
#include "tests/host/dump.h"

#define ADDRESSES_ROGUE   100
#define ADDRESSES_CP      101
#define ADDRESSES_PROGRAM "feedbeef" /* build id of ROGUE's program; CP's is not told */

/* What PROGRAMS and NAMES say in these runs. */
static inline void dump_programs(struct dump *d, uint64_t epoch)
{
    struct wire_programs programs = {epoch};
    struct wire_names names = {epoch};
    struct wire_writer w;

    wire_begin(&w, WIRE_PROGRAMS, &programs);
    wire_row(&w, WIRE_PROGRAMS,
             &(struct wire_programs_row){1, dump_text("program"), dump_text(ADDRESSES_PROGRAM)});
    wire_row(&w, WIRE_PROGRAMS, &(struct wire_programs_row){2, dump_text("bare"), dump_text("")});
    dump_end_frame(d, &w);
    wire_begin(&w, WIRE_NAMES, &names);
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){ADDRESSES_ROGUE, dump_text("ROGUE"), 1});
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){ADDRESSES_CP, dump_text("CP"), 2});
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){ROW_IDLE, dump_text("IDLE"), 0});
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){ROW_MASKED, dump_text("MASKED"), 0});
    dump_end_frame(d, &w);
}

/* ---- regions ---- */

struct dump_slot {
    uint64_t address, hits;
};

struct dump_region {
    uint64_t samples, active, low, high, shift;
    const struct dump_slot *slot; /* a slot of no hits ends them */
};

/* A snapshot of ROGUE, whose hits are all in the region's mode, and IDLE. */
static inline void dump_region_snapshot(struct dump *d, uint64_t epoch,
                                        const struct dump_region *r)
{
    struct wire_snapshot head = {
        .epoch = epoch, .serial = 1, .cells = 1, .regions = 1, .final = 1,
        .ticks = r->samples, .samples = r->samples, .begin = 2000000,
        .end = 2000000 + r->samples * 8333333, .made = 2000000 + r->samples * 8333333,
    };
    struct wire_cells cells = {epoch, 1, 0};
    uint64_t idle = r->samples - r->active;
    struct wire_writer w;

    dump_head(d, WIRE_SNAPSHOT, &head);
    wire_begin(&w, WIRE_CELLS, &cells);
    wire_row(&w, WIRE_CELLS,
             &(struct wire_cells_row){.id = ADDRESSES_ROGUE, .user = r->active,
                                      .total = r->active, .changes_user = r->active / 2,
                                      .changes_total = r->active / 2});
    wire_row(&w, WIRE_CELLS,
             &(struct wire_cells_row){.id = ROW_IDLE, .kernel = idle, .total = idle,
                                      .changes_kernel = r->active / 2,
                                      .changes_total = r->active / 2});
    dump_end_frame(d, &w);
}

/* What is in no slot is above the region; half of all hits differ from their partner. */
static inline void dump_region(struct dump *d, uint64_t epoch, const struct dump_region *r)
{
    struct wire_region head = {
        .epoch = epoch, .serial = 1, .parts = 1, .task = ADDRESSES_ROGUE, .mode = MODE_USER,
        .low = r->low, .high = r->high, .base = r->low >> r->shift << r->shift,
        .shift = r->shift, .above = r->active, .active = r->active,
        .changes_active = r->active / 2,
    };
    struct wire_writer w;

    for (unsigned i = 0; r->slot[i].hits; i++)
        head.above -= r->slot[i].hits;
    head.changes_above = head.above;
    wire_begin(&w, WIRE_REGION, &head);
    for (unsigned i = 0; r->slot[i].hits; i++)
        wire_row(&w, WIRE_REGION,
                 &(struct wire_region_row){(r->slot[i].address - head.base) >> r->shift,
                                           r->slot[i].hits, r->slot[i].hits / 2 + 1});
    dump_end_frame(d, &w);
}

static inline void dump_region_run(struct dump *d, const char *words,
                                   const struct dump_region *r)
{
    const uint64_t epoch = 0x4444;

    d->sequence = 0;
    dump_hello(d, epoch, words);
    dump_programs(d, epoch);
    dump_region_snapshot(d, epoch, r);
    dump_region(d, epoch, r);
    dump_end(d, epoch, 0, "180 seconds are over");
}

static const struct dump_slot dump_figure4[] = {
    {002200, 23},  {015200, 88},  {020000, 24}, {020200, 77},  {020400, 72}, {020600, 78},
    {021000, 69},  {024200, 71},  {024400, 59}, {024600, 67},  {025000, 67}, {025200, 286},
    {025400, 13},  {032000, 37},  {032200, 109}, {032400, 12}, {033200, 120}, {033400, 119},
    {033600, 25},  {042400, 442}, {0, 0},
};

static const struct dump_slot dump_figure5[] = {
    {025200, 17}, {025220, 27}, {025240, 29},  {025260, 86}, {025300, 164}, {025320, 93},
    {025340, 194}, {025360, 85}, {025400, 40}, {032140, 47}, {032160, 17},  {032200, 25},
    {032260, 26}, {032300, 141}, {032320, 22}, {032440, 44}, {033340, 186}, {033360, 35},
    {033400, 23}, {033420, 41}, {033440, 71},  {033460, 55}, {033500, 27},  {033520, 47},
    {033600, 54}, {042400, 113}, {042420, 222}, {042440, 57}, {042460, 724}, {0, 0},
};

/* ---- raw samples ---- */

/* Out of 100 ticks each place has as many as its weight says. */
struct dump_place {
    unsigned weight;
    struct sample_record record;
};

static const struct dump_place dump_places[] = {
    {1, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x401000}},
    {2, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x401005}},
    {3, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x401020}},
    {17, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x401025}},
    {11, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x401027}},
    {1, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x401029}},
    {8, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x401040}},
    {2, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x401042}},
    {1, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x501010}}, /* in no function */
    {1, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x501020}},
    {1, {.task = ADDRESSES_ROGUE, .mode = MODE_USER, .pc = 0x401027, .delay = DELAY_MASKED}},
    {5, {.task = ADDRESSES_ROGUE, .mode = MODE_KERNEL, .pc = 0xffffffff80100004}},
    {6, {.task = ADDRESSES_CP, .mode = MODE_USER, .pc = 0x401010}},
    {4, {.task = ADDRESSES_CP, .mode = MODE_KERNEL, .pc = 0xffffffff80100008}},
    {37, {.task = ROW_IDLE, .mode = MODE_KERNEL, .pc = 0xffffffff80100010}},
};

#define DUMP_PLACES (sizeof(dump_places) / sizeof(dump_places[0]))

/* Which place tick `n` finds: each once in every 100 ticks, well mixed. */
static inline const struct sample_record *dump_record(uint64_t n)
{
    unsigned at = (unsigned)(n * 37 + n / 100 * 13) % 100;
    unsigned i = 0;

    while (at >= dump_places[i].weight)
        at -= dump_places[i++].weight;
    return &dump_places[i].record;
}

static inline void dump_sample_frame(void *context, struct wire_writer *frame)
{
    dump_end_frame(context, frame);
}

/* Ticks from `lost` on for ten are missing, as if the ring had been full; 0: none. */
static inline void dump_samples(struct dump *d, uint64_t epoch, uint64_t ticks, uint64_t lost)
{
    static struct sample_encoder sender;
    struct sample_encoder_request request = {
        .setting = {.source_clock = 54925400, .thin = 1, .seed = 7}, .epoch = epoch,
        .send = dump_sample_frame, .context = d,
    };
    const struct schedule_request schedule = {
        .policy = INTERVAL_STRATIFIED, .mean = 651642000, .minimum = 20, .spread = 2000, .seed = 7,
    };

    if (schedule_init(&request.setting.schedule, &schedule))
        abort();
    sample_encoder_begin(&sender, &request);
    for (uint64_t n = 0; n < ticks; n++) {
        struct sample_record r = *dump_record(n);

        r.tick = n;
        if (!lost || n < lost || n >= lost + 10)
            sample_encoder_put(&sender, &r);
    }
    sample_encoder_end(&sender, ticks);
}

/* The table that agrees with so many whole hundreds of samples. */
static inline void dump_sampled_table(struct dump *d, uint64_t epoch, uint64_t hundreds)
{
    static const uint32_t ids[] = {ADDRESSES_ROGUE, ADDRESSES_CP, ROW_IDLE};
    const uint64_t ticks = 100 * hundreds;
    struct wire_snapshot head = {
        .epoch = epoch, .serial = 1, .cells = 1, .final = 1, .ticks = ticks, .samples = ticks,
        .late = hundreds, .excess = hundreds * 1000000,
        .lateness = hundreds * 1000000, .begin = 2000000,
        .end = 2000000 + ticks * 8333333, .made = 2000000 + ticks * 8333333,
    };
    struct wire_cells cells = {epoch, 1, 0};
    struct wire_writer w;

    dump_head(d, WIRE_SNAPSHOT, &head);
    wire_begin(&w, WIRE_CELLS, &cells);
    for (unsigned i = 0; i < 3; i++) {
        struct wire_cells_row row = {.id = ids[i]};

        for (unsigned p = 0; p < DUMP_PLACES; p++) {
            const struct sample_record *r = &dump_places[p].record;
            uint64_t hits = dump_places[p].weight * hundreds;

            if (r->task != ids[i] || r->delay)
                continue;
            *(r->mode == MODE_USER ? &row.user : &row.kernel) += hits;
            row.total += hits;
        }
        row.changes_user = row.user / 2;
        row.changes_kernel = row.kernel / 2;
        row.changes_total = row.total / 2;
        wire_row(&w, WIRE_CELLS, &row);
    }
    wire_row(&w, WIRE_CELLS, &(struct wire_cells_row){.id = ROW_MASKED, .total = hundreds,
                                                      .changes_total = hundreds});
    dump_end_frame(d, &w);
}

static inline void dump_sampled_run(struct dump *d, const char *words, uint64_t lost)
{
    const uint64_t epoch = 0x5555;

    d->sequence = 0;
    dump_hello(d, epoch, words);
    dump_programs(d, epoch);
    dump_samples(d, epoch, 7200, lost);
    dump_programs(d, epoch);
    dump_sampled_table(d, epoch, 72);
    dump_end(d, epoch, 0, "60 seconds are over");
}
