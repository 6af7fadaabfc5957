/* SPDX-License-Identifier: MIT */
/* Median, 99.9 % and worst of a list of numbers: the values themselves, at their ranks.  Any context but a tick. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct order_statistics {
    uint64_t count;
    uint64_t median, most, worst; /* ranks n/2 and 0.999 n, both rounded up, and n; 0 of an empty list */
};

/* Sort the list, ascending. */
void order_sort(uint64_t *list, size_t count);

/* Sort it, and tell them. */
struct order_statistics order_statistics_of(uint64_t *list, size_t count);
