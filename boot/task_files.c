/* SPDX-License-Identifier: MIT */
/* Which files of a volume come along, and the lines that name them to the core. */
#include "boot/task_files.h"

#include "boot/text.h"

bool task_files_wanted(const char *words)
{
    while (*words != '\0')
        if (text_starts_with(words++, "file:"))
            return true;
    return false;
}

bool task_files_line(char line[TASK_FILES_LINE], const uint16_t *name)
{
    unsigned i;

    for (i = 0; name[i] != 0 && i < TASK_FILES_LINE - 1; i++)
        line[i] = name[i] > ' ' && name[i] < 0x7f && name[i] != '/' ? (char)name[i] : '?';
    line[i] = '\0';
    return line[0] != '.';
}
