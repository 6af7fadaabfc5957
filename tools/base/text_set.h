/* SPDX-License-Identifier: MIT */
/* Keeps texts once each, numbered from 0 in the order in which they first came. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tools/base/hash_index.h"

struct text_set { /* all zeros: empty */
    char **text;  /* by number; they live as long as the set */
    size_t count;
    struct index number_of;
};

/* The number of a text, of which a copy is added if it is new: printable(), as it comes from files. */
uint32_t text_set_number(struct text_set *set, const char *text);

void text_set_free(struct text_set *set);
