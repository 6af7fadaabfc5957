/* SPDX-License-Identifier: MIT */
/*
 * Reads a recorded stream, from a file or from standard input, through the decoder: event by event or as a whole;
 * judges what is lost of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/text/text_buf.h"
#include "tools/base/option_rows.h"
#include "tools/stream/frame_decoder.h"

/*
 * The file for a stream, without loss of another dump.  An existing file is kept unless its
 * replacement was requested, and then until the first byte comes.  The file is locked against other
 * writers.
 */

struct stream_file {
    const char *name; /* the caller's */
    int file;
    bool replaces; /* the first write removes its old content */
};

/*
 * Open `name` ("-": standard output) for the bytes from the port `from`.  Open it before the port,
 * since the other end may start when the port is opened.  False, with a message, if it is the port
 * itself, has contents and `force` is not given, is being written by another recorder, is a FIFO
 * without a reader for 10 s, or cannot be written.
 */
bool stream_file_open(struct stream_file *f, const char *name, const char *from, bool force);

/*
 * Write all of it.  A reader of a pipe may pause without limit: `stop`, if not NULL, is called five
 * times a second and ends the wait by true.  False if not all was written, with a message unless
 * `stop` was the reason.
 */
bool stream_file_write(struct stream_file *f, const uint8_t *bytes, size_t length,
                       bool (*stop)(void *context), void *context);

/* False, with a message, if written bytes could not be saved. */
bool stream_file_close(struct stream_file *f);

/* A pipe can be read once: its bytes go to a file without a name, which can be read again. */

/* Read `from` to its end.  The file, at its begin; below 0, with errno: that failed. */
int stream_copy(int from);

/* Shows the progress of a run, from its records, and of the reading of a recording. */

struct progress {
    bool begun;          /* a HELLO came */
    double began;        /* wall clock of the first HELLO, s */
    uint64_t clock_hz;
    uint64_t seconds, samples_asked; /* the bounds of the run, 0: none */
    uint64_t begin, now; /* of the run, clock units; begin 0: no snapshot yet */
    uint64_t samples;
    double shown; /* wall clock of the last line, s */
};

/* Update from a record.  `wall` is a monotonic clock, s. */
void progress_add_event(struct progress *p, const struct stream_event *event, double wall);

/* Print a line on standard error if one is due; if `last`, always. */
void progress_show(struct progress *p, double wall, bool last);

/* A line on the terminal that tells how far a long recording is read; it goes away when the report comes. */

#define READ_PROGRESS_LINE 80

struct read_progress {
    int terminal;     /* the line goes there; below 0: there is none, and nothing is shown */
    uint64_t size;    /* of the file, bytes; 0: not known, as of a pipe */
    uint64_t read;    /* of it, bytes */
    double began, due; /* monotonic_seconds(): of the begin, and of the next line */
    bool shown;
};

/* Begin to read `file`, an open descriptor at its start.  Nothing is shown in the first second.  Host. */
void read_progress_begin(struct read_progress *p, int file);

/* `bytes` more were read.  Host. */
void read_progress_add(struct read_progress *p, size_t bytes);

/* All is read, or reading was given up: the line is removed.  Host. */
void read_progress_end(struct read_progress *p);

/* The line after `seconds`: a bar, percent and the time that is left where the size is known, else what was read. */
void read_progress_print(const struct read_progress *p, double seconds, char line[READ_PROGRESS_LINE]);

/*
 * When the bytes of a stream arrived, in a text file beside it, FILE.times:
 *
 *   cpuprobe arrival times 1
 *   start WALL             the wall clock at the start, ns since 1970
 *   at OFFSET TIME         the first OFFSET bytes of FILE had arrived by then
 *   gap OFFSET FROM TO     the port was away in between
 *
 * Times are ns of CLOCK_MONOTONIC since the start: adjusted in rate to the time of day where the
 * host keeps that, never set.  A line is written when a frame has ended, a hundred a second at most
 * but for a HELLO, which tells the board's own clock.  A line that is damaged or goes back is
 * counted and ignored.  Host.
 */

struct arrival_writer {
    FILE *out; /* NULL: none */
    char *path;
    uint64_t start, last; /* ns of CLOCK_MONOTONIC */
};

/* ns of CLOCK_MONOTONIC. */
uint64_t arrival_now(void);

/*
 * Begin the file beside `dump`.  False, with a message, if it cannot be written,
 * or has contents and `force` is not set.
 */
bool arrival_begin(struct arrival_writer *w, const char *dump, bool force);

/* `offset` bytes have arrived; `exact`: write it whenever the last line was. */
void arrival_note(struct arrival_writer *w, uint64_t offset, bool exact);

/* The port was away from `from` to `to`, by arrival_now(). */
void arrival_gap(struct arrival_writer *w, uint64_t offset, uint64_t from, uint64_t to);

/* False, with a message, if not all could be written. */
bool arrival_end(struct arrival_writer *w);

struct arrival_reader {
    FILE *in;
    uint64_t wall;         /* of the start, ns since 1970; 0: not told */
    uint64_t offset, time; /* of the line that was read last */
    uint64_t gaps, away;   /* gaps before it, and their time, ns */
    uint64_t breaks, last; /* gaps and silences before it; the offset of the last of these */
    uint64_t wrong;        /* lines that cannot be used */
};

