/* SPDX-License-Identifier: MIT */
/* Counts who still sends a text, and limits how often one is made. */
#include "tools/serve/shared_text.h"

#include <stdlib.h>

#include "tools/base/alloc.h"

#define REST 39.0 /* times as long as a text took nothing is made */

struct shared_text *shared_text_new(char *bytes, size_t length)
{
    struct shared_text *t = xrealloc_array(NULL, 1, sizeof(*t));

    *t = (struct shared_text){bytes, length, 1};
    return t;
}

struct shared_text *shared_text_use(struct shared_text *t)
{
    t->users++;
    return t;
}

void shared_text_leave(void *text)
{
    struct shared_text *t = text;

    if (!t || --t->users)
        return;
    free(t->bytes);
    free(t);
}

double shared_text_until(double begun, double took)
{
    return begun + (REST + 1) * took;
}
