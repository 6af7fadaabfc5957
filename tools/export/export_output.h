/* SPDX-License-Identifier: MIT */
/* The file or folder of an export: it is there when it is whole, and not before.  Host. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Have `write` fill the file at `path`, "-": standard output; an older file is replaced.  False, with a message. */
bool export_to_file(const char *path, bool (*write)(const void *what, FILE *out), const void *what);

/* The same for a folder, which must not exist or be empty. */
bool export_to_folder(const char *path, bool (*write)(const void *what, const char *folder), const void *what);
