/* SPDX-License-Identifier: MIT */
/*
 * Synthetic streams for the tests of the host tool, made with the encoder of
 * probe/stream/wire.c: what an image would send, small and worked out by rule.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/core/mode.h"
#include "probe/stream/wire.h"

#define DUMP_TASKS 5

struct dump {
    uint8_t *bytes;
    size_t length, room;
    uint16_t sequence;
    size_t frame; /* where the last frame begins */
};

static inline struct wire_text dump_text(const char *text)
{
    return (struct wire_text){text, strlen(text)};
}

static inline void dump_raw(struct dump *d, const void *bytes, size_t length)
{
    if (d->room < d->length + length) {
        d->room = 2 * (d->length + length);
        d->bytes = realloc(d->bytes, d->room);
    }
    memcpy(d->bytes + d->length, bytes, length);
    d->length += length;
}

static inline void dump_end_frame(struct dump *d, struct wire_writer *w)
{
    uint8_t frame[WIRE_FRAME_MAX];
    size_t length = wire_end(w, d->sequence++, frame);

    if (!length) {
        fputs("a synthetic frame is too full\n", stderr);
        abort();
    }
    d->frame = d->length;
    dump_raw(d, frame, length);
    if (w->bytes[0] == WIRE_END) /* the next epoch begins at 0 */
        d->sequence = 0;
}

static inline void dump_head(struct dump *d, enum wire_type type, const void *head)
{
    struct wire_writer w;

    wire_begin(&w, type, head);
    dump_end_frame(d, &w);
}

/* A 1 GHz clock, a PIT of 1193182 Hz; the mean interval in counts, 48.16. */
/* As the image's HELLO, which tells its policy always; "": another sender's, which tells nothing. */
static inline struct wire_text dump_words(const char *words)
{
    static char told[512];

    snprintf(told, sizeof(told), "%s%s", words, *words && !strstr(words, "interval=") ? " interval=stratified" : "");
    return dump_text(told);
}

static inline struct wire_hello dump_hello_head(uint64_t epoch, const char *words, uint64_t mean)
{
    return (struct wire_hello){
        .major = WIRE_MAJOR,
        .minor = WIRE_MINOR,
        .epoch = epoch,
        .build = dump_text("0123abcd"),
        .words = dump_words(words),
        .clock_hz = 1000000000,
        .source_hz = 1193182000,
        .source_clock = 54925400, /* 838.0951 ns each */
        .mean = mean,
        .minimum = 20,
        .handler = 3000,
        .entry = 1000,
        .stub = 640,
        .floor = 200,
        .halt_floor = 300,
        .late = 1000,
        .seed = 7,
        .now = 1000000,
        .source = dump_text("pit"),
        .door = dump_text("multiboot"),
        .machine = dump_text("synthetic"),
        .version = dump_text("0.0"),
    };
}

static inline void dump_hello_mean(struct dump *d, uint64_t epoch, const char *words, uint64_t mean)
{
    const struct wire_hello hello = dump_hello_head(epoch, words, mean);

    dump_head(d, WIRE_HELLO, &hello);
}

#define DUMP_MEAN 651642000 /* 9943.2 counts: 120 ticks a second */

static inline void dump_hello(struct dump *d, uint64_t epoch, const char *words)
{
    dump_hello_mean(d, epoch, words, DUMP_MEAN);
}

static inline void dump_names(struct dump *d, uint64_t epoch)
{
    static const char *const names[DUMP_TASKS] = {"ROGUE", "CP", "AU", "JTSEND", "...LDR"};
    struct wire_names head = {epoch};
    struct wire_writer w;

    wire_begin(&w, WIRE_NAMES, &head);
    for (unsigned i = 0; i < DUMP_TASKS; i++)
        wire_row(&w, WIRE_NAMES, &(struct wire_names_row){100 + i, dump_text(names[i]), 0});
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){ROW_IDLE, dump_text("IDLE"), 0});
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){ROW_MASKED, dump_text("MASKED"), 0});
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){ROW_LOST, dump_text("LOST"), 0});
    dump_end_frame(d, &w);
}

/*
 * Each task i has, at scale k, (7+i)k user, 2ik supervisor, (3+i)k kernel and k
 * interrupt hits; IDLE 20k kernel; MASKED 2k, LOST k.  In all 95k + 23k.
 */
#define DUMP_SAMPLES(k) (118 * (uint64_t)(k))

