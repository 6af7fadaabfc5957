/* SPDX-License-Identifier: MIT */
/*
 * A synthetic run whose ticks are the schedule's to the clock unit, with raw
 * samples that have times, or with one thing wrong: what `cpuprobe audit` is for.
 * The intervals begin in the handler, as in all streams below minor 8; tests/host/dump_points.h has points.
 */
#pragma once

#include "probe/stream/sample_encode.h"
#include "tests/host/dump.h"

#define DUMP_AUDIT_EPOCH 0x6666
#define DUMP_AUDIT_MEAN  ((uint64_t)1193182 << 16 >> 10) /* 1024 a second */
#define DUMP_AUDIT_CLOCK 54925400u
#define DUMP_AUDIT_LEAD  3000u
#define DUMP_AUDIT_FLOOR 200u
#define DUMP_AUDIT_LATE  100 /* one tick in so many is late */
#define DUMP_AUDIT_PARTS 4   /* snapshots */

struct dump_audit {
    enum interval_policy policy;
    uint64_t ticks;
    uint64_t at;       /* number of the tick that something befalls, from 0 */
    int counts;        /* so much longer its interval is than the generator's */
    int told;          /* so much longer the sum says that it is */
    bool dropped;      /* it is neither counted nor told */
    unsigned repeated; /* SAMPLES frame that comes twice, from 1 */
    unsigned absent;   /* SAMPLES frame that does not come, from 1 */
    bool twice;        /* a snapshot comes twice */
};

struct dump_audit_state {
    const struct dump_audit *how;
    struct dump *d;
    unsigned frames; /* of SAMPLES */
    struct wire_snapshot head;
    uint64_t arming;
    struct schedule schedule;
};

static inline void dump_audit_again(struct dump *d)
{
    const size_t length = d->length - d->frame;
    uint8_t *copy = malloc(length);

    memcpy(copy, d->bytes + d->frame, length);
    dump_raw(d, copy, length);
    free(copy);
}

static inline void dump_audit_frame(void *context, struct wire_writer *w)
{
    struct dump_audit_state *s = context;
    const bool samples = w->bytes[0] == WIRE_PACKED_SAMPLES;

    s->frames += samples;
    if (samples && s->frames == s->how->absent) {
        s->d->sequence++;
        return;
    }
    dump_end_frame(s->d, w);
    if (samples && s->frames == s->how->repeated)
        dump_audit_again(s->d);
}

static inline void dump_audit_hello(struct dump *d, const struct dump_audit *how)
{
    char words[120];
    struct wire_hello hello = {
        .major = WIRE_MAJOR, .minor = WIRE_MINOR, .epoch = DUMP_AUDIT_EPOCH,
        .build = dump_text("0123abcd"), .clock_hz = 1000000000, .source_hz = 1193182000,
        .source_clock = DUMP_AUDIT_CLOCK, .mean = DUMP_AUDIT_MEAN, .minimum = 20,
        .handler = 3500, .floor = DUMP_AUDIT_FLOOR, .halt_floor = 300, .late = 1000, .seed = 7,
        .now = 1000000, .source = dump_text("pit"), .door = dump_text("multiboot"),
        .machine = dump_text("synthetic"), .lead = DUMP_AUDIT_LEAD, .stamp = 1000, .thin = 1,
        .halt_late = 1500, .clock_period = (uint64_t)10000000 << 16, .clock_origin = 12345,
    };

    snprintf(words, sizeof(words), "rate=1024 seed=7 interval=%s monitor=system,samples output=frames",
             interval_policies[how->policy]->name);
    hello.words = dump_text(words);
    dump_head(d, WIRE_HELLO, &hello);
}

