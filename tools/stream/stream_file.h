/* SPDX-License-Identifier: MIT */
/*
 * The file that a stream is kept in: no other dump is lost for it.  What exists is
 * kept unless its replacement was asked for, and then until the first byte comes;
 * the file is locked against other writers.
 */
#ifndef TOOLS_STREAM_STREAM_FILE_H
#define TOOLS_STREAM_STREAM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream_file {
    const char *name; /* the caller's */
    int file;
    bool replaces; /* its old content goes with the first write */
};

/*
 * Open `name` ("-": standard output) for what comes from the port `from`; opened
 * before the port, whose other end may begin to run once somebody is there.  False,
 * with a sentence, where it is the port itself, holds something and `force` is not
 * given, is being written by another recorder, is a FIFO without a reader for 10 s,
 * or cannot be written.
 */
bool stream_file_open(struct stream_file *f, const char *name, const char *from, bool force);

/*
 * Write all of it.  A reader of a pipe may pause for as long as it likes: `stop`, where
 * not NULL, is asked five times a second whether to wait on.  False where something
 * was not written, with a sentence unless `stop` said so.
 */
bool stream_file_write(struct stream_file *f, const uint8_t *bytes, size_t length,
                       bool (*stop)(void *context), void *context);

/* False, with a sentence, where what was written could not be kept. */
bool stream_file_close(struct stream_file *f);

#endif
