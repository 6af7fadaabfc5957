/* SPDX-License-Identifier: MIT */
/*
 * The files that a report takes names from: those that the user named, and
 * those that are found by the build ids of the run.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tools/base/option_rows.h"
#include "tools/model/stream_model.h"
#include "tools/symbols/code_files.h"
#include "tools/symbols/symbol_store.h"

struct named_file {
    const char *path; /* the caller's */
    char *build;      /* NULL: it has none */
};

struct symbol_resolver {
    struct symbol_store store;
    struct named_file *named; /* files, not folders */
    size_t nameds;
    struct code_files symbols; /* after resolver_choose() */
    struct disassembly code[2];
    const struct epoch *epoch; /* of the last choice */
    bool whole;
};

void resolver_init(struct symbol_resolver *n);
void resolver_free(struct symbol_resolver *n);

/*
 * Add a file or a folder that the user named.  A stripped file without its debug
 * file gives a warning and no error.  False, with a message, if it cannot be read.
 */
bool resolver_add(struct symbol_resolver *n, const char *path);

/* The same for an option; the program ends where it cannot be read.  The row --symbols, to a member or by a call. */
void resolver_take(void *naming, char *path, struct argp_state *state);
#define RESOLVER_SYMBOLS(member) RESOLVER_SYMBOLS_BY(CALL_AT(resolver_take, member))
#define RESOLVER_SYMBOLS_BY(...) \
    {"symbols", 's', "FILE|DIR", "take names from this file or folder; may be repeated", __VA_ARGS__}

/* Choose for a task of an epoch, one after another; names from before live as long as their file stays chosen. */
void resolver_use(struct symbol_resolver *n, const struct epoch *e, uint32_t task, bool whole);

/* Warn of each named file that is not among those that ran; false if there are such. */
bool resolver_warn_foreign(const struct symbol_resolver *n, const struct epoch *e);

/*
 * Both of these: choose for a task of an epoch; `whole`: its lines, inlined functions and instructions too.
 * False, with a warning for each, if named files are not among those that ran; the first of these
 * is used nevertheless if there is nothing better.
 */
bool resolver_choose(struct symbol_resolver *n, const struct epoch *e, uint32_t task, bool whole);

/* Warn if no file names the code that a task runs in this mode.  After resolver_choose(). */
void resolver_warn_unnamed(const struct symbol_resolver *n, const struct epoch *e, uint32_t task,
                           enum mode mode);
