/* SPDX-License-Identifier: MIT */
/*
 * Which ELF file is used for a build id: one that the user named, one in a
 * folder that the user named, one in the folder of the running program, or one of the
 * system's debug files.
 */
#ifndef TOOLS_SYMBOLS_SYMBOL_STORE_H
#define TOOLS_SYMBOLS_SYMBOL_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/symbols/symbols.h"

struct store_file;

struct symbol_store {
    struct store_file *file; /* all that were found, in the order of the search */
    size_t files;
    char **folder; /* those that the user named */
    size_t folders;
    struct symbols *first; /* symbol_store_first()'s */
    const char *own;       /* tests set it: the folder of the running program; NULL: ask Linux */
    bool searched_own;
};

void symbol_store_init(struct symbol_store *store);
void symbol_store_free(struct symbol_store *store); /* what it gave out is closed */

/*
 * Add what the user named.  A file is opened at once; where that fails the
 * result is false and a sentence is on standard error, as symbols_open() says
 * it.  Of a folder the files in it and in its tasks/ are searched, and its
 * .build-id/ like that of /usr/lib/debug; files in it that are no programs are
 * passed over in silence.  False with a sentence where it cannot be read.
 * Folders go first: a stripped file finds its debug file in those that were
 * added before it.
 */
bool symbol_store_add(struct symbol_store *store, const char *path);

/*
 * The open file of this build id (hexadecimal, small letters, from anywhere);
 * NULL: none has symbols.  Of several the first that has code and symbols is
 * taken; code and symbols in two files make one.  It stays open, and the
 * pointer good, as long as the store.
 */
const struct symbols *symbol_store_by_build(struct symbol_store *store, const char *build);

/*
 * The first file that the user named (not a folder), whatever its build id, so
 * that the caller warns where it is not the one that ran; NULL: none.
 */
struct symbols *symbol_store_first(const struct symbol_store *store);

#endif
