/* SPDX-License-Identifier: MIT */
/*
 * The value of tasks=: workloads, and files that the door brought, commas between.  A file's arguments follow its
 * name; blanks separate them, and between single quotes blanks and commas are part of one.  Any context, host too.
 */
#pragma once

#include <stdbool.h>

#include "probe/text/text_span.h"

#define TASK_SPEC_FILE    "file:"
#define TASK_SPEC_ALLOWED "1 to 255 characters: workloads of a-z 0-9 -, or file:NAME ARGUMENTS; commas between"
#define FILE_SPEC_ALLOWED "none, or file:NAME with 1 to 31 of letters, digits, and . _ + -"
#define FILE_NAME_SIZE    32 /* longest name of a file, its end included */

struct task_spec {
    bool file;             /* else a workload */
    struct span name;
    struct span arguments; /* of a file; without length where none are given */
};

/* The next one of a value, and *rest past it; false at its end, and where what follows is none. */
bool task_spec_next(struct span *rest, struct task_spec *spec);

/* Whether a value is a list of them, of one at least. */
bool task_spec_check(struct span value);

/* Whether this may be the name of a file. */
bool file_name_check(struct span name);
