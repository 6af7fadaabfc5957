/* SPDX-License-Identifier: MIT */
/*
 * Writes the file for a stream, without loss of another dump.  An existing file is kept unless its replacement
 * was requested, and then until the first byte comes.  The file is locked against other writers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
