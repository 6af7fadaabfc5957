/* SPDX-License-Identifier: MIT */
/* Chooses the file, image or program, that holds an address. */
#include "tools/symbols/code_files.h"

const struct code_file *code_file_at(const struct code_files *files, uint64_t address)
{
    static const struct code_file unnamed;

    if (address & UPPER_HALF)
        return &files->image;
    return files->process && process_changed_at(files->process, address) ? &unnamed : &files->program;
}
