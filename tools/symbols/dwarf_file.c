/* SPDX-License-Identifier: MIT */
/*
 * Damaged input that libdw does not survive.  It unpacks what a section's head says, and
 * makes some hundred bytes of each byte of lines.
 *
 * libdw (seen in 0.188) trusts that a string ends before its section does, and
 * takes an offset for good that is the section's size.  In a damaged file
 * neither holds, so that strings are read from copies that end with a zero.
 */

#include "tools/symbols/dwarf_file.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

/*
 * Limit of the expansion of a compressed section, in bytes per byte.  Compilers' sections expand at
 * most 6 times, zeros in zlib a thousand times.
 */
#define UNPACKED_MOST 32

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2 /* of the ELF specification; elf.h has it since glibc 2.37 */
#endif

struct seal {
    Elf_Data *data;
    void *before; /* the original bytes of libelf */
};

static bool holds_strings(const char *name)
{
    static const char *const names[] = {"debug_str", "debug_line_str", "debug_info",
                                        "debug_types", "debug_line"};

    name += name[0] == '.';
    name += name[0] == 'z'; /* old names of compressed sections have this z */
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static void seal(struct dwarf_file *f, Elf_Data *data)
{
    char *copy;

    if (!data || !data->d_buf || !data->d_size)
        return;
    copy = xrealloc_array(NULL, data->d_size + 1, 1);
    memcpy(copy, data->d_buf, data->d_size);
    copy[data->d_size] = '\0';
    APPEND(f->seal, f->seals, (struct seal){data, data->d_buf});
    data->d_buf = copy; /* libdw will take this section's data from the same place */
}

/* The unpacked size in the head of a compressed section; 0: it is not compressed. */
static uint64_t unpacked(Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
    static const char mark[] = "ZLIB"; /* followed by the size, high byte first */
    GElf_Chdr compressed;
    const uint8_t *head;
    Elf_Data *raw;
    uint64_t size = 0;

    if (header->sh_flags & SHF_COMPRESSED)
        return gelf_getchdr(section, &compressed) ? compressed.ch_size : 0;
    if (strncmp(name, ".zdebug", strlen(".zdebug")))
        return 0;
    raw = elf_rawdata(section, NULL);
    if (!raw || !raw->d_buf || raw->d_size < strlen(mark) + sizeof(size) || memcmp(raw->d_buf, mark, strlen(mark)))
        return 0;
    head = (const uint8_t *)raw->d_buf + strlen(mark);
    for (size_t i = 0; i < sizeof(size); i++)
        size = size << 8 | head[i];
    return size;
}

/* The section after `section` (NULL: the first), its header and its name (NULL: damaged); NULL: no more. */
static Elf_Scn *next_section(Elf *elf, Elf_Scn *section, GElf_Shdr *header, const char **name)
{
    size_t strings;

    if (elf_getshdrstrndx(elf, &strings))
        return NULL;
    section = elf_nextscn(elf, section);
    *name = section && gelf_getshdr(section, header) ? elf_strptr(elf, strings, header->sh_name) : NULL;
    return section;
}

/* Whether the unpacked size of a section is implausible. */
static bool swells(Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    const char *name;

    while ((section = next_section(elf, section, &header, &name))) {
        if (name && unpacked(section, &header, name) / UNPACKED_MOST > header.sh_size)
            return true;
    }
    return false;
}

/* Unpack a compressed section; false where it is of zstd and libelf cannot, as before 0.189 or built without it. */
static bool unpack(Elf_Scn *section)
{
    GElf_Chdr compressed;
    const bool is_zstd = gelf_getchdr(section, &compressed) && compressed.ch_type == ELFCOMPRESS_ZSTD;

    return elf_compress(section, 0, 0) >= 0 || !is_zstd;
}

/* False where a section stays packed. */
static bool seal_all(struct dwarf_file *f, Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    const char *name;
    bool unpacked_all = true;

    while ((section = next_section(elf, section, &header, &name))) {
        if (!name || header.sh_type == SHT_NOBITS || !holds_strings(name))
            continue;
        if (name[1] == 'z')
            elf_compress_gnu(section, 0, 0);
        if (header.sh_flags & SHF_COMPRESSED)
            unpacked_all = unpack(section) && unpacked_all;
        seal(f, elf_getdata(section, NULL));
        if (f->seals && strstr(name, "debug_line") && !strstr(name, "debug_line_")) {
            f->lines = f->seal[f->seals - 1].data->d_buf;
            f->lines_size = f->seal[f->seals - 1].data->d_size;
        }
    }
    return unpacked_all;
}

/* DWARF 5, 7.4: a 32-bit length, or a mark and a 64-bit length. */
size_t dwarf_file_table_end(const struct dwarf_file *f, uint64_t offset)
{
    uint32_t brief;
    uint64_t length, head = sizeof(brief);

    if (!f->lines || offset > f->lines_size || f->lines_size - offset < sizeof(brief) + sizeof(length))
        return SIZE_MAX;
    memcpy(&brief, f->lines + offset, sizeof(brief));
    length = brief;
    if (brief == UINT32_MAX) {
        memcpy(&length, f->lines + offset + head, sizeof(length));
        head += sizeof(length);
    }
    return length <= f->lines_size - offset - head ? (size_t)(offset + head + length) : SIZE_MAX;
}

/* A line table's opcodes: `lengths` the operands of each standard one, from 1, below `base`. */
struct opcodes {
    const unsigned char *at, *end, *lengths;
    unsigned base;
};

/* DWARF 5, 6.2.4; false where the head is not within the table. */
static bool read_head(struct opcodes *o, const unsigned char *at, const unsigned char *end)
{
    const bool wide = end - at > 4 && !memcmp(at, "\xff\xff\xff\xff", 4);
    const unsigned size = wide ? 8 : 4;
    uint64_t length = 0;
    uint16_t version;

    at += wide ? 12 : 4;
    if (end - at < 24)
        return false;
    memcpy(&version, at, sizeof(version));
    at += version >= 5 ? 4 : 2;
    memcpy(&length, at, size);
    at += size;
    if (length > (uint64_t)(end - at))
        return false;
    o->at = at + length;
    o->end = end;
    at += version >= 4 ? 5 : 4;
    o->base = *at++;
    o->lengths = at;
    return o->base && o->base <= end - at;
}

static uint64_t read_leb128(struct opcodes *o)
{
    uint64_t n = 0;

    for (unsigned shift = 0; o->at < o->end; shift += 7) {
        n |= shift < 64 ? (uint64_t)(*o->at & 0x7f) << shift : 0;
        if (!(*o->at++ & 0x80))
            break;
    }
    return n;
}

/* Read one opcode with its operands; returns the rows that it makes. */
static size_t rows_of_opcode(struct opcodes *o)
{
    const unsigned code = *o->at++;

    if (code >= o->base)
        return 1;
    if (!code) { /* libdw ignores the length of opcodes that it knows: each byte could be a row */
        const uint64_t length = read_leb128(o);
        const size_t bytes = length < (uint64_t)(o->end - o->at) ? (size_t)length : (size_t)(o->end - o->at);

        o->at += bytes;
        return bytes;
    }
    if (code == DW_LNS_fixed_advance_pc) {
        o->at += o->end - o->at < 2 ? o->end - o->at : 2;
        return 0;
    }
    for (unsigned i = 0; i < o->lengths[code - 1]; i++)
        read_leb128(o);
    return code == DW_LNS_copy;
}

size_t dwarf_file_table_rows(const struct dwarf_file *f, uint64_t offset, size_t end)
{
    struct opcodes o;
    size_t rows = 0;

    if (!read_head(&o, f->lines + offset, f->lines + end))
        return end - (size_t)offset;
    while (o.at < o.end)
        rows += rows_of_opcode(&o);
    return rows;
}

bool dwarf_file_open(struct dwarf_file *f, int file, const char **why)
{
    elf_version(EV_CURRENT);
    *f = (struct dwarf_file){.elf = elf_begin(file, ELF_C_READ, NULL)};
    *why = NULL;
    if (swells(f->elf))
        *why = "has debug information that is compressed more than any compiler does: it is not read";
    else if (!seal_all(f, f->elf))
        *why = "has debug information that is compressed by zstd, which this build's libelf cannot unpack: "
               "there are no lines";
    else
        f->dwarf = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
    if (!f->dwarf)
        dwarf_file_close(f);
    return f->dwarf;
}

void dwarf_file_close(struct dwarf_file *f)
{
    dwarf_end(f->dwarf);
    while (f->seals) {
        struct seal *s = &f->seal[--f->seals];

        free(s->data->d_buf);
        s->data->d_buf = s->before;
    }
    free(f->seal);
    elf_end(f->elf);
    *f = (struct dwarf_file){0};
}
