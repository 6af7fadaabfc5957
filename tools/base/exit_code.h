/* SPDX-License-Identifier: MIT */
/* The exit codes of the host tool (docs/ACCOUNTING.md, "Numbers and codes"). */
#ifndef TOOLS_BASE_EXIT_CODE_H
#define TOOLS_BASE_EXIT_CODE_H

enum exit_code {
    EXIT_WELL,
    EXIT_NOTHING, /* nothing could be read */
    EXIT_USAGE,
    EXIT_DAMAGED, /* read, but damaged or incomplete; what there is was printed */
    EXIT_FAILS,   /* what was asked to hold does not */
};

#endif
