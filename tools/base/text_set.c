/* SPDX-License-Identifier: MIT */
/* Keeps each text once, by a hash of its bytes. */
#include "tools/base/text_set.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/printable.h"

uint32_t text_set_number(struct text_set *set, const char *text)
{
    const size_t length = strlen(text);
    const uint64_t key = index_key(text, length);
    size_t number = index_find(&set->number_of, key);

    if (number == INDEX_NONE) {
        number = set->count;
        GROW(set->text, set->count);
        set->text[set->count++] = printable_copy(text, length);
        index_put(&set->number_of, key, number);
    }
    return (uint32_t)number;
}

void text_set_free(struct text_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->text[i]);
    free(set->text);
    index_free(&set->number_of);
    *set = (struct text_set){0};
}
