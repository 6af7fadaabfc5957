/* SPDX-License-Identifier: MIT */
/*
 * Reads names from ELF files, or from a table as `nm` prints it ("ADDRESS KIND NAME" a line), and finds addresses
 * by them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name {
    uint64_t address, size; /* size 0: not told */
    char *text;
    bool code;
};

struct names {
    struct name *name; /* sorted by address once names_sort() was called */
    size_t count;
    char *build; /* build id of the first ELF file, hexadecimal; NULL: none */
};

/* Add a file's names.  False, with a message on standard error, if it cannot be read. */
bool names_add_elf(struct names *n, const char *path);
bool names_add_table(struct names *n, const char *path);
void names_sort(struct names *n);

/*
 * The address that `text` says: 0x1234, NAME, or NAME+0x10.  What a compiler put behind a name
 * (.lto_priv.0, .isra.1, .constprop.0, .part.2) may be left out.  False: there is no such name.
 */
bool names_address(const struct names *n, const char *text, uint64_t *address);

/* The name of the code at an address, the nearest one before it; NULL: none. */
const struct name *names_code_at(const struct names *n, uint64_t address);

/* Where the code of names[i] ends: by its size, else at the next name of code. */
uint64_t names_end(const struct names *n, size_t i);

/* A guest's table of entry stubs, one a vector, from vector 0 on: the address of an entry tells its vector. */

struct stubs {
    uint64_t first;
    uint64_t bytes; /* of a stub; 0: there is no table */
};

/* ADDRESS:BYTES.  NULL, or what is wrong with it. */
const char *stubs_set(struct stubs *s, const struct names *names, const char *text);

/* The vector of the stub that begins at this address, plus 1; 0: none does. */
unsigned stubs_vector(const struct stubs *s, uint64_t address);
