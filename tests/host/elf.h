/* SPDX-License-Identifier: MIT */
/*
 * ELF files for the tests of the host tool, made byte by byte: one segment of
 * code that has no bytes, a build id and a table of symbols, at `path`.
 */
#pragma once

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define TEXT    0x401000
#define CODE    0x1000 /* bytes of .text */
#define DATA    0x402000
#define KERNEL  0xffffffff80100000
#define SYMBOLS 32

enum { NONE, IN_TEXT, IN_DATA, NOTE, SYMTAB, STRTAB, SECTIONS };

static const uint8_t build[8] = {0x01, 0x23, 0xab, 0xcd, 0xef, 0x00, 0xff, 0x7f};
#define BUILD "0123abcdef00ff7f"

struct file {
    Elf64_Ehdr header;
    Elf64_Phdr note_segment;
    Elf64_Shdr section[SECTIONS];
    struct {
        Elf64_Nhdr head;
        char owner[4];
        uint8_t id[sizeof(build)];
    } note;
    Elf64_Sym symbol[SYMBOLS];
    char strings[512];
};

struct row {
    const char *name;
    uint64_t value, size;
    unsigned char bind, type;
    uint16_t section;
};

#define FUNCTION(name, value, size) {name, value, size, STB_GLOBAL, STT_FUNC, IN_TEXT}
#define LABEL(name, value)          {name, value, 0, STB_LOCAL, STT_NOTYPE, IN_TEXT}

static char path[] = "/tmp/cpuprobe-elf-XXXXXX";

static inline Elf64_Shdr section(uint32_t type, uint64_t flags, uint64_t address,
                                 size_t offset, size_t size)
{
    return (Elf64_Shdr){.sh_type = type, .sh_flags = flags, .sh_addr = address,
                        .sh_offset = offset, .sh_size = size, .sh_addralign = 4};
}

/* A program with code at `text`, data behind it, and these symbols. */
static inline struct file make(uint64_t text, const struct row *rows, size_t count)
{
    struct file f = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                               EV_CURRENT},
                   .e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
                   .e_ehsize = sizeof(Elf64_Ehdr), .e_phoff = offsetof(struct file, note_segment),
                   .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
                   .e_shoff = offsetof(struct file, section),
                   .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS},
        .note_segment = {.p_type = PT_NOTE, .p_offset = offsetof(struct file, note),
                         .p_filesz = sizeof(f.note), .p_align = 4},
        .note = {{4, sizeof(build), NT_GNU_BUILD_ID}, "GNU", {0}},
    };
    size_t length = 1;

    memcpy(f.note.id, build, sizeof(build));
    f.section[IN_TEXT] = section(SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, text, 0, CODE);
    f.section[IN_DATA] = section(SHT_NOBITS, SHF_ALLOC | SHF_WRITE, text + CODE, 0, CODE);
    f.section[NOTE] = section(SHT_NOTE, 0, 0, offsetof(struct file, note), sizeof(f.note));
    f.section[SYMTAB] = section(SHT_SYMTAB, 0, 0, offsetof(struct file, symbol),
                                (count + 1) * sizeof(Elf64_Sym));
    f.section[SYMTAB].sh_link = STRTAB;
    f.section[SYMTAB].sh_entsize = sizeof(Elf64_Sym);
    f.section[STRTAB] = section(SHT_STRTAB, 0, 0, offsetof(struct file, strings),
                                sizeof(f.strings));
    for (size_t i = 0; i < count; i++) {
        f.symbol[i + 1] = (Elf64_Sym){
            .st_name = (uint32_t)length,
            .st_info = ELF64_ST_INFO(rows[i].bind, rows[i].type),
            .st_shndx = rows[i].section,
            .st_value = rows[i].value,
            .st_size = rows[i].size,
        };
        strcpy(f.strings + length, rows[i].name);
        length += strlen(rows[i].name) + 1;
    }
    return f;
}

static inline void write_file(const void *bytes, size_t length)
{
    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

#define TWO_ROWS ((const struct row[]){FUNCTION("main", TEXT, 0x40), LABEL("re|sp", TEXT + 0x40)})

static inline int begin(void **state)
{
    int file = mkstemp(path);

    (void)state;
    return file < 0 ? -1 : close(file);
}

static inline int end(void **state)
{
    (void)state;
    return unlink(path);
}
