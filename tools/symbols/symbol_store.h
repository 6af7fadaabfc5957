/* SPDX-License-Identifier: MIT */
/*
 * Finds which ELF file is used for a build id: one that the user named, one in a folder that the user named, one
 * in the folder of the running program, or one of the system's debug files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tools/symbols/symbols.h"

struct store_file;

struct symbol_store {
    struct store_file *file; /* all files found, in the order of the search */
    size_t files;
    char **folder; /* folders that the user named */
    size_t folders;
    struct symbols *first; /* symbol_store_first()'s */
    const char *own;       /* tests set it: the folder of the running program; NULL: ask Linux */
    bool searched_own;
    bool quiet; /* what is refused now has been told */
};

void symbol_store_free(struct symbol_store *store); /* closes the files that it returned */

/*
 * Add a file or folder that the user named.  A file is opened at once; on failure false, with the
 * message of symbols_open() on standard error, unless `quiet`.  In a folder, its files, those in its tasks/ and its
 * .build-id/, as in /usr/lib/debug, are searched; files that are not programs are skipped without a
 * message.  False, with a message, if it cannot be read.  Add folders first: a stripped file finds
 * its debug file only in folders added before it.
 */
bool symbol_store_add(struct symbol_store *store, const char *path);

/*
 * The open file of this build id (hexadecimal, small letters, from anywhere); NULL: none has
 * symbols.  Of several, the first that has code and symbols is used; code and symbols in two files
 * are combined.  It stays open, and the pointer valid, as long as the store.
 */
struct symbols *symbol_store_by_build(struct symbol_store *store, const char *build);

/*
 * The first file that the user named (not a folder), with any build id, so that the caller can warn
 * if it is not the one that ran; NULL: none.
 */
struct symbols *symbol_store_first(const struct symbol_store *store);
