/* SPDX-License-Identifier: MIT */
/*
 * Chooses the files that a report takes names from: those that the user named, and those that are found by the
 * build ids of the run.
 */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stats/snapshot.h"
#include "tools/base/option_rows.h"
#include "tools/model/stream_model.h"
#include "tools/symbols/disassembly.h"
#include "tools/symbols/symbol_store.h"
#include "tools/symbols/symbols.h"

/* Symbols, lines and code of the two ELF files whose code runs: the program of a task, and the image. */

#define UPPER_HALF ((uint64_t)1 << 63) /* of addresses: the image's; the lower half is the program's */

/* Symbols, lines and code of one ELF file.  All may be NULL: then its addresses have no names. */
struct code_file {
    const struct symbols *symbols;
    struct line_table *lines;        /* for lines and inlined functions */
    struct disassembly *disassembly; /* for instructions */
};

/* The function at an address, the innermost of nested ones; NULL: none. */
static inline const struct symbol *code_file_symbol(const struct code_file *file, uint64_t address)
{
    return file->symbols ? symbols_find(file->symbols, address) : NULL;
}

struct code_files {
    struct code_file program, image;
    const struct changed_code *changed; /* NULL: none */
    uint32_t task;        /* row id of the task that they are of */
    char name[NAME_SIZE]; /* its name; empty: not known */
    void (*choose)(void *chooser, uint32_t task); /* makes all of these that task's; NULL: there are no others */
    void *chooser;
};

/* Make them those of another task, where there is a choice. */
static inline void code_files_choose(const struct code_files *files, uint32_t task)
{
    if (files->choose)
        files->choose(files->chooser, task);
}

/* The file that holds `address`; without names where a program had other code there for a part of the run. */
const struct code_file *code_file_at(const struct code_files *files, uint64_t address);

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

void resolver_free(struct symbol_resolver *n);

/*
 * Add a file or a folder that the user named by an option.  A stripped file without its debug file gives a warning
 * and no error; the program ends, with a message, where it cannot be read.  The row --symbols, to a member or by a
 * call.
 */
void resolver_take(void *naming, char *path, struct argp_state *state);
#define RESOLVER_SYMBOLS(member) RESOLVER_SYMBOLS_BY(CALL_AT(resolver_take, member))
#define RESOLVER_SYMBOLS_BY(...) \
    {"symbols", 's', "FILE|DIR", "take names from this file or folder; may be repeated", __VA_ARGS__}

/* Choose for a task of an epoch, one after another; names from before live as long as their file stays chosen. */
void resolver_use(struct symbol_resolver *n, const struct epoch *e, uint32_t task, bool whole);

/* Warn of each named file that did not run here, nor in another run (NULL: none); false if there are such. */
bool resolver_warn_foreign(const struct symbol_resolver *n, const struct epoch *e, const struct epoch *other);

/*
 * Both of these: choose for a task of an epoch; `whole`: its lines, inlined functions and instructions too.
 * False, with a warning for each, if named files are not among those that ran; the first of these
 * is used nevertheless if there is nothing better.
 */
bool resolver_choose(struct symbol_resolver *n, const struct epoch *e, uint32_t task, bool whole);

/* Warn if no file names the code that a task runs in this mode.  After resolver_choose(). */
void resolver_warn_unnamed(const struct symbol_resolver *n, const struct epoch *e, uint32_t task,
                           enum mode mode);
