/* SPDX-License-Identifier: MIT */
/* Text for the doors, which have no libc. */
#pragma once

#include <stdbool.h>

static inline bool text_starts_with(const char *text, const char *start)
{
    while (*start != '\0' && *text == *start)
        text++, start++;
    return *start == '\0';
}
