/* SPDX-License-Identifier: MIT */
/* Opens and closes the stream; a file that could not be read to its end is damaged. */
#include "tools/analysis/report_pass.h"

#include "tools/base/cli.h"

int report_pass(const char *path, unsigned long epoch, void *arguments, pass_report_maker *make)
{
    struct epoch_pass *p = epoch_pass_open(path, epoch);
    int code;

    if (!p)
        return EXIT_NO_DATA;
    code = make(arguments, p);
    if (code == EXIT_OK && !epoch_pass_read_well(p))
        code = EXIT_DAMAGED;
    epoch_pass_close(p);
    return code;
}
