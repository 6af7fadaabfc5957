/* SPDX-License-Identifier: MIT */
/*
 * Watches a line without an end: the port, which may go and come back, the frames, and the last table.  Whatever the
 * board does is counted, and ends nothing.  Memory is bounded: the model of a stream grows, so after MODEL_SNAPSHOTS
 * of them another one is begun beside it and takes its place with the first table.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/archive/stream_preface.h"
#include "tools/model/stream_model.h"
#include "tools/stream/boot_watch.h"
#include "tools/stream/frame_decoder.h"

struct line_watch {
    const char *port;   /* the caller's */
    char *name;         /* last part of its path, printable */
    unsigned long baud;
    /* what came, in whole stretches where there are frames */
    void (*bytes)(void *context, const uint8_t *bytes, size_t length);
    void (*event)(void *context, const struct stream_event *event);        /* behind the bytes that end it */
    void *context;

    /* the rest may be read */
    int in;                  /* -1: the port is away */
    bool more;               /* the last turn left bytes, perhaps */
    struct frame_decoder stream;
    struct stream_preface preface;
    double retry, heard;     /* monotonic_seconds(): of the next attempt to open it, of the last byte */
    uint64_t opened, hangups; /* how often the port came and went */
    uint64_t boots;          /* of the board */
    uint64_t ends;           /* runs that ended */

    /* private to line_watch.c */
    struct model *model, *next;
    struct boot_watch boot;
};

/* Begin; the caller sets the first members, all others are zero. */
void line_watch_begin(struct line_watch *l);

/* Open the port if that is due, and take what came, as much as a turn has time for.  Never waits. */
void line_watch_serve(struct line_watch *l);

/* Write to the board; false if the port is away or does not take it all at once. */
bool line_watch_write(struct line_watch *l, const uint8_t *bytes, size_t length);

/* The newest epoch with a table, its rows named; NULL: none yet. */
struct epoch *line_watch_epoch(struct line_watch *l);

/* The same of any model, its rows not named. */
struct epoch *line_watch_newest(const struct model *m);

/* The model that this epoch is of; it changes with the next byte that is taken. */
const struct model *line_watch_model(const struct line_watch *l);

void line_watch_end(struct line_watch *l);
