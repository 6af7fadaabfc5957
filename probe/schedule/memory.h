/* SPDX-License-Identifier: MIT */
/*
 * The four functions that a compiler takes for granted even freestanding (C11,
 * 7.24; GCC manual, "Language Standards"): all that probe/ needs of a libc.
 */
#pragma once

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
