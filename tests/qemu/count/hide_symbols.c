/* SPDX-License-Identifier: MIT */
/*
 * Hides symbols of a program from its plugins: LD_PRELOAD=build/qemu/hide_symbols.so
 * HIDDEN=NAME,NAME...  So a test shows what a plugin says where QEMU does not export them.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef void *look_up(void *handle, const char *name);

static bool is_hidden(const char *name)
{
    const char *at = getenv("HIDDEN");
    const size_t length = strlen(name);

    for (; at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

__attribute__((visibility("default"))) void *dlsym(void *handle, const char *name)
{
    look_up *real = NULL;

    *(void **)&real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (real == NULL || is_hidden(name))
        return NULL;
    return real(handle, name);
}