static inline void dump_cells(struct dump *d, uint64_t epoch, uint64_t serial, uint64_t part,
                              uint64_t k)
{
    struct wire_cells head = {epoch, serial, part};
    struct wire_writer w;

    wire_begin(&w, WIRE_CELLS, &head);
    for (uint64_t i = part ? 3 : 0; i < (part ? DUMP_TASKS : 3); i++)
        wire_row(&w, WIRE_CELLS,
                 &(struct wire_cells_row){100 + i, (7 + i) * k, 2 * i * k, (3 + i) * k, k,
                                          (11 + 4 * i) * k, 3 * k, i * k, 2 * k, k, 4 * k});
    if (part) {
        wire_row(&w, WIRE_CELLS,
                 &(struct wire_cells_row){.id = ROW_IDLE, .kernel = 20 * k, .total = 20 * k,
                                          .changes_kernel = 8 * k, .changes_total = 8 * k});
        wire_row(&w, WIRE_CELLS, &(struct wire_cells_row){.id = ROW_MASKED, .total = 2 * k,
                                                          .changes_total = k});
        wire_row(&w, WIRE_CELLS, &(struct wire_cells_row){.id = ROW_LOST, .total = k,
                                                          .changes_total = k});
    }
    dump_end_frame(d, &w);
}

/* Exact: 1 ms a hit of a task or IDLE, k/5 ms masked in each task's kernel: tau 116k ms. */
static inline void dump_exact(struct dump *d, uint64_t epoch, uint64_t serial, uint64_t k)
{
    struct wire_exact head = {epoch, serial, 0};
    struct wire_writer w;
    uint64_t ms = 1000000;

    wire_begin(&w, WIRE_EXACT, &head);
    for (uint64_t i = 0; i < DUMP_TASKS; i++)
        wire_row(&w, WIRE_EXACT,
                 &(struct wire_exact_row){100 + i, (7 + i) * k * ms, 2 * i * k * ms,
                                          (3 + i) * k * ms, k * ms, 0, 0, k * ms / 5, 0});
    wire_row(&w, WIRE_EXACT,
             &(struct wire_exact_row){.id = ROW_IDLE, .kernel = 20 * k * ms});
    dump_end_frame(d, &w);
}

static inline struct wire_snapshot dump_snapshot_of(uint64_t epoch, uint64_t serial, bool final,
                                                    uint64_t k)
{
    uint64_t tau = 116 * k * 1000000;

    return (struct wire_snapshot){
        .epoch = epoch, .serial = serial, .cells = 2, .exacts = 1, .final = final,
        .ticks = DUMP_SAMPLES(k), .samples = DUMP_SAMPLES(k), .late = 2 * k,
        .excess = 4 * k * 1000000, .lateness = 5 * k * 1000000, .missed_source = 1, .lost_table = k,
        .begin = 2000000, .end = 2000000 + tau + 500000 * k, .monitor = 500000 * k,
        .made = 2100000 + tau + 500000 * k, .transitions = 1000 * k,
        .generator = 12345, .intervals = 9943 * DUMP_SAMPLES(k),
        .changes_user = 15 * k, .changes_supervisor = 10 * k, .changes_kernel = 18 * k,
        .changes_interrupt = 5 * k,
    };
}

static inline void dump_snapshot_head(struct dump *d, uint64_t epoch, uint64_t serial,
                                      bool final, uint64_t k)
{
    const struct wire_snapshot head = dump_snapshot_of(epoch, serial, final, k);

    dump_head(d, WIRE_SNAPSHOT, &head);
}

static inline void dump_snapshot(struct dump *d, uint64_t epoch, uint64_t serial, bool final,
                                 uint64_t k)
{
    dump_names(d, epoch);
    dump_snapshot_head(d, epoch, serial, final, k);
    dump_cells(d, epoch, serial, 0, k);
    dump_cells(d, epoch, serial, 1, k);
    dump_exact(d, epoch, serial, k);
}

static inline void dump_end(struct dump *d, uint64_t epoch, uint64_t status,
                            const char *reason)
{
    struct wire_end end = {epoch, status, dump_text(reason)};

    dump_head(d, WIRE_END, &end);
}

static inline void dump_sayings(struct dump *d, uint64_t epoch)
{
    struct wire_text_record text = {.epoch = epoch, .severity = 1, .text = dump_text("the TSC stops in HLT")};
    struct wire_fault fault = {epoch, 5000000, 102, 0, 14, 6, 0x401000, 0x7ffffffff000,
                               dump_text("AU"), dump_text("bad address"), 0};
    struct wire_report report = {epoch, 6000000, 103, 4711, dump_text("JTSEND"), 0};

    dump_head(d, WIRE_TEXT, &text);
    dump_head(d, WIRE_FAULT, &fault);
    dump_head(d, WIRE_REPORT, &report);
}

/* One whole run: three snapshots, of k, 2k and 3k. */
static inline void dump_run(struct dump *d, uint64_t epoch, const char *words, uint64_t k)
{
    d->sequence = 0;
    for (uint64_t serial = 1; serial <= 3; serial++) {
        dump_hello(d, epoch, words);
        if (serial == 2)
            dump_sayings(d, epoch);
        dump_snapshot(d, epoch, serial, serial == 3, serial * k);
    }
    dump_end(d, epoch, 0, "60 seconds are over");
}
