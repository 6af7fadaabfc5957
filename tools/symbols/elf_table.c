/* SPDX-License-Identifier: MIT */
/* Reads ELF structures field by field, by tables of where each field is in files of 32 and of 64 bits. */
#include "tools/symbols/elf_table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/alloc.h"

#define NOTE_HEAD 12 /* three numbers of four bytes */

/* Where a field is, and how long. */
struct place {
    uint8_t at, bytes;
};

#define PLACE(type, field) {offsetof(type, field), sizeof(((type *)0)->field)}
#define BOTH(kind, field)  {PLACE(Elf32_##kind, field), PLACE(Elf64_##kind, field)}
#define FIELD(t, bytes, kind, field) \
    number_of((t), (bytes), (const struct place[2])BOTH(kind, field)[(t)->wide])
#define SIZE_OF(t, kind) ((t)->wide ? sizeof(Elf64_##kind) : sizeof(Elf32_##kind))

uint64_t elf_table_number(const struct elf_table *t, const uint8_t *at, unsigned bytes)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < bytes; i++)
        n |= (uint64_t)at[i] << 8 * (t->high_first ? bytes - 1 - i : i);
    return n;
}

static uint64_t number_of(const struct elf_table *t, const uint8_t *bytes, struct place p)
{
    return elf_table_number(t, bytes + p.at, p.bytes);
}

static bool is_inside(const struct elf_table *t, uint64_t offset, uint64_t length)
{
    return offset <= t->size && length <= t->size - offset;
}

uint8_t *elf_table_bytes(const struct elf_table *t, uint64_t offset, uint64_t length)
{
    uint8_t *bytes;
    ssize_t got = 1;

    if (!is_inside(t, offset, length) || length >= SIZE_MAX)
        return NULL;
    bytes = xrealloc_array(NULL, (size_t)length + 1, 1);
    bytes[length] = 0;
    for (size_t at = 0; at < length; at += (size_t)got) {
        got = pread(t->file, bytes + at, (size_t)length - at, (off_t)(offset + at));
        if (got <= 0) {
            free(bytes);
            return NULL;
        }
    }
    return bytes;
}

/* ---- headers ---- */

static struct elf_section section_of(const struct elf_table *t, const uint8_t *at)
{
    return (struct elf_section){
        .name = (uint32_t)FIELD(t, at, Shdr, sh_name), .type = (uint32_t)FIELD(t, at, Shdr, sh_type),
        .link = (uint32_t)FIELD(t, at, Shdr, sh_link), .flags = FIELD(t, at, Shdr, sh_flags),
        .address = FIELD(t, at, Shdr, sh_addr), .offset = FIELD(t, at, Shdr, sh_offset),
        .size = FIELD(t, at, Shdr, sh_size), .align = FIELD(t, at, Shdr, sh_addralign),
    };
}

static struct elf_segment segment_of(const struct elf_table *t, const uint8_t *at)
{
    return (struct elf_segment){
        .type = (uint32_t)FIELD(t, at, Phdr, p_type), .flags = (uint32_t)FIELD(t, at, Phdr, p_flags),
        .offset = FIELD(t, at, Phdr, p_offset), .address = FIELD(t, at, Phdr, p_vaddr),
        .bytes = FIELD(t, at, Phdr, p_filesz), .align = FIELD(t, at, Phdr, p_align),
    };
}

/* More than fit into the header's field are counted in the first section. */
static uint64_t count_of(const struct elf_table *t, const uint8_t *head, uint64_t told, uint64_t more)
{
    const uint64_t offset = FIELD(t, head, Ehdr, e_shoff);
    uint8_t *first;
    uint64_t count;

    if (told != more || !offset)
        return told;
    first = elf_table_bytes(t, offset, SIZE_OF(t, Shdr));
    if (!first)
        return 0;
    count = more ? FIELD(t, first, Shdr, sh_info) : FIELD(t, first, Shdr, sh_size);
    free(first);
    return count;
}

