/* SPDX-License-Identifier: MIT */
/*
 * Synthetic streams with raw samples in functions of one task, for the commands
 * that name code: so many hits in each, in an order that only the seed knows.
 */
#pragma once

#include "probe/schedule/policy.h"
#include "probe/stream/sample_encode.h"
#include "tests/host/dump.h"

#define DUMP_FUNCTIONS 8
#define DUMP_ROGUE     100 /* row id */

struct dump_code {
    uint64_t epoch;
    const char *words, *build; /* build id of the task's program */
    enum interval_policy policy;
    unsigned rate;
    bool region; /* slots of 128 bytes from the first function on, instead of raw samples */
    uint64_t samples, seconds; /* n, all but the hits below in IDLE; tau */
    struct {
        uint64_t address, hits;
    } function[DUMP_FUNCTIONS];
};

static inline void dump_code_frame(void *context, struct wire_writer *w)
{
    dump_end_frame(context, w);
}

/* Which function, DUMP_FUNCTIONS: none, each sample is in. */
static inline uint8_t *dump_code_order(const struct dump_code *c)
{
    uint8_t *where = malloc(c->samples);
    uint64_t at = 0, random = c->epoch;

    memset(where, DUMP_FUNCTIONS, c->samples);
    for (unsigned f = 0; f < DUMP_FUNCTIONS; f++)
        for (uint64_t i = 0; i < c->function[f].hits; i++)
            where[at++] = (uint8_t)f;
    for (uint64_t i = c->samples; i > 1; i--) { /* shuffled */
        uint64_t other;
        uint8_t swap = where[i - 1];

        random = random * 6364136223846793005u + 1442695040888963407u;
        other = (random >> 33) % i;
        where[i - 1] = where[other];
        where[other] = swap;
    }
    return where;
}

static inline void dump_code_samples(struct dump *d, const struct dump_code *c, uint64_t mean)
{
    static struct sample_encoder sender;
    const struct schedule_request request = {
        .policy = c->policy, .mean = mean, .minimum = 20, .spread = 2000, .seed = 7,
    };
    struct sample_encoder_request sending = {
        .setting = {.source_clock = 54925400, .thin = 1, .seed = 7},
        .epoch = c->epoch, .send = dump_code_frame, .context = d,
    };
    uint8_t *where = dump_code_order(c);

    schedule_init(&sending.setting.schedule, &request);
    sample_encoder_begin(&sender, &sending);
    for (uint64_t i = 0; i < c->samples; i++) {
        bool idle = where[i] == DUMP_FUNCTIONS;
        struct sample_record r = {.tick = i, .task = idle ? ROW_IDLE : DUMP_ROGUE,
                                  .mode = idle ? MODE_KERNEL : MODE_USER,
                                  .pc = idle ? 0xffffffff80100010u : 0};

        if (!idle)
            r.pc = c->function[where[i]].address + i % 16;
        sample_encoder_put(&sender, &r);
    }
    sample_encoder_end(&sender, c->samples);
    free(where);
}

static inline void dump_code_names(struct dump *d, const struct dump_code *c)
{
    struct wire_names names = {c->epoch};
    struct wire_programs programs = {c->epoch};
    struct wire_writer w;

    wire_begin(&w, WIRE_PROGRAMS, &programs);
    wire_row(&w, WIRE_PROGRAMS,
             &(struct wire_programs_row){1, dump_text("rogue"), dump_text(c->build)});
    dump_end_frame(d, &w);
    wire_begin(&w, WIRE_NAMES, &names);
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){DUMP_ROGUE, dump_text("ROGUE"), 1});
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){ROW_IDLE, dump_text("IDLE"), 0});
    dump_end_frame(d, &w);
}

static inline void dump_code_snapshot(struct dump *d, const struct dump_code *c)
{
    uint64_t hits = 0, end = 2000000 + c->seconds * 1000000000;
    struct wire_snapshot head = {
        .epoch = c->epoch, .serial = 1, .cells = 1, .exacts = 1, .final = 1,
        .ticks = c->samples, .samples = c->samples, .begin = 2000000,
        .end = end + 5000000, .monitor = 5000000, .made = end + 6000000, .transitions = 1000,
        .regions = c->region,
    };
    struct wire_cells cells = {c->epoch, 1, 0};
    struct wire_exact exact = {c->epoch, 1, 0};
    struct wire_writer w;

    for (unsigned f = 0; f < DUMP_FUNCTIONS; f++)
        hits += c->function[f].hits;
    dump_head(d, WIRE_SNAPSHOT, &head);
    wire_begin(&w, WIRE_CELLS, &cells);
    wire_row(&w, WIRE_CELLS, &(struct wire_cells_row){.id = DUMP_ROGUE, .user = hits,
                                                      .total = hits});
    wire_row(&w, WIRE_CELLS, &(struct wire_cells_row){.id = ROW_IDLE,
                                                      .kernel = c->samples - hits,
                                                      .total = c->samples - hits});
    dump_end_frame(d, &w);
    wire_begin(&w, WIRE_EXACT, &exact);
    wire_row(&w, WIRE_EXACT, &(struct wire_exact_row){.id = ROW_IDLE,
                                                      .kernel = c->seconds * 1000000000});
    dump_end_frame(d, &w);
}

static inline void dump_code_region(struct dump *d, const struct dump_code *c)
{
    struct wire_region head = {
        .epoch = c->epoch, .serial = 1, .parts = 1, .task = DUMP_ROGUE, .mode = MODE_USER,
        .low = c->function[0].address, .high = c->function[0].address + 0x1000,
        .base = c->function[0].address, .shift = 7,
    };
    uint64_t hits[DUMP_FUNCTIONS] = {0};
    struct wire_writer w;

    for (unsigned f = 0; f < DUMP_FUNCTIONS; f++) {
        head.active += c->function[f].hits;
        if (c->function[f].hits)
            hits[(c->function[f].address - head.base) >> head.shift] += c->function[f].hits;
    }
    head.changes_active = head.active / 2;
    wire_begin(&w, WIRE_REGION, &head);
    for (unsigned slot = 0; slot < DUMP_FUNCTIONS; slot++)
        if (hits[slot])
            wire_row(&w, WIRE_REGION,
                     &(struct wire_region_row){slot, hits[slot], hits[slot] / 2});
    dump_end_frame(d, &w);
}

/* One whole run; without `end` it is cut before its snapshot. */
static inline void dump_code_run(struct dump *d, const struct dump_code *c, bool end)
{
    uint64_t mean = ((uint64_t)1193182 << 16) / c->rate;

    d->sequence = 0;
    dump_hello_mean(d, c->epoch, c->words, mean);
    dump_code_names(d, c);
    if (!c->region)
        dump_code_samples(d, c, mean);
    if (!end)
        return;
    dump_code_snapshot(d, c);
    if (c->region)
        dump_code_region(d, c);
    dump_end(d, c->epoch, 0, "60 seconds are over");
}
