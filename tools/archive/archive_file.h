/* SPDX-License-Identifier: MIT */
/*
 * Declares where a recorder puts a stream: one file, or one after another with numbers, FILE-0001 and so on
 * (before the suffix: run.dump, run-0001.dump), each of which can be read alone; with the times of arrival beside
 * each if asked.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/archive/stream_preface.h"
#include "tools/stream/arrival_times.h"
#include "tools/stream/frame_decoder.h"
#include "tools/stream/stream_file.h"

struct archive_file {
    /* the caller's, before the begin; `from`: the port, for the check that it is another file */
    const char *name, *from;
    bool force, times;
    uint64_t most_bytes;           /* of a file, 0: no bound */
    double most_seconds;           /* the same */
    bool (*stop)(void *context);   /* asked while the reader of a pipe does not read */
    void *context;

    /* the rest is private to archive_file.c */
    struct stream_file file;
    struct arrival_writer arrivals;
    struct stream_preface preface;
    char *part;         /* name of the file in force, where there are several */
    unsigned parts;     /* files so far */
    uint64_t offset;    /* bytes in this one */
    uint64_t begun;     /* when it was begun, arrival_now() */
};

/* Open the first file.  False, with a message, if it cannot be. */
bool archive_begin(struct archive_file *a);

/* Append bytes that arrived just now.  False, with a message unless `stop` was the reason. */
bool archive_write(struct archive_file *a, const uint8_t *bytes, size_t length);

/*
 * An event has ended with the last byte that was written: note its time, and behind a HELLO, which comes each
 * second, begin another file if that is due.
 */
bool archive_end_event(struct archive_file *a, const struct stream_event *event);

/* The port was away since `from`, by arrival_now(), until now. */
void archive_gap(struct archive_file *a, uint64_t from);

/* False, with a message, if not all could be saved. */
bool archive_end(struct archive_file *a);
