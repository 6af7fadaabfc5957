/* SPDX-License-Identifier: MIT */
/* Opens the DWARF of an open file for libdw, with strings made safe to read. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dwarf_file {
    Elf *elf; /* libelf's own view of the file */
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
 * open until dwarf_file_close().
 */
bool dwarf_file_open(struct dwarf_file *f, int file, const char **why);
void dwarf_file_close(struct dwarf_file *f);
