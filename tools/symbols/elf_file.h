/* SPDX-License-Identifier: MIT */
/*
 * Opens ELF files for reading and checks them: their kind, their contents, or why they are refused; finds the
 * separate debug files of stripped ones, in the usual places of distributions and debuggers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/symbols/elf_table.h"

struct elf_file {
    bool open;
    struct elf_table table;
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
char *elf_file_build(const struct elf_file *f);

/*
 * What PROGRAMS and HELLO identify the file by, for the caller to free: the build id, else the hash of what it loads
 * (probe/coding/loaded_hash.h); NULL: it loads nothing, or more than 1 GiB.
 */
char *elf_file_id(const struct elf_file *f);

/* Whether that is a build id. */
bool elf_id_is_build(const char *id);

/* Address + size, at most `limit`; the address must not be above `limit`. */
uint64_t elf_file_end(uint64_t address, uint64_t size, uint64_t limit);

/* The section is code of the running program. */
bool elf_file_is_code(const struct elf_section *section);

bool elf_file_has_symbols(const struct elf_file *f); /* the table that linkers write and strip removes */
bool elf_file_has_code(const struct elf_file *f);    /* its bytes too, which a separate debug file lacks */
bool elf_file_has_dwarf(const struct elf_file *f);   /* source lines and inlined functions */

/* Where to look besides the standard places. */
struct debug_places {
    const char *const *folder; /* each is searched like /usr/lib/debug, and before it */
    size_t folders;
    const char *file; /* tried first; NULL: none */
};

/*
 * Open the separate debug file of `of`, whose path is `path`: by its build id as
 * FOLDER/.build-id/xx/yyyy.debug, or by its .gnu_debuglink in its folder, in .debug/ there, and
 * under FOLDER + its own folder.  The file must have symbols or DWARF, and the same build id, or,
 * if one of the two has none, the checksum of the link.  False, without a message, if there is
 * none.  `places` may be NULL.
 */
bool debug_file_open(struct elf_file *to, const struct elf_file *of, const char *path,
                     const struct debug_places *places);

/* FOLDER/.build-id/xx/yyyy.debug, for the caller to free; NULL: too short for a build id. */
char *debug_file_path(const char *folder, const char *build);

#define DEBUG_FOLDER "/usr/lib/debug"
