/* SPDX-License-Identifier: MIT */
/* Serves the line or the file from which a live view gets its run, and has the image run commands. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/live/live_run.h"
#include "tools/stream/stream_source.h"
#include "tools/talk/command_client.h"

#define LIVE_COMMANDS 8 /* that may wait for the one before */

struct live_link {
    struct command_client client; /* port, baud and timeout are the caller's */
    struct live_run *run;    /* the caller's: gets the events */
    struct live_samples *samples; /* the caller's: gets them too; NULL: none */
    bool is_file, follows;   /* `follows` is the caller's: a pipe's or file's end is not the view's */

    /* the rest is private to live_link.c, but may be read */
    struct stream_source file;
    struct frame_decoder decoder; /* of a file */
    bool at_end;             /* of a file: nothing more now */
    bool attached, attaching; /* which boot listens is known, or asked for */
    bool gone;               /* the line ended */
    double heard, reopen;    /* wall clock of the last bytes; when the line is opened again, s */
    uint64_t bytes;          /* that `heard` is of */
    unsigned long reopened;  /* how often that was done */
    unsigned waiting;        /* commands that wait */
    char command[LIVE_COMMANDS][COMMAND_LINE];
    char answer[LIVE_TEXT];  /* the last one, or why there is none */
};

/* Open client.port.  False, with a message. */
bool live_link_open(struct live_link *l);
void live_link_close(struct live_link *l);

/* Read for `ms` milliseconds at most, and do what is due.  True: a snapshot came. */
bool live_link_serve(struct live_link *l, int ms);

/*
 * Have the image run a command, after those that wait; false, with the reason in `answer`,
 * for a file or if too many wait.
 */
bool live_link_command(struct live_link *l, const char *line);

/* Type "output frames", as a person would at an open shell. */
void live_link_to_frames(struct live_link *l);

/* Ask anew which boot listens. */
void live_link_attach(struct live_link *l);

const struct stream_stats *live_link_stats(const struct live_link *l);

/*
 * What the line is doing, as a part of a sentence: "live", "silent for 12 s", "the line ended,
 * opened again each second".
 */
void live_link_state(const struct live_link *l, char to[LIVE_TEXT]);
