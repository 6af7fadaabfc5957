/* SPDX-License-Identifier: MIT */
/* A drawing is made again from its stream: an older one is replaced. */
#include "tools/view/svg_output.h"

#include <errno.h>
#include <string.h>

#include "tools/base/cli.h"

bool svg_output(const char *path, bool (*draw)(const void *what, FILE *out), const void *what)
{
    const bool is_stdout = !strcmp(path, "-");
    FILE *out = is_stdout ? stdout : fopen(path, "we");
    bool written;

    if (!out) {
        cli_error("%s: %s", path, strerror(errno));
        return false;
    }
    errno = 0;
    written = draw(what, out);
    if (!is_stdout && fclose(out))
        written = false;
    if (!written)
        cli_error("%s cannot be written: %s", path, strerror(errno));
    return written;
}
