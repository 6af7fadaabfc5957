/* SPDX-License-Identifier: MIT */
/*
 * Writes the files that a command makes: each is in a temporary folder beside PATH until it is whole, so that an
 * older one stays as it is where a write fails; what a process that was killed has left there goes with the next
 * one.  What is no regular file (a terminal, a pipe) is written as it is.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Have `write` fill the file at `path`, "-": standard output; an older file is replaced.  False, with a message. */
bool output_to_file(const char *path, bool (*write)(const void *what, FILE *out), const void *what);

/* The same for a folder, which must not exist or be empty. */
bool output_to_folder(const char *path, bool (*write)(const void *what, const char *folder), const void *what);