/* The file beside `dump`.  False if there is none, or it does not begin as one does. */
bool arrival_open(struct arrival_reader *r, const char *dump);

/* When the first `offset` bytes had arrived, ns since the start; offsets never go back.  False: it is not told. */
bool arrival_at(struct arrival_reader *r, uint64_t offset, uint64_t *time);

/* The offset behind which the port was away, or silent for DECODER_SILENCE, the next time.  False: no more. */
bool arrival_next_break(struct arrival_reader *r, uint64_t *offset);

/* Read the lines that are left. */
void arrival_finish(struct arrival_reader *r);

void arrival_close(struct arrival_reader *r);

/* A stream that its reader takes event by event: bytes of a file through the frame decoder. */
struct stream_source {
    const char *path; /* the caller's, for messages */
    int file;         /* below 0: it could not be opened */
    struct frame_decoder *decoder; /* the caller's */
    uint8_t bytes[1 << 16];
    size_t at, got;   /* bytes taken by the decoder, and bytes read */
    bool follows;     /* the caller's, after the begin: at the end of the file wait for more, until a signal comes */
    bool ended;       /* the decoder was told that nothing follows */
    struct arrival_reader arrivals; /* of the file beside it, if there is one */
    uint64_t break_at;   /* where the port was away, or silent, the next time; UINT64_MAX: not any more */
    struct read_progress progress; /* shown only if stream_source_show_progress() was called */
    bool failed;      /* it could not be opened or read: a message was printed */
};

/*
 * Begin to read the file at `path`, "-": standard input.  Where the times of arrival beside it tell that the port was
 * away or silent for long, the decoder is told.  False, with a message, if it cannot be
 * opened.
 */
bool stream_source_open(struct stream_source *s, const char *path, struct frame_decoder *decoder);

/* The same of an open file, which stream_source_close() closes too, unless it is standard input. */
void stream_source_begin(struct stream_source *s, const char *path, int file, struct frame_decoder *decoder);

/*
 * Show how far a long reading is, on a terminal, until the end of the file or stream_source_close().
 * After the begin; not for commands that print while they read.
 */
void stream_source_show_progress(struct stream_source *s);

/*
 * The next event; its bytes are valid until the next call.  False at the end of the file.  A refused
 * version and a failed read give a message.
 */
bool stream_source_next(struct stream_source *s, struct stream_event *event);

/*
 * Its parts: read more bytes, false at the end of the file; take an event from these bytes, false
 * if they hold no more; after the end of the file, the event of what stands behind the last zero.
 */
bool stream_source_fill(struct stream_source *s);
bool stream_source_take(struct stream_source *s, struct stream_event *event);
bool stream_source_finish(struct stream_source *s, struct stream_event *event);

void stream_source_close(struct stream_source *s);

/* ---- a recorded stream as a whole ---- */

/* The one FILE of a command line; the input begins with its `const char *`. */
extern const struct argument_row stream_argument;
#define STREAM_MISSING "FILE is missing; '-' is standard input"
#define STREAM_MANY    "only one stream can be read: '%s' is one too many"

/*
 * Decode the file at `path` ("-": standard input) from start to end and pass each event to `take`.
 * A reading of more than a second shows its progress on a terminal.
 * `s->failed`, with a message on standard error, if it cannot be read; earlier events have been passed.
 */
void stream_decode(const char *path, struct frame_decoder *s,
                   void (*take)(void *context, const struct stream_event *event),
                   void *context);

/* The same without progress, for a `take` that prints. */
void stream_decode_quietly(const char *path, struct frame_decoder *s,
                           void (*take)(void *context, const struct stream_event *event),
                           void *context);

/*
 * The contents of a file before its first frame: perhaps a text that the image printed.  The caller
 * frees `bytes`.
 */
struct plain_text {
    char *bytes; /* NULL: none, or too many */
    size_t length, room;
    bool over; /* a frame came, or the text is too long */
};

/* The same, which also keeps the bytes of a stream without any frame in `text`. */
void stream_decode_text(const char *path, struct frame_decoder *s,
                        void (*take)(void *context, const struct stream_event *event),
                        void *context, struct plain_text *text);

/* True, with a message, if a stream cannot be reported: nothing was read, no intact frame, or another version. */
bool stream_has_no_frames(const char *path, const struct frame_decoder *s);

/*
 * Judges by the decoder's counters whether all that was sent arrived and could be read: one verdict for all commands.
 */

/* Whether nothing is damaged, missing or repeated, and every frame is of a type that this version knows. */
bool stream_is_whole(const struct stream_stats *stats);

/* Append how many of the missing frames are TEXT, FAULT, REPORT and OUTPUT, whose numbers tell it; false: none. */
bool stream_lost_put(struct text_buf *b, const struct stream_stats *stats);

/*
 * Print on standard error how many frames of unknown types the stream at `path` has, if any: when it has been read,
 * before anything else is said of it, because what is not found may be in these.
 */
void stream_unknown_print(const char *path, const struct stream_stats *stats);

/* Print what else is lost of it, a sentence a kind; true: it is not whole. */
bool stream_loss_print(const char *path, const struct stream_stats *stats);
