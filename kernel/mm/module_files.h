/* SPDX-License-Identifier: MIT */
/*
 * Files that the door brought with the image, found by name: programs to run as tasks, and what they read.  A door's
 * list comes from firmware, so nothing in it is believed before it has been checked.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_info.h"
#include "probe/text/refusal.h"

struct module_file {
    const char *name;      /* the last part of its path, as file_name_check() has it (probe/config/task_spec.h) */
    const void *bytes;     /* at the start of a page; the rest of its last page is not ours to read */
    uint64_t size;         /* more than 0 */
    const char *arguments; /* of the program: blanks separate, single quotes keep together; "" for none */
    uint64_t hash;         /* of what it loads, where it has no build id (elf_loader.h) */
};

/*
 * Take a file of the door's list, and its pages away from the page allocator.  False and *why: its name, its
 * addresses, a file of its name that is there already, or what the door has not loaded.  At the start, after
 * free_regions_init().
 */
bool module_file_take(const struct boot_module *from, struct refusal *why);

/* By index, from 0; NULL past the last.  Constant after the start: any context, as the next. */
const struct module_file *module_file_at(uint32_t index);

/* By name; NULL where there is none. */
const struct module_file *module_file_find(const char *name);
