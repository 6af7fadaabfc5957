/* SPDX-License-Identifier: MIT */
/*
 * Opens ELF files by libelf, which checks each offset and size itself; only the requested parts of
 * a file are read.
 */
#include "tools/symbols/elf_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/coding/loaded_hash.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"

/* The section headers are at the end of most files, so a file that was cut lacks them. */
static bool is_cut(const GElf_Ehdr *header, uint64_t size)
{
    return header->e_shoff > size ||
           (uint64_t)header->e_shnum * header->e_shentsize > size - header->e_shoff;
}

/*
 * Whether symbols, strings or debug information, which are read as a whole, have a hole: no linker
 * makes one, and a gigabyte of hole takes no space on the disk.
 */
static bool has_hole(const struct elf_file *f)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = elf_nextscn(f->elf, section))) {
        off_t hole;

        if (!gelf_getshdr(section, &header) || header.sh_flags & SHF_ALLOC || !header.sh_size ||
            header.sh_type == SHT_NOBITS || header.sh_offset >= f->size)
            continue;
        hole = lseek(f->file, (off_t)header.sh_offset, SEEK_HOLE);
        if (hole >= 0 && (uint64_t)hole < f->size && (uint64_t)hole - header.sh_offset < header.sh_size)
            return true;
    }
    return false;
}

/* NULL if it is a complete program, of any CPU, else a description of what it is. */
static const char *misfit(const struct elf_file *f)
{
    char ident[SELFMAG] = "";
    GElf_Ehdr header;

    if (pread(f->file, ident, sizeof(ident), 0) < SELFMAG || memcmp(ident, ELFMAG, SELFMAG))
        return "is no ELF file";
    if (elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &header))
        return f->size < sizeof(Elf64_Ehdr) ? "is cut short" : "is a damaged ELF file";
    if (is_cut(&header, f->size))
        return "is cut short";
    if (has_hole(f))
        return "has holes in its sections, which no linker makes";
    if (header.e_type == ET_REL)
        return "is not linked: its addresses are not those of a program";
    return NULL;
}

bool elf_file_open(struct elf_file *f, const char *path, const char **why)
{
    struct stat status;

    *why = NULL;
    /* Opening a pipe must not wait for its writer; it is refused later. */
    *f = (struct elf_file){.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (f->file < 0)
        return false;
    if (!fstat(f->file, &status) && S_ISREG(status.st_mode)) {
        elf_version(EV_CURRENT);
        f->elf = elf_begin(f->file, ELF_C_READ, NULL);
        f->size = (uint64_t)status.st_size;
        *why = misfit(f);
    } else {
        *why = "is no ELF file";
    }
    if (*why)
        elf_file_close(f);
    return !*why;
}

void elf_file_close(struct elf_file *f)
{
    elf_end(f->elf);
    close(f->file);
    f->elf = NULL;
}

void elf_file_refuse(const char *path, const char *why)
{
    if (why)
        cli_error("%s %s", path, why);
    else
        cli_error("%s: %s", path, strerror(errno));
}

char *elf_file_build(Elf *elf)
{
    const void *id;
    ssize_t length = dwelf_elf_gnu_build_id(elf, &id);
    char *hex;

    if (length <= 0)
        return NULL;
    hex = xrealloc_array(NULL, 2 * (size_t)length + 1, 1);
    for (ssize_t i = 0; i < length; i++)
        sprintf(hex + 2 * i, "%02x", ((const unsigned char *)id)[i]);
    return hex;
}

#define LOADED_MOST ((uint64_t)1 << 30) /* bytes: a file with holes is longer than what it takes to make */

/* Go on with a segment.  False where it cannot be read. */
static bool hash_segment(Elf *elf, const GElf_Phdr *segment, uint64_t *hash)
{
    const uint64_t skips = loaded_hash_skips(segment->p_offset, segment->p_filesz);
    const uint64_t length = segment->p_filesz - skips;
    Elf_Data *data;

    if (segment->p_type != PT_LOAD || !length)
        return true;
    if (length > LOADED_MOST)
        return false;
    data = elf_getdata_rawchunk(elf, (int64_t)(segment->p_offset + skips), length, ELF_T_BYTE);
    if (data)
        *hash = loaded_hash(*hash, data->d_buf, length);
    return data;
}

static char *loaded_id(Elf *elf)
{
    uint64_t hash = LOADED_HASH_NONE;
    size_t segments;
    GElf_Phdr segment;
    char *id;

    if (elf_getphdrnum(elf, &segments))
        return NULL;
    for (size_t i = 0; i < segments; i++)
        if (!gelf_getphdr(elf, (int)i, &segment) || !hash_segment(elf, &segment, &hash))
            return NULL;
    if (hash == LOADED_HASH_NONE || asprintf(&id, "%s%0*" PRIx64, LOADED_HASH_PREFIX, LOADED_HASH_DIGITS, hash) < 0)
        return NULL;
    return id;
}

char *elf_file_id(Elf *elf)
{
    char *const build = elf_file_build(elf);

    return build ? build : loaded_id(elf);
}

bool elf_id_is_build(const char *id)
{
    return strncmp(id, LOADED_HASH_PREFIX, strlen(LOADED_HASH_PREFIX)) != 0;
}

uint64_t elf_file_end(uint64_t address, uint64_t size, uint64_t limit)
{
    return size < limit - address ? address + size : limit;
}

bool elf_file_is_code(const GElf_Shdr *section)
{
    return (section->sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) == (SHF_ALLOC | SHF_EXECINSTR);
}

Elf_Scn *elf_file_symbol_table(Elf *elf, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;

    while ((section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, header) && header->sh_type == SHT_SYMTAB)
            return section;
    return NULL;
}

bool elf_file_has_code(Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, &header) && elf_file_is_code(&header) &&
            header.sh_type != SHT_NOBITS && header.sh_size)
            return true;
    return false;
}

Elf_Scn *elf_file_next(Elf *elf, Elf_Scn *section, GElf_Shdr *header, const char **name)
{
    size_t strings;

    if (elf_getshdrstrndx(elf, &strings))
        return NULL;
    section = elf_nextscn(elf, section);
    *name = section && gelf_getshdr(section, header) ? elf_strptr(elf, strings, header->sh_name) : NULL;
    return section;
}

bool elf_file_has_dwarf(Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    const char *name;

    while ((section = elf_file_next(elf, section, &header, &name)))
        if (name && header.sh_type != SHT_NOBITS && (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
            return true;
    return false;
}