static inline void dump_audit_rows(struct dump *d, const struct wire_snapshot *h, uint64_t late)
{
    struct wire_cells cells = {.epoch = h->epoch, .serial = h->serial};
    struct wire_lateness lateness = {.epoch = h->epoch, .serial = h->serial};
    struct wire_writer w;

    wire_begin(&w, WIRE_CELLS, &cells);
    wire_row(&w, WIRE_CELLS, &(struct wire_cells_row){.id = 100, .user = h->samples - late,
                                                      .total = h->samples - late});
    wire_row(&w, WIRE_CELLS, &(struct wire_cells_row){.id = ROW_MASKED, .total = late});
    dump_end_frame(d, &w);
    if (!late)
        return;
    wire_begin(&w, WIRE_LATENESS, &lateness);
    wire_row(&w, WIRE_LATENESS, &(struct wire_lateness_row){15, late}); /* 20200 */
    dump_end_frame(d, &w);
}

/* Closed by the tick before `now`, counters and all. */
static inline void dump_audit_snapshot(struct dump_audit_state *s, bool final)
{
    struct wire_snapshot *h = &s->head;

    h->epoch = DUMP_AUDIT_EPOCH;
    h->serial++;
    h->cells = 1;
    h->final = final;
    h->samples = h->ticks;
    h->buckets = h->late != 0;
    h->generator = s->schedule.generator;
    h->intervals = s->schedule.sum + (uint64_t)(int64_t)s->how->told;
    h->made = h->end + 1000;
    dump_head(s->d, WIRE_SNAPSHOT, h);
    dump_audit_rows(s->d, h, h->late);
    if (s->how->twice && h->serial == 2)
        dump_head(s->d, WIRE_SNAPSHOT, h);
}

/* The next tick of the source, number n; false: it is not counted. */
static inline bool dump_audit_tick(struct dump_audit_state *s, uint64_t n, struct sample_record *r)
{
    const struct dump_audit *how = s->how;
    const bool late = n % DUMP_AUDIT_LATE == DUMP_AUDIT_LATE - 1;
    uint64_t counts = schedule_next(&s->schedule), lateness = DUMP_AUDIT_FLOOR + (late ? 20000 : 0);

    if (n == how->at)
        counts += (uint64_t)(int64_t)how->counts;
    r->time = s->arming + (counts * DUMP_AUDIT_CLOCK >> 16) + lateness;
    r->task = 100;
    r->pc = 0x401000 + n % 64;
    r->delay = late ? DELAY_MASKED : DELAY_NONE;
    s->arming = r->time + DUMP_AUDIT_LEAD - DUMP_AUDIT_FLOOR;
    if (n == how->at && how->dropped)
        return false;
    r->tick = s->head.ticks++;
    s->head.end = r->time - DUMP_AUDIT_FLOOR;
    s->head.first = s->head.first ? s->head.first : s->head.end;
    s->head.late += late;
    s->head.lateness += late ? lateness : 0;
    s->head.excess += late ? 20000 : 0;
    return true;
}

static inline void dump_audit_run(struct dump *d, const struct dump_audit *how)
{
    static struct sample_encoder sender;
    struct dump_audit_state s = {.how = how, .d = d, .arming = 5000000};
    const struct schedule_request request = {
        .policy = how->policy, .mean = DUMP_AUDIT_MEAN, .minimum = 20, .spread = 2000, .seed = 7,
    };
    struct sample_encoder_request sending = {
        .setting = {.source_clock = DUMP_AUDIT_CLOCK, .handler = DUMP_AUDIT_LEAD, .stamp = 1000,
                    .thin = 1, .seed = 7},
        .epoch = DUMP_AUDIT_EPOCH, .send = dump_audit_frame, .context = &s,
    };
    struct sample_record r = {.mode = MODE_USER};

    d->sequence = 0;
    s.head.begin = s.arming;
    schedule_init(&sending.setting.schedule, &request);
    s.schedule = sending.setting.schedule;
    dump_audit_hello(d, how);
    sample_encoder_begin(&sender, &sending);
    for (uint64_t n = 0; n < how->ticks; n++) {
        if (dump_audit_tick(&s, n, &r))
            sample_encoder_put(&sender, &r);
        if (n + 1 < how->ticks && n % (how->ticks / DUMP_AUDIT_PARTS) == 50)
            dump_audit_snapshot(&s, false);
    }
    sample_encoder_end(&sender, s.head.ticks);
    dump_audit_snapshot(&s, true);
    dump_end(d, DUMP_AUDIT_EPOCH, 0, "complete");
}
