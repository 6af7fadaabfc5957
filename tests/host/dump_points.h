/* SPDX-License-Identifier: MIT */
/*
 * Makes a synthetic run whose points are fixed in clock time, with raw samples: ticks in time, waits of one point and
 * of several, points in handlers, and perhaps one thing wrong.  Its own account of the rule: nothing of probe/core is
 * in it.
 */
#pragma once

#include "probe/schedule/carta.h"
#include "tests/host/dump_audit.h"

#define DUMP_POINTS_UNIT    2u /* clock units */
#define DUMP_POINTS_MEAN    (((uint64_t)1000000000 << 16 >> 10) / DUMP_POINTS_UNIT) /* 1024 a second */
#define DUMP_POINTS_COUNT   838u /* clock units in a count of the source, rounded */
#define DUMP_POINTS_HANDLER 3500u
#define DUMP_POINTS_FAR     (1500 + DUMP_POINTS_HANDLER + (2 * (uint64_t)DUMP_AUDIT_CLOCK >> 16) + \
                             (1000 - DUMP_AUDIT_FLOOR) + 2)
#define DUMP_POINTS_SHORT   100u  /* one point in so many waits for less than an interval */
#define DUMP_POINTS_LONG    1000u /* and one in so many for several */

/* What is wrong from, or with, point `at`. */
enum dump_wrong {
    DUMP_SOUND,
    DUMP_MOVED,     /* its raw sample is two counts behind it, and told as in time */
    DUMP_EARLY,     /* its tick came three counts before it */
    DUMP_STRAY,     /* its tick came later than one in time can */
    DUMP_LEFT_OUT,  /* it is neither counted nor told */
    DUMP_DOUBLED,   /* it is counted and told twice */
    DUMP_MIXED,     /* from it on the intervals are another seed's */
    DUMP_SEED,      /* HELLO has another seed */
    DUMP_SUM,       /* the last snapshot tells a point in a handler too many */
    DUMP_END,       /* the last snapshot ends far before its last point */
    DUMP_OPEN,      /* the last snapshot ends behind a point that it does not count */
    DUMP_ARRIVED,   /* its sum of arrivals is not between their bounds */
};

struct dump_points {
    enum interval_policy policy;
    enum dump_wrong wrong;
    uint64_t points, at;
};

struct dump_points_state {
    const struct dump_points *how;
    struct dump_audit_state out; /* frames, head, schedule */
    struct sample_encoder encoder;
    uint64_t point, before;      /* its time, and that of the one before */
    uint64_t waits_until, entry; /* of the late tick: the end of its wait, and its handler */
    uint64_t busy_until;         /* end of the last handler */
};

static inline void dump_points_hello(struct dump *d, const struct dump_points *how)
{
    char words[120];
    struct wire_hello hello = {
        .major = WIRE_MAJOR, .minor = WIRE_MINOR, .epoch = DUMP_AUDIT_EPOCH, .build = dump_text("0123abcd"),
        .clock_hz = 1000000000, .source_hz = 1193182000, .source_clock = DUMP_AUDIT_CLOCK, .mean = DUMP_POINTS_MEAN,
        .unit = DUMP_POINTS_UNIT, .handler = DUMP_POINTS_HANDLER, .floor = DUMP_AUDIT_FLOOR, .halt_floor = 300,
        .late = 1000,
        .halt_late = 1500, .seed = how->wrong == DUMP_SEED ? 8 : 7, .now = 1000000, .source = dump_text("pit"),
        .door = dump_text("multiboot"), .machine = dump_text("synthetic"), .stamp = 1000, .thin = 1,
        .clock_period = (uint64_t)10000000 << 16, .clock_origin = 12345,
    };

    snprintf(words, sizeof(words), "rate=1024 seed=7 interval=%s monitor=system,samples output=frames",
             interval_policies[how->policy]->name);
    hello.words = dump_text(words);
    dump_head(d, WIRE_HELLO, &hello);
}

/* It closes at the tick of `point`, in time, which is not in it. */
static inline void dump_points_snapshot(struct dump_points_state *s, bool final)
{
    struct wire_snapshot *const h = &s->out.head, right;

    h->epoch = DUMP_AUDIT_EPOCH;
    h->serial++;
    h->cells = 1;
    h->final = final;
    h->samples = h->ticks = h->points - h->in_handler;
    h->buckets = h->late != 0;
    h->generator = s->out.schedule.generator;
    h->intervals = s->out.schedule.sum;
    h->end = s->point;
    h->made = h->end + 1000;
    right = *h;
    if (final && s->how->wrong == DUMP_SUM)
        h->in_handler++;
    if (final && s->how->wrong == DUMP_END)
        h->end = s->before - DUMP_POINTS_FAR;
    if (final && s->how->wrong == DUMP_OPEN)
        h->end = s->point + DUMP_POINTS_FAR;
    h->made = h->end + DUMP_POINTS_HANDLER;
    if (final && s->how->wrong == DUMP_ARRIVED)
        h->arrived = wire_zigzag(wire_unzigzag(h->latest) * (int64_t)h->arrivals + 1);
    dump_head(s->out.d, WIRE_SNAPSHOT, h);
    dump_audit_rows(s->out.d, h, h->late);
    *h = right;
}

