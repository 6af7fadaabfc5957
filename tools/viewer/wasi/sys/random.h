/* SPDX-License-Identifier: MIT */
/* Adds getrandom(2) to what WASI has. */
#pragma once

#include_next <sys/random.h>

#include <sys/types.h>

#define GRND_NONBLOCK 1

static inline ssize_t getrandom(void *bytes, size_t length, unsigned flags)
{
    (void)flags;
    return getentropy(bytes, length) ? -1 : (ssize_t)length;
}
