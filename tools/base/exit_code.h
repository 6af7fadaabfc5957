/* SPDX-License-Identifier: MIT */
/* The exit codes of the host tool (docs/ACCOUNTING.md, "Numbers and codes"). */
#pragma once

enum exit_code {
    EXIT_OK,
    EXIT_NO_DATA, /* nothing could be read */
    EXIT_USAGE,
    EXIT_DAMAGED, /* read, but damaged or incomplete; the readable part was printed */
    EXIT_CHECK_FAILED,   /* a requested condition does not hold */
};
