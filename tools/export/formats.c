/* SPDX-License-Identifier: MIT */
/* Lists the formats of `cpuprobe export` and finds one by its name or by the name of a file. */
#include "tools/export/export.h"

#include <string.h>

#define ROW(name, extension, what, needs, file, folder) {#name, extension, what, needs, file, folder},

const struct export_format export_formats[] = {
    EXPORT_FORMATS(ROW)
};

const size_t export_format_count = sizeof(export_formats) / sizeof(export_formats[0]);

const struct export_format *export_format_find(const char *name)
{
    for (size_t i = 0; i < export_format_count; i++)
        if (!strcmp(export_formats[i].name, name))
            return &export_formats[i];
    return NULL;
}
