/* SPDX-License-Identifier: MIT */
/*
 * A simulated kernel with the core in it (probe/port/): a clock, a one-shot, interrupts that are off or on, and a
 * line whose frames are opened and counted.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/port/cpuprobe.h"
#include "probe/stream/wire.h"

#define HZ      1000000u /* of clock and source */
#define LATENCY 3u       /* clock units from expiry to the handler */

static struct cpuprobe *probe;
static uint64_t now, due; /* due 0: nothing is armed */
static uint32_t period;   /* of a source that ticks by itself; 0: it does not */
static uint32_t task;
static bool is_off;

/* What was sent: records by type, and of the last snapshot its head and the sum of its rows. */
static unsigned count[64], frames;
static struct wire_snapshot snapshot;
static struct wire_hello hello;
static uint64_t row_hits, samples_told, events_told, events_counted;
static char reason[64], words[256];

/* Each reading takes a unit; the interrupt comes where one is due and let in. */
static inline uint64_t clock_read(void)
{
    static bool within;

    now++;
    if (due != 0 && !is_off && !within && now >= due + LATENCY) {
        due = period != 0 ? due + period : 0;
        within = true;
        cpuprobe_tick(probe, 0x1000, task, CPUPROBE_USER);
        within = false;
    }
    return now;
}

static inline void arm(uint32_t counts)
{
    due = now + counts;
}

static inline void wait_halted(void)
{
    is_off = false;
    while (due != 0)
        clock_read();
}

static inline uintptr_t lock(void)
{
    const bool was = is_off;

    is_off = true;
    return was;
}

static inline void unlock(uintptr_t was)
{
    is_off = was != 0;
}

static inline void take_text(char *to, size_t size, struct wire_text from)
{
    snprintf(to, size, "%.*s", (int)from.length, from.bytes);
}

static inline void take_cells(struct wire_reader *r)
{
    struct wire_cells head;
    struct wire_cells_row row;

    assert_true(wire_read_head(r, &head));
    if (head.part == 0)
        row_hits = 0;
    while (wire_read_row(r, &row))
        row_hits += row.total;
}

static inline void take_record(struct wire_reader *r)
{
    struct wire_event_counts counts;
    struct wire_packed_samples samples;
    struct wire_packed_events events;
    struct wire_end end;

    switch (r->type) {
    case WIRE_HELLO:
        assert_true(wire_read_head(r, &hello));
        take_text(words, sizeof words, hello.words);
        break;
    case WIRE_SNAPSHOT:
        assert_true(wire_read_head(r, &snapshot));
        break;
    case WIRE_CELLS:
        take_cells(r);
        break;
    case WIRE_PACKED_SAMPLES:
        assert_true(wire_read_head(r, &samples));
        samples_told = samples.first + samples.count;
        break;
    case WIRE_PACKED_EVENTS:
        assert_true(wire_read_head(r, &events));
        events_told = events.first + events.count;
        break;
    case WIRE_EVENT_COUNTS:
        assert_true(wire_read_head(r, &counts));
        events_counted = counts.recorded;
        break;
    case WIRE_END:
        assert_true(wire_read_head(r, &end));
        take_text(reason, sizeof reason, end.reason);
        break;
    default:
        break;
    }
}

static inline bool take_frame(const void *bytes, size_t length)
{
    uint8_t copy[WIRE_FRAME_MAX];
    struct wire_reader r;

    memcpy(copy, (const uint8_t *)bytes + 1, length - 2);
    assert_int_equal(wire_open(&r, copy, length - 2), WIRE_INTACT);
    assert_int_equal(r.sequence, frames++);
    count[r.type]++;
    take_record(&r);
    return true;
}

static inline const char *name_of(uint32_t id)
{
    return id == 1 ? "one" : NULL;
}

static inline int read_nothing(void)
{
    return -1;
}

/* A kernel that gives everything. */
static const struct cpuprobe_port whole = {
    .name = "simulated", .build = "0123456789abcdef", .clock = clock_read, .clock_hz = HZ, .source = "timer",
    .source_hz = HZ, .longest = 50000, .arm = arm, .wait = wait_halted, .name_of = name_of, .write = take_frame,
    .read = read_nothing,
    .lock = lock, .unlock = unlock,
};

/* The same each time, and not zero at first. */
static inline void *core_memory(void)
{
    static void *memory;

    if (memory == NULL)
        memory = malloc(cpuprobe_size());
    memset(memory, 0xa5, cpuprobe_size());
    return memory;
}

/* Init and begin; NULL, or the sentence of the one that refused. */
static inline const char *try_begin(const struct cpuprobe_port *port, const struct cpuprobe_options *options)
{
    const char *why = NULL;

    memset(count, 0, sizeof count);
    frames = 0;
    is_off = false;
    period = port != NULL && port->arm == NULL ? port->longest : 0;
    due = period != 0 ? now + period : 0;
    samples_told = events_told = events_counted = 0;
    probe = NULL;
    probe = cpuprobe_init(core_memory(), cpuprobe_size(), port, options, &why);
    return probe != NULL ? cpuprobe_begin(probe) : why;
}

static inline void begin(const struct cpuprobe_port *port, const struct cpuprobe_options *options)
{
    const char *const why = try_begin(port, options);

    assert_true(why == NULL || fprintf(stderr, "%s\n", why) < 0);
}

/* Run until END, the tasks in turn. */
static inline void run(unsigned tasks)
{
    for (unsigned n = 0; cpuprobe_poll(probe); n++) {
        assert_true(n < 100000);
        task = 1 + n % tasks;
        cpuprobe_switch(probe, task);
        for (unsigned i = 0; i < 1500; i++)
            clock_read();
    }
}

/* What any run must have: all of it was sent, and each tick is in a row. */
static inline void check_run(void)
{
    assert_string_equal(reason, "complete");
    assert_true(snapshot.final == 1 && snapshot.samples != 0);
    assert_int_equal(row_hits, snapshot.samples);
    if (hello.unit != 0) /* each point is a sample, or in a handler, and those of ticks in time were measured */
        assert_true(snapshot.points == snapshot.samples + snapshot.in_handler &&
                    snapshot.arrivals <= snapshot.samples - snapshot.late);
    else
        assert_int_equal(snapshot.points, 0);
}