/* The bytes of a table of headers that is whole; NULL: none. */
static uint8_t *headers(const struct elf_table *t, uint64_t offset, uint64_t each, uint64_t count)
{
    return offset && count && count <= t->size / each ? elf_table_bytes(t, offset, count * each) : NULL;
}

static void read_sections(struct elf_table *t, const uint8_t *head)
{
    const uint64_t count = count_of(t, head, FIELD(t, head, Ehdr, e_shnum), 0);
    uint8_t *const bytes = headers(t, FIELD(t, head, Ehdr, e_shoff), SIZE_OF(t, Shdr), count);

    t->sections = bytes ? (size_t)count : 0;
    t->section = xrealloc_array(NULL, t->sections + 1, sizeof(*t->section));
    for (size_t i = 0; i < t->sections; i++)
        t->section[i] = section_of(t, bytes + i * SIZE_OF(t, Shdr));
    free(bytes);
}

static void read_segments(struct elf_table *t, const uint8_t *head)
{
    const uint64_t count = count_of(t, head, FIELD(t, head, Ehdr, e_phnum), PN_XNUM);
    uint8_t *const bytes = headers(t, FIELD(t, head, Ehdr, e_phoff), SIZE_OF(t, Phdr), count);

    t->segments = bytes ? (size_t)count : 0;
    t->segment = xrealloc_array(NULL, t->segments + 1, sizeof(*t->segment));
    for (size_t i = 0; i < t->segments; i++)
        t->segment[i] = segment_of(t, bytes + i * SIZE_OF(t, Phdr));
    free(bytes);
}

/* The bytes of a section of strings; NULL: it is none. */
static char *strings_of(const struct elf_table *t, uint64_t index, size_t *size)
{
    const struct elf_section *const s = index < t->sections ? &t->section[index] : NULL;
    char *strings = NULL;

    if (index && s && s->type == SHT_STRTAB)
        strings = (char *)elf_table_bytes(t, s->offset, s->size);
    *size = strings ? (size_t)s->size : 0;
    return strings;
}

/* The string at an offset, if it ends before the end of its section. */
static const char *string_at(const char *strings, size_t size, uint64_t offset)
{
    return offset < size && memchr(strings + offset, 0, size - (size_t)offset) ? strings + offset : NULL;
}

static void read_names(struct elf_table *t, const uint8_t *head)
{
    uint64_t index = FIELD(t, head, Ehdr, e_shstrndx);

    if (index == SHN_XINDEX && t->sections)
        index = t->section[0].link;
    t->names = strings_of(t, index, &t->names_size);
}

/* The section headers are at the end of most files, so a file that was cut lacks them. */
static bool is_cut(const struct elf_table *t, const uint8_t *head)
{
    return !is_inside(t, FIELD(t, head, Ehdr, e_shoff),
                      FIELD(t, head, Ehdr, e_shnum) * FIELD(t, head, Ehdr, e_shentsize));
}

static bool is_known(const uint8_t *ident)
{
    return (ident[EI_CLASS] == ELFCLASS32 || ident[EI_CLASS] == ELFCLASS64) &&
           (ident[EI_DATA] == ELFDATA2LSB || ident[EI_DATA] == ELFDATA2MSB) && ident[EI_VERSION] == EV_CURRENT;
}

const char *elf_table_read(struct elf_table *t, int file, uint64_t size)
{
    uint8_t head[sizeof(Elf64_Ehdr)] = {0};
    const ssize_t got = pread(file, head, sizeof(head), 0);

    *t = (struct elf_table){.file = file, .size = size, .wide = head[EI_CLASS] == ELFCLASS64,
                            .high_first = head[EI_DATA] == ELFDATA2MSB};
    if (got < SELFMAG || memcmp(head, ELFMAG, SELFMAG) != 0)
        return "is no ELF file";
    if (got < (ssize_t)sizeof(head))
        return "is cut short";
    if (!is_known(head))
        return "is a damaged ELF file";
    if (is_cut(t, head))
        return "is cut short";
    t->type = (uint16_t)FIELD(t, head, Ehdr, e_type);
    t->machine = (uint16_t)FIELD(t, head, Ehdr, e_machine);
    read_sections(t, head);
    read_segments(t, head);
    read_names(t, head);
    return NULL;
}

