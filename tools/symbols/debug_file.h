/* SPDX-License-Identifier: MIT */
/*
 * Separate debug files: where the symbols and the DWARF of a stripped file
 * went, by the places that distributions and debuggers agreed on.
 */
#ifndef TOOLS_SYMBOLS_DEBUG_FILE_H
#define TOOLS_SYMBOLS_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/symbols/elf_file.h"

/* Where to look besides the standard places. */
struct debug_places {
    const char *const *folder; /* each asked like /usr/lib/debug, and before it */
    size_t folders;
    const char *file; /* asked first of all; NULL: none */
};

/*
 * Open the separate debug file of `elf`, which lies at `path`: by its build id
 * as FOLDER/.build-id/xx/yyyy.debug, or by its .gnu_debuglink beside it, in
 * .debug/ beside it and under FOLDER + its own folder.  A file is taken that
 * has symbols or DWARF, and the same build id, or, where one of both has none,
 * the checksum of the link.  False where there is none: nothing is said.
 * `places` may be NULL.
 */
bool debug_file_open(struct elf_file *to, Elf *elf, const char *path,
                     const struct debug_places *places);

/* FOLDER/.build-id/xx/yyyy.debug, for the caller to free; NULL: too short for a build id. */
char *debug_file_path(const char *folder, const char *build);

#define DEBUG_FOLDER "/usr/lib/debug"

#endif
