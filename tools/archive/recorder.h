/* SPDX-License-Identifier: MIT */
/*
 * Keeps the bytes of a line unchanged until the image reports the end of its run, in one file or in several, also
 * from an emulator that runs the image meanwhile.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/archive/stream_preface.h"
#include "tools/stream/arrival_times.h"
#include "tools/stream/stream_file.h"

/*
 * Where a recorder puts a stream: one file, or one after another with numbers, FILE-0001 and so on
 * (before the suffix: run.dump, run-0001.dump), each of which can be read alone; with the times of
 * arrival beside each if asked.
 */
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

/*
 * An emulator that runs the image for as long as a recording lasts: QEMU, with the image that was built or installed
 * with this program and the stream's line as a unix socket.
 */
struct emulator_run {
    char *folder, *line; /* temporary, and the socket in it */
    pid_t pid;           /* of QEMU; 0: none */
};

/*
 * Start it.  `arguments` are configuration words, and from the first that begins with '-' on arguments of QEMU;
 * double quotes keep some together.  seed=1 and output=frames are added unless the words have others.  False, with a
 * message, if it cannot be started or ends before its line is there.
 */
bool emulator_start(struct emulator_run *e, const char *arguments);

/*
 * Wait for its end, for some seconds if `ended`, else end it.  0: the run was complete;
 * else its exit status, never 0.
 */
int emulator_finish(struct emulator_run *e, bool ended);

struct record_options {
    const char *port, *file;
    unsigned long baud, seconds, timeout; /* as of the options of `cpuprobe record` */
    unsigned long reopen; /* seconds to wait for a port that is away; 0: not */
    bool progress, force, times;
    uint64_t part_bytes;  /* begin another file after so many, or so long, s; 0: one file */
    double part_seconds;
};

/*
 * Record until END, silence, a signal or an end of the port; messages tell what went wrong.  The exit
 * status; `*ended`: END came.  interrupt_watch() was called.
 */
int record_stream(const struct record_options *o, bool *ended);
