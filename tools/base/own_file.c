/* SPDX-License-Identifier: MIT */
/* Finds the program by /proc/self/exe, whatever name it was started by, and its files from there. */
#include "tools/base/own_file.h"

#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/alloc.h"

char *own_file(const char *installed, const char *built, const char *name)
{
    const char *const folder[] = {installed, built};
    char here[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", here, sizeof(here) - 1);
    char *slash;

    here[length > 0 ? length : 0] = '\0';
    slash = strrchr(here, '/');
    for (size_t i = 0; slash && i < sizeof(folder) / sizeof(folder[0]); i++) {
        char *const path = xasprintf("%.*s%s/%s", (int)(slash + 1 - here), here, folder[i], name);

        if (!access(path, R_OK))
            return path;
        free(path);
    }
    return NULL;
}
