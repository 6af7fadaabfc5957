/* SPDX-License-Identifier: MIT */
/*
 * Functions by address, from the symbol tables of ELF files: the image's kernel
 * and the programs of its tasks.
 */
#ifndef TOOLS_SYMBOLS_H
#define TOOLS_SYMBOLS_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
    uint64_t start, end; /* [start, end) */
    const char *name;    /* as the file spells it; lives as long as the file is open */
    size_t outer;        /* the function around this one, or SYMBOL_NONE */
    unsigned rank;       /* which of two names of one address is taken: the higher */
};

#define SYMBOL_NONE SIZE_MAX

/* One file.  It stays open: names point into it, and so will lines and inlined functions. */
struct symbols {
    const char *path; /* the caller's */
    int file;
    Elf *elf;
    struct symbol *symbol; /* by address, no two at one */
    size_t count;
    char *build; /* build id, hexadecimal; NULL: the file has none */
};

/*
 * Index the functions of the file.  False, with a sentence on standard error
 * and nothing to close, where it has none that could be read.
 */
bool symbols_open(struct symbols *s, const char *path);
void symbols_close(struct symbols *s);

/* The function at `address`, the innermost of nested ones; NULL: none. */
const struct symbol *symbols_find(const struct symbols *s, uint64_t address);

/* The file is a kernel: linked in the upper half of the address space. */
bool symbols_is_kernel(const struct symbols *s);

/* Several files that are asked together. */
struct symbol_set {
    struct symbols *file;
    size_t files;
};

bool symbol_set_add(struct symbol_set *set, const char *path);
void symbol_set_free(struct symbol_set *set);

/*
 * `name+0x12`, for the caller to free; NULL where no file has a function there.
 * Programs of two tasks may hold the same address, and nobody knows which is
 * meant: `one+0x12 or two+0x3`.
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

#endif
