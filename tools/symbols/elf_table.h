/* SPDX-License-Identifier: MIT */
/*
 * Reads what is needed of ELF files to name code, without a library: headers, symbols, notes; of both word lengths
 * and byte orders.  A file may come from anywhere: each offset, size and index is checked against the file.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_section {
    uint32_t name, type, link; /* `name`: an offset in the names of sections */
    uint64_t flags, address, offset, size, align;
};

struct elf_segment {
    uint32_t type, flags;
    uint64_t offset, address, bytes, align; /* `bytes`: in the file */
};

struct elf_table {
    int file;      /* the caller's */
    uint64_t size; /* of the file, bytes */
    bool wide, high_first; /* 64 bits; byte order */
    uint16_t type, machine;
    struct elf_section *section; /* with the first, which is none */
    size_t sections;
    struct elf_segment *segment;
    size_t segments;
    char *names; /* of sections, with a zero behind the last; NULL: none */
    size_t names_size;
};

/* Read the headers of an open file.  NULL, or why that cannot be ("is cut short"), with nothing to free. */
const char *elf_table_read(struct elf_table *t, int file, uint64_t size);
void elf_table_free(struct elf_table *t);

/* The name of a section; NULL: it has none that ends. */
const char *elf_table_name(const struct elf_table *t, const struct elf_section *s);

/* The first section of this type, or of this name, which may be NULL; NULL: none. */
const struct elf_section *elf_table_find(const struct elf_table *t, uint32_t type, const char *name);

/* These bytes of the file and a zero behind them, for the caller to free; NULL: they are not all there. */
uint8_t *elf_table_bytes(const struct elf_table *t, uint64_t offset, uint64_t length);

/* A number of `bytes` bytes in the file's order. */
uint64_t elf_table_number(const struct elf_table *t, const uint8_t *at, unsigned bytes);

/* The build id, *length bytes for the caller to free; NULL: the file has none. */
uint8_t *elf_table_build(const struct elf_table *t, size_t *length);

struct elf_symbol {
    const char *name; /* lives as long as the symbols; NULL: none that ends */
    uint64_t value, size;
    unsigned type, bind, section; /* STT_, STB_, SHN_ of elf.h */
};

/* The symbols of .symtab, which strip removes. */
struct elf_symbols {
    const struct elf_table *of;
    uint8_t *entry;
    size_t count;
    char *names;
    size_t names_size;
};

/* False, with nothing to free, where the table is not whole in the file. */
bool elf_symbols_read(struct elf_symbols *s, const struct elf_table *t);
struct elf_symbol elf_symbols_at(const struct elf_symbols *s, size_t index);

/* May be called twice. */
void elf_symbols_free(struct elf_symbols *s);
