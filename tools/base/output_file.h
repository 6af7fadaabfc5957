/* SPDX-License-Identifier: MIT */
/*
 * Writes the files that a command makes: each has another name, PATH.XXXXXX, until it is whole, so that an older one
 * stays as it is where a write fails; what is no regular file (a terminal, a pipe) is written as it is.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Have `write` fill the file at `path`, "-": standard output; an older file is replaced.  False, with a message. */
bool output_to_file(const char *path, bool (*write)(const void *what, FILE *out), const void *what);

/* The same for a folder, which must not exist or be empty. */
bool output_to_folder(const char *path, bool (*write)(const void *what, const char *folder), const void *what);

/* Finds the files that were built or installed with this program, wherever that is. */

/*
 * The path of a readable file `name`, for the caller to free: in the folder `installed`, else in `built`, both as
 * seen from the folder of this program.  NULL: it is in neither.  Host.
 */
char *own_file(const char *installed, const char *built, const char *name);