static inline int64_t dump_points_arrival(const struct dump_points_state *s, uint64_t n)
{
    const bool at = n == s->how->at;

    if (at && s->how->wrong == DUMP_EARLY)
        return -3 * (int64_t)DUMP_POINTS_COUNT;
    if (at && s->how->wrong == DUMP_STRAY)
        return DUMP_POINTS_FAR;
    /* The rest of the division into counts. */
    return (int64_t)DUMP_AUDIT_FLOOR - (int64_t)(n * 311 % DUMP_POINTS_COUNT);
}

static inline void dump_points_note(struct wire_snapshot *h, int64_t arrival)
{
    if (h->arrivals == 0 || arrival < wire_unzigzag(h->earliest))
        h->earliest = wire_zigzag(arrival);
    if (h->arrivals++ == 0 || arrival > wire_unzigzag(h->latest))
        h->latest = wire_zigzag(arrival);
    h->arrived = wire_zigzag(wire_unzigzag(h->arrived) + arrival);
}

/* Decide what became of point n; false: it was in time. */
static inline bool dump_points_missed(struct dump_points_state *s, uint64_t n, struct sample_record *r)
{
    struct wire_snapshot *const h = &s->out.head;
    const bool waits = n % DUMP_POINTS_SHORT == DUMP_POINTS_SHORT - 1 && s->point >= s->busy_until;

    if (waits) {
        s->waits_until = s->point + (n % DUMP_POINTS_LONG == DUMP_POINTS_LONG - 1 ? 5000000 : 20000);
        s->entry = s->waits_until + DUMP_AUDIT_FLOOR;
        s->busy_until = s->entry + DUMP_POINTS_HANDLER;
    }
    if (s->point <= s->waits_until) {
        r->delay = DELAY_MASKED;
        r->time = s->entry;
        h->late++;
        h->lateness += s->entry - s->point;
    } else if (s->point < s->busy_until) {
        r->delay = DELAY_HANDLER;
        r->task = 0;
        r->pc = 0;
        h->in_handler++;
    }
    return r->delay != DELAY_NONE;
}

static inline void dump_points_put(struct dump_points_state *s, uint64_t n)
{
    const bool at = n == s->how->at;
    struct sample_record r = {
        .mode = MODE_USER, .task = 100, .pc = 0x401000 + n % 64, .time = s->point, .arrival = SAMPLE_NO_ARRIVAL,
    };

    if (at && s->how->wrong == DUMP_LEFT_OUT)
        return;
    if (!dump_points_missed(s, n, &r)) {
        r.arrival = (int32_t)dump_points_arrival(s, n);
        s->busy_until = s->point + (uint64_t)(int64_t)r.arrival + DUMP_POINTS_HANDLER;
        dump_points_note(&s->out.head, r.arrival);
        s->out.head.first = s->out.head.first ? s->out.head.first : s->point;
        r.time += at && s->how->wrong == DUMP_MOVED ? 2 * DUMP_POINTS_COUNT : 0;
    }
    r.tick = s->out.head.points++;
    sample_encoder_put(&s->encoder, &r);
    if (at && s->how->wrong == DUMP_DOUBLED) {
        r.tick = s->out.head.points++;
        sample_encoder_put(&s->encoder, &r);
    }
}

static inline void dump_points_next(struct dump_points_state *s)
{
    s->before = s->point;
    schedule_next(&s->out.schedule);
    s->point = s->out.head.begin + s->out.schedule.sum * DUMP_POINTS_UNIT;
}

static inline void dump_points_run(struct dump *d, const struct dump_points *how)
{
    static struct dump_points_state s;
    static const struct dump_audit plain;
    struct schedule_request request = {.policy = how->policy, .mean = DUMP_POINTS_MEAN, .spread = 2000, .seed = 7};
    struct sample_encoder_request sending = {
        .setting = {
            .points = true, .source_clock = (uint64_t)DUMP_POINTS_UNIT << 16, .stamp = 1000, .thin = 1, .seed = 7,
        },
        .epoch = DUMP_AUDIT_EPOCH, .begin = 5000000, .send = dump_audit_frame, .context = &s.out,
    };
    bool closes = false;

    memset(&s, 0, sizeof s);
    s = (struct dump_points_state){.how = how, .out = {.how = &plain, .d = d, .head = {.begin = 5000000}}};
    d->sequence = 0;
    schedule_init(&sending.setting.schedule, &request);
    s.out.schedule = sending.setting.schedule;
    dump_points_hello(d, how);
    sample_encoder_begin(&s.encoder, &sending);
    for (uint64_t n = 0; n < how->points; n++) {
        if (n == how->at && how->wrong == DUMP_MIXED)
            s.out.schedule.generator = carta_start(8);
        dump_points_next(&s);
        closes |= n % (how->points / DUMP_AUDIT_PARTS) == 50;
        if (closes && s.point > s.busy_until && n % DUMP_POINTS_SHORT != DUMP_POINTS_SHORT - 1) {
            dump_points_snapshot(&s, false);
            closes = false;
        }
        dump_points_put(&s, n);
    }
    dump_points_next(&s); /* the last window closes at a tick in time */
    sample_encoder_end(&s.encoder, s.out.head.points);
    dump_points_snapshot(&s, true);
    dump_end(d, DUMP_AUDIT_EPOCH, 0, "complete");
}
