/* SPDX-License-Identifier: MIT */
/*
 * Finds functions, source lines and instructions by address, from an ELF file and its separate debug file: those of
 * the image's kernel and of the programs of its tasks.
 */
#pragma once

#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/range_map.h"

/* One ELF file, opened for reading and checked: its kind, its contents, or why it is refused. */

struct elf_file {
    int file;
    uint64_t size; /* bytes */
    Elf *elf;      /* NULL: not open */
};

/*
 * Open a whole, linked program: the image's, or that of a port, of any CPU and word length.  False, with nothing to
 * close, if it is not one: *why is the reason, to be printed after the file's name ("is cut short"),
 * or NULL if errno has it.
 */
bool elf_file_open(struct elf_file *f, const char *path, const char **why);
void elf_file_close(struct elf_file *f);

/* Print on standard error why the file is refused, as given by elf_file_open(). */
void elf_file_refuse(const char *path, const char *why);

/* The build id in hexadecimal, for the caller to free; NULL: the file has none. */
char *elf_file_build(Elf *elf);

/*
 * What PROGRAMS and HELLO identify the file by, for the caller to free: the build id, else the hash of what it loads
 * (probe/coding/loaded_hash.h); NULL: it loads nothing, or more than 1 GiB.
 */
char *elf_file_id(Elf *elf);

/* Whether that is a build id. */
bool elf_id_is_build(const char *id);

/* Address + size, at most `limit`; the address must not be above `limit`. */
uint64_t elf_file_end(uint64_t address, uint64_t size, uint64_t limit);

/* The section is code of the running program. */
bool elf_file_is_code(const GElf_Shdr *section);

/* The table of symbols that linkers write and strip removes; NULL: none. */
Elf_Scn *elf_file_symbol_table(Elf *elf, GElf_Shdr *header);

/* The section after `section` (NULL: the first), its header and its name (NULL: damaged); NULL: no more. */
Elf_Scn *elf_file_next(Elf *elf, Elf_Scn *section, GElf_Shdr *header, const char **name);

bool elf_file_has_code(Elf *elf);  /* its bytes too, which a separate debug file lacks */
bool elf_file_has_dwarf(Elf *elf); /* source lines and inlined functions */

/*
 * Separate debug files: they hold the symbols and the DWARF of a stripped file, in the usual places
 * of distributions and debuggers.
 */

/* Where to look besides the standard places. */
struct debug_places {
    const char *const *folder; /* each is searched like /usr/lib/debug, and before it */
    size_t folders;
    const char *file; /* tried first; NULL: none */
};

/*
 * Open the separate debug file of `elf`, whose path is `path`: by its build id as
 * FOLDER/.build-id/xx/yyyy.debug, or by its .gnu_debuglink in its folder, in .debug/ there, and
 * under FOLDER + its own folder.  The file must have symbols or DWARF, and the same build id, or,
 * if one of the two has none, the checksum of the link.  False, without a message, if there is
 * none.  `places` may be NULL.
 */
bool debug_file_open(struct elf_file *to, Elf *elf, const char *path,
                     const struct debug_places *places);

/* FOLDER/.build-id/xx/yyyy.debug, for the caller to free; NULL: too short for a build id. */
char *debug_file_path(const char *folder, const char *build);

#define DEBUG_FOLDER "/usr/lib/debug"

/* The DWARF of an open ELF file for libdw, with strings made safe to read. */

struct dwarf_file {
    Dwarf *dwarf;
    struct seal *seal; /* copies of string sections with a zero at the end */
    size_t seals;
    const unsigned char *lines; /* .debug_line, NULL: none */
    size_t lines_size;
};

/* Where the line table at an offset of .debug_line ends, as its head says; SIZE_MAX: past the section. */
size_t dwarf_file_table_end(const struct dwarf_file *f, uint64_t offset);

/*
 * How many rows the line table there makes, without making them; bytes of extended
 * opcodes count as rows, and so do all bytes where the head is damaged.  `end` is dwarf_file_table_end()'s.
 */
size_t dwarf_file_table_rows(const struct dwarf_file *f, uint64_t offset, size_t end);

/*
 * False, without a message and with nothing to close, if there is no readable DWARF: *why is the
 * reason, to be printed after the file's name, or NULL if libdw finds none.  The file must stay
 * open until dwarf_file_close(), and can be opened once at a time.
 */
bool dwarf_file_open(struct dwarf_file *f, Elf *elf, const char **why);
void dwarf_file_close(struct dwarf_file *f);

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
    struct elf_file debug;       /* .elf is NULL where none is needed or none was found */
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

/*
 * Source lines and inlined functions by address, from the DWARF of an ELF file or of its separate
 * debug file.  DWARF 2 to 5; .dwo files of -gsplit-dwarf are not read.
 */
struct line_table;

/*
 * Index an open file, which must stay open until line_table_close() and may have one index at a
 * time.  NULL if it has no useful DWARF, with a message on standard error if its DWARF is refused;
 * damaged parts are left out.
 */
struct line_table *line_table_open(const struct symbols *s);
void line_table_close(struct line_table *index); /* NULL may be closed too */

/*
 * The line whose code is at `address`: from 1, or 0 for code generated by the compiler, which has a
 * file only.  False, with both unchanged, if none is known.  *file is the path given to the
 * compiler, relative to its folder, without "./"; it lives as long as the index.
 */
bool line_table_find(const struct line_table *index, uint64_t address, const char **file,
                     unsigned *line);

/*
 * The functions inlined at `address`, the innermost first, as symbols_display_name()
 * shows names; the function that they were inlined into is not among them.  At
 * most `most` names are written; the result is how many.  They live as long as
 * the index.
 */
size_t line_table_inlined(const struct line_table *index, uint64_t address, const char *names[],
                          size_t most);

/*
 * Instructions by address, from the code of an ELF file (Capstone).
 */
struct instruction {
    uint64_t start;
    unsigned length; /* bytes, 1 to 15 */
    char text[200];  /* "dec rax", Intel syntax; ".byte 0x06" for an invalid instruction */
};

struct code; /* a range of code, with its bytes */

struct disassembly {
    const struct symbols *symbols;
    size_t handle;            /* Capstone's */
    struct cs_insn *decoded;  /* the last one */
    struct code *code;
    size_t codes;
    struct range_map by_address; /* the index of the code */
    struct instruction last;     /* where the next look-up in `within` may continue */
    const struct symbol *within; /* NULL: nowhere */
};

/*
 * Use the code of an open file, which must stay open until disassembly_close().  False, without a
 * message and with nothing to close, if it holds no code (a separate debug file that was opened
 * without its program) or that of a CPU for which there is no decoder.
 */
bool disassembly_open(struct disassembly *d, const struct symbols *s);
void disassembly_close(struct disassembly *d);

/*
 * The instruction that contains `address`.  It is decoded from the start of its function, so that
 * instruction boundaries are those of the CPU.  False if no function is known there, if its code is
 * not in the file, or if the address is more than 1 MiB into a function.
 */
bool disassembly_find(struct disassembly *d, uint64_t address, struct instruction *to);

/*
 * Replace *i by the instruction after it, which may be padding or belong to the next function.
 * False at the end of the code.
 */
bool disassembly_next(struct disassembly *d, struct instruction *i);

/*
 * Names of functions as their programmers wrote them, for the languages whose
 * compilers encode them: C++ (Itanium ABI) and Rust (v0 and legacy).
 */

/*
 * The decoded name, for the caller to free; NULL if it is not encoded, if the encoding is damaged,
 * or if the decoded name has more than 64 KiB.
 */
char *demangle(const char *name);
