/* SPDX-License-Identifier: MIT */
/* The samples as lines of text, each with its opcode and the address of its data. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "probe/core/mode.h"
#include "tools/hwmon/block.h"

struct sample_list {
    FILE *file; /* NULL: no list is wanted */
};

/* False, with a message, if the file cannot be written. */
bool sample_list_open(struct sample_list *list, const char *path);

/* One sample; `accessed`: the instruction has read or written memory in this execution. */
void sample_list_add(struct sample_list *list, const struct sample *s, const char *task,
                     const struct insn *insn, bool accessed);
