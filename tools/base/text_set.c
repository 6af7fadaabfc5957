/* SPDX-License-Identifier: MIT */
/* Keeps each text once, by a hash of its bytes. */
#include "tools/base/text_set.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/printable.h"

uint32_t text_set_number(struct text_set *set, const char *text)
{
    const size_t length = strlen(text);
    char **const kept = INDEX_ROW(&set->number_of, index_key(text, length), set->text, set->count, NULL);

    if (!*kept)
        *kept = printable_copy(text, length);
    return (uint32_t)(kept - set->text);
}

void text_set_free(struct text_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->text[i]);
    free(set->text);
    index_free(&set->number_of);
    *set = (struct text_set){0};
}
