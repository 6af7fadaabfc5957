/* SPDX-License-Identifier: MIT */
/*
 * Separate debug files: they hold the symbols and the DWARF of a stripped file, in the usual places
 * of distributions and debuggers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tools/symbols/elf_file.h"

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
