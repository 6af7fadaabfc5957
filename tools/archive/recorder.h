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

#include "probe/config/config.h"
#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"
#include "tools/stream/stream_reader.h"

/*
 * What a part of a stream needs in front of it to be read alone: who sends (HELLO), its programs,
 * its names and health, what the indexes of raw samples and events mean, and the last whole
 * snapshots, to which deltas refer.  The frames are those
 * that came, with new numbers, so that the first frame behind them follows without a gap.  Host.
 */

#define PREFACE_MOST (4u << 20) /* bytes of frames that are kept; the dictionaries of an epoch take a tenth of it */

struct preface_frame {
    uint8_t type;
    uint64_t epoch;
    uint64_t serial; /* of a part of a snapshot; else 0 */
    size_t length;
    uint8_t *fields; /* NULL: the frame was dropped */
};

struct stream_preface {
    struct preface_frame *frame;
    size_t slots;         /* in use, those of dropped frames among them */
    size_t frames, bytes; /* that are kept */
    struct index frame_of; /* by what a later frame has in common with it where it takes its place */
    uint64_t part_epoch, part_serial; /* of the part of a snapshot that came last */
    uint64_t epoch[2];  /* whose HELLO came last, and before: two sources send in turns */
    uint64_t left_out;  /* frames that had no room */
    uint16_t next;      /* sequence number after the last frame that came */
};

/* All zeros at first.  Take an event of the stream: keep its frame if it belongs to the preface. */
void preface_add_event(struct stream_preface *p, const struct stream_event *event);

/* A record as the frame that came, with its zeros; the bytes of it. */
size_t preface_encode(const struct wire_reader *record, uint8_t out[WIRE_FRAME_MAX]);

/* Hand over the frames, encoded, one after the other; false as soon as `write` returns false. */
bool preface_write(const struct stream_preface *p, bool (*write)(void *context, const uint8_t *bytes, size_t length),
                   void *context);

void preface_free(struct stream_preface *p);

/* A model of a stream that begins anew: it knows who sends, the names, and the last whole snapshot.  Host. */

/* Give `m`, which the caller has initialised, the records of the preface. */
void preface_fill_model(const struct stream_preface *p, struct model *m);

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

/*
 * One recording of an archive in short.  A recording may be large: its head and its tail are read,
 * which have the words, the last table and the end of the run; a damaged stretch between them is not
 * seen.  Host.
 */

/*
 * How much faster a board's clock runs than the host's, from the times that the board sent and the
 * times at which they arrived.
 *
 * A message is never early and often late, by queues on the way, by a host that was busy.  So only
 * the least delayed messages tell of the clocks: the run is cut into 10 to 30 blocks, in each the
 * message with the least delay is taken, and a line is fitted through these by least squares.  What
 * is least depends on the line, so this is done three times.  The interval is Student's, from how
 * far the blocks are off the line: least delays of equal blocks are alike and, but for a delay that
 * grows or shrinks over the whole run, independent.  A delay that changes so cannot be told from
 * drift.
 */

#define DRIFT_MOMENTS 4096 /* that are kept; of more, the less delayed of two neighbours */
#define DRIFT_LEAST   30   /* fewer moments tell no interval */

struct clock_moment {
    double board, host; /* s, each by its own clock */
};

struct clock_drift {
    struct clock_moment moment[DRIFT_MOMENTS], pending; /* `pending`: the best of the neighbours so far */
    size_t count;
    unsigned each, waiting; /* of how many neighbours one is kept; how many of them came */
};

struct drift_estimate {
    size_t moments, blocks; /* that were used */
    double drift;           /* board over host less 1, parts of one */
    double error;           /* half of the 95 % interval; below 0: too few moments */
};

/* All zeros at first.  A message that was sent at `board` and arrived at `host`; both grow. */
void clock_drift_add(struct clock_drift *d, double board, double host);

struct drift_estimate clock_drift_estimate(const struct clock_drift *d);

/*
 * What the times of arrival beside a recording tell: when it was, gaps, the board's clock against the host's.
 */
struct arrival_summary {
    uint64_t wall;       /* the start, ns since 1970; 0: not told */
    double seconds;      /* to the last byte */
    uint64_t gaps;       /* how often the port was away */
    double away;         /* in all, s */
    uint64_t wrong;      /* lines that could not be used */
    unsigned boots;      /* of the board */
    struct drift_estimate drift; /* of the boot with the most HELLOs */
};

/* Read the recording at `path` and the file beside it.  False: there is none, or the recording cannot be read. */
bool arrival_summarize(const char *path, struct arrival_summary *s);

/* A time, s since 1970, as a date of ISO 8601 in UTC, to the second; it may be before 1970. */
void arrival_date(double seconds, char text[32]);

#define SUMMARY_HEAD (64u << 10)  /* bytes that are read of the head, and of the tail */
/* more than a snapshot and what comes with it each second at 115200 bits a second */
#define SUMMARY_TAIL (256u << 10)

struct dump_summary {
    char *name;            /* of the file in its folder, as it is */
    uint64_t bytes;
    double date;           /* s since 1970, or before it; 0: not known */
    /* the date is when it began to arrive, from FILE.times; else of the last change of the file */
    bool arrived;
    const char *unread;    /* why it could not be read; NULL: it could */
    bool whole;            /* all of it was read */
    uint64_t frames;       /* intact, in what was read */
    uint64_t damaged, missing; /* stretches and frames */
    uint64_t unsure;           /* places where more frames are missing than the sequence tells */
    uint64_t unknown;          /* frames of types that this version does not know */
    bool has_hello, has_snapshot, ended;
    uint64_t status;       /* of END */
    struct config words;   /* of the last HELLO; defaults where there is none or they are not understood */
    bool words_known;
    char build[41], version[16];
    uint64_t clock_hz;
    struct wire_snapshot snapshot; /* the last one */
};

/* Read the file of this name in the open folder.  Never waits for a pipe; what is no file is told in `unread`. */
void dump_summary_read(struct dump_summary *s, int folder, const char *name);
void dump_summary_free(struct dump_summary *s);

/* Length of its window, s; 0: not known. */
double dump_summary_seconds(const struct dump_summary *s);

/* Samples that were taken and not kept, and ticks that the device lost. */
uint64_t dump_summary_losses(const struct dump_summary *s);

/* "complete", or what is wrong with it, at most `size` bytes. */
void dump_summary_state(const struct dump_summary *s, char *text, size_t size);

/* The words that have other values than their defaults, without those that say nothing of what was measured. */
void dump_summary_words(const struct dump_summary *s, char line[CONFIG_LINE]);