void elf_table_free(struct elf_table *t)
{
    free(t->section);
    free(t->segment);
    free(t->names);
    *t = (struct elf_table){.file = -1};
}

const char *elf_table_name(const struct elf_table *t, const struct elf_section *s)
{
    return string_at(t->names, t->names_size, s->name);
}

const struct elf_section *elf_table_find(const struct elf_table *t, uint32_t type, const char *name)
{
    for (size_t i = 1; i < t->sections; i++) {
        const struct elf_section *const s = &t->section[i];
        const char *const its = name ? elf_table_name(t, s) : NULL;

        if (s->type == type && (!name || (its && !strcmp(its, name))))
            return s;
    }
    return NULL;
}

/* ---- notes ---- */

static size_t padded(size_t length, uint64_t align)
{
    return align == 8 ? (length + 7) / 8 * 8 : (length + 3) / 4 * 4;
}

/* The build id among the notes of a part of the file; NULL: none there. */
static uint8_t *build_in(const struct elf_table *t, uint64_t offset, uint64_t size, uint64_t align, size_t *length)
{
    uint8_t *const notes = elf_table_bytes(t, offset, size), *id = NULL;

    for (size_t at = 0; notes && !id && at < size && size - at >= NOTE_HEAD; at = padded(at + *length, align)) {
        const size_t name = (size_t)elf_table_number(t, notes + at, 4), begin = at + NOTE_HEAD;

        *length = (size_t)elf_table_number(t, notes + at + 4, 4);
        if (name > size - begin || padded(begin + name, align) > size)
            break;
        at = padded(begin + name, align);
        if (*length > size - at)
            break;
        if (*length && name == sizeof("GNU") && !memcmp(notes + begin, "GNU", name) &&
            elf_table_number(t, notes + begin - 4, 4) == NT_GNU_BUILD_ID)
            id = memcpy(xrealloc_array(NULL, *length, 1), notes + at, *length);
    }
    free(notes);
    return id;
}

uint8_t *elf_table_build(const struct elf_table *t, size_t *length)
{
    uint8_t *id = NULL;

    for (size_t i = 1; i < t->sections && !id; i++)
        if (t->section[i].type == SHT_NOTE)
            id = build_in(t, t->section[i].offset, t->section[i].size, t->section[i].align, length);
    for (size_t i = 0; i < t->segments && !id && t->sections < 2; i++)
        if (t->segment[i].type == PT_NOTE)
            id = build_in(t, t->segment[i].offset, t->segment[i].bytes, t->segment[i].align, length);
    return id;
}

/* ---- symbols ---- */

bool elf_symbols_read(struct elf_symbols *s, const struct elf_table *t)
{
    const struct elf_section *const table = elf_table_find(t, SHT_SYMTAB, NULL);

    *s = (struct elf_symbols){.of = t};
    if (!table || table->size % SIZE_OF(t, Sym))
        return false;
    s->entry = elf_table_bytes(t, table->offset, table->size);
    if (!s->entry)
        return false;
    s->count = (size_t)table->size / SIZE_OF(t, Sym);
    s->names = strings_of(t, table->link, &s->names_size);
    return true;
}

struct elf_symbol elf_symbols_at(const struct elf_symbols *s, size_t index)
{
    const struct elf_table *const t = s->of;
    const uint8_t *const at = s->entry + index * SIZE_OF(t, Sym);
    const unsigned info = (unsigned)FIELD(t, at, Sym, st_info);

    return (struct elf_symbol){
        .name = string_at(s->names, s->names_size, FIELD(t, at, Sym, st_name)),
        .value = FIELD(t, at, Sym, st_value), .size = FIELD(t, at, Sym, st_size),
        .type = ELF64_ST_TYPE(info), .bind = ELF64_ST_BIND(info), .section = (unsigned)FIELD(t, at, Sym, st_shndx),
    };
}

void elf_symbols_free(struct elf_symbols *s)
{
    free(s->entry);
    free(s->names);
    *s = (struct elf_symbols){0};
}
