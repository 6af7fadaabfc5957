/* SPDX-License-Identifier: MIT */
/* Opens ELF files and says what they hold; only the requested parts of a file are read. */
#include "tools/symbols/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/coding/loaded_hash.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"

/*
 * Whether symbols, strings or debug information, which are read as a whole, have a hole: no linker
 * makes one, and a gigabyte of hole takes no space on the disk.
 */
static bool has_hole(const struct elf_table *t)
{
    for (size_t i = 1; i < t->sections; i++) {
        const struct elf_section *const s = &t->section[i];
        off_t hole;

        if (s->flags & SHF_ALLOC || !s->size || s->type == SHT_NOBITS || s->offset >= t->size)
            continue;
        hole = lseek(t->file, (off_t)s->offset, SEEK_HOLE);
        if (hole >= 0 && (uint64_t)hole < t->size && (uint64_t)hole - s->offset < s->size)
            return true;
    }
    return false;
}

/* NULL if what was read is that of a complete program, of any CPU, else a description of what it is. */
static const char *misfit(const struct elf_table *t)
{
    if (has_hole(t))
        return "has holes in its sections, which no linker makes";
    if (t->type == ET_REL)
        return "is not linked: its addresses are not those of a program";
    return NULL;
}

bool elf_file_open(struct elf_file *f, const char *path, const char **why)
{
    struct stat status;
    int file;

    *why = NULL;
    *f = (struct elf_file){.open = false};
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a pipe must not wait for its writer */
    if (file < 0)
        return false;
    if (!fstat(file, &status) && S_ISREG(status.st_mode))
        *why = elf_table_read(&f->table, file, (uint64_t)status.st_size);
    else
        *why = "is no ELF file";
    f->open = !*why;
    if (f->open)
        *why = misfit(&f->table);
    if (*why && f->open)
        elf_file_close(f);
    else if (*why)
        close(file);
    return !*why;
}

void elf_file_close(struct elf_file *f)
{
    close(f->table.file);
    elf_table_free(&f->table);
    f->open = false;
}

void elf_file_refuse(const char *path, const char *why)
{
    if (why)
        cli_error("%s %s", path, why);
    else
        cli_error("%s: %s", path, strerror(errno));
}

char *elf_file_build(const struct elf_file *f)
{
    size_t length;
    uint8_t *const id = elf_table_build(&f->table, &length);
    char *hex;

    if (!id)
        return NULL;
    hex = xrealloc_array(NULL, 2 * length + 1, 1);
    for (size_t i = 0; i < length; i++)
        sprintf(hex + 2 * i, "%02x", id[i]);
    free(id);
    return hex;
}

#define LOADED_MOST ((uint64_t)1 << 30) /* bytes: a file with holes is longer than what it takes to make */

/* Go on with a segment.  False where it cannot be read. */
static bool hash_segment(const struct elf_table *t, const struct elf_segment *segment, uint64_t *hash)
{
    const uint64_t skips = loaded_hash_skips(segment->offset, segment->bytes);
    const uint64_t length = segment->bytes - skips;
    uint8_t *bytes;

    if (segment->type != PT_LOAD || !length)
        return true;
    if (length > LOADED_MOST)
        return false;
    bytes = elf_table_bytes(t, segment->offset + skips, length);
    if (bytes)
        *hash = loaded_hash(*hash, bytes, length);
    free(bytes);
    return bytes;
}

static char *loaded_id(const struct elf_table *t)
{
    uint64_t hash = LOADED_HASH_NONE;

    for (size_t i = 0; i < t->segments; i++)
        if (!hash_segment(t, &t->segment[i], &hash))
            return NULL;
    return hash == LOADED_HASH_NONE ? NULL : xasprintf("%s%0*" PRIx64, LOADED_HASH_PREFIX, LOADED_HASH_DIGITS, hash);
}

char *elf_file_id(const struct elf_file *f)
{
    char *const build = elf_file_build(f);

    return build ? build : loaded_id(&f->table);
}

bool elf_id_is_build(const char *id)
{
    return strncmp(id, LOADED_HASH_PREFIX, strlen(LOADED_HASH_PREFIX)) != 0;
}

uint64_t elf_file_end(uint64_t address, uint64_t size, uint64_t limit)
{
    return size < limit - address ? address + size : limit;
}

bool elf_file_is_code(const struct elf_section *section)
{
    return (section->flags & (SHF_ALLOC | SHF_EXECINSTR)) == (SHF_ALLOC | SHF_EXECINSTR);
}

bool elf_file_has_symbols(const struct elf_file *f)
{
    return elf_table_find(&f->table, SHT_SYMTAB, NULL);
}

bool elf_file_has_code(const struct elf_file *f)
{
    for (size_t i = 1; i < f->table.sections; i++) {
        const struct elf_section *const s = &f->table.section[i];

        if (elf_file_is_code(s) && s->type != SHT_NOBITS && s->size)
            return true;
    }
    return false;
}

bool elf_file_has_dwarf(const struct elf_file *f)
{
    for (size_t i = 1; i < f->table.sections; i++) {
        const struct elf_section *const s = &f->table.section[i];
        const char *const name = elf_table_name(&f->table, s);

        if (name && s->type != SHT_NOBITS && (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
            return true;
    }
    return false;
}
