/* SPDX-License-Identifier: MIT */
/*
 * Finds functions by address, from an ELF file and its separate debug file: of the image's kernel and of the
 * programs of its tasks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/range_map.h"
#include "tools/symbols/elf_file.h"

struct symbol {
    uint64_t start, end; /* [start, end) */
    const char *name;    /* as the file spells it; lives as long as the file is open */
    char *shown;         /* symbols_display_name()'s memory; NULL: not asked for yet */
    unsigned rank;       /* of two names of one address, the higher rank is used */
};

/*
 * One file, and its separate debug file where it is stripped.  Both stay open:
 * names point into them, and so do lines, inlined functions and code.
 */
struct symbols {
    const char *path;            /* the caller's */
    uint64_t base;               /* what was added to the addresses of the file: symbols_move() */
    struct elf_file file;        /* the one at `path` */
    struct elf_file debug;       /* not open where none is needed or none was found */
    struct elf_symbols table;    /* of one of them: names point into it */
    struct symbol *symbol;       /* by address, no two at one */
    size_t count;                /* at least 1 */
    struct range_map by_address; /* the index of the innermost function */
    char *build;                 /* elf_file_id(); NULL: the file has none */
};

/*
 * Index the functions of the file.  False, with a message on standard error and nothing to close,
 * if it has no readable ones.
 */
bool symbols_open(struct symbols *s, const char *path);

/*
 * The same without a message: if false, elf_file_refuse(path, *why) prints the reason.  The debug
 * file of a stripped file is also searched in `places`, which may be NULL and is not needed after
 * the return.
 */
bool symbols_open_quietly(struct symbols *s, const char *path, const struct debug_places *places,
                          const char **why);
void symbols_close(struct symbols *s);

/*
 * The program ran at its file's addresses plus `base`, as static-pie does.  Lines and code that were opened before
 * have the addresses of before.  False, and nothing has changed, where it would leave the lower half.
 */
bool symbols_move(struct symbols *s, uint64_t base);

/* The function at `address`, the innermost of nested ones; NULL: none. */
const struct symbol *symbols_find(const struct symbols *s, uint64_t address);

/*
 * The name for people to read: C++ and Rust names decoded, all others as they
 * are.  Lives as long as the file is open; decoded when first asked for.
 */
const char *symbols_display_name(const struct symbol *symbol);

/* The file is a kernel: linked in the upper half of the address space. */
bool symbols_is_kernel(const struct symbols *s);

/* Several files for common look-ups. */
struct symbol_set {
    struct symbols *file;
    size_t files;
};

bool symbol_set_add(struct symbol_set *set, const char *path);
void symbol_set_free(struct symbol_set *set);

/*
 * `name+0x12`, for the caller to free; NULL where no file has a function there.
 * The name is as the file spells it: a decoded one may hold spaces, which would
 * end a field in a line of `script`.  Programs of two tasks may hold the same
 * address, and the text does not say which is meant: `one+0x12 or two+0x3`.
 */
char *symbol_set_name(const struct symbol_set *set, uint64_t address);

/*
 * The text, each address in it that lies in a function followed by
 * ` <name+0x12>`, for the caller to free; *size its bytes.
 */
char *symbol_set_annotate(const struct symbol_set *set, const char *text, size_t length,
                          size_t *size);

/* Warn of each kernel that is not the image of this build id (HELLO's, hexadecimal). */
void symbol_set_compare(const struct symbol_set *set, const char *build);
