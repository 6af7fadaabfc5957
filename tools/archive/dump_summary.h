/* SPDX-License-Identifier: MIT */
/*
 * Tells of one recording of an archive in short.  A recording may be large: its head and its tail are read, which
 * have the words, the last table and the end of the run; a damaged stretch between them is not seen.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/config/config.h"
#include "probe/stream/wire.h"

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
