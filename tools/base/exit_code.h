/* SPDX-License-Identifier: MIT */
/* The exit codes of the host tool (docs/ACCOUNTING.md, "Numbers and codes"). */
#ifndef TOOLS_BASE_EXIT_CODE_H
#define TOOLS_BASE_EXIT_CODE_H

enum exit_code {
    EXIT_OK,
    EXIT_NO_DATA, /* nothing could be read */
    EXIT_USAGE,
    EXIT_DAMAGED, /* read, but damaged or incomplete; what there is was printed */
    EXIT_CHECK_FAILED,   /* what was asked to hold does not */
};

#endif
