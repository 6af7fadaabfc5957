/* SPDX-License-Identifier: MIT */
/*
 * Calls libiberty's demanglers with a limit: a short name can refer to itself so often that its
 * decoded form fills any memory.
 */
#include "tools/symbols/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/demangle.h>

#include "tools/base/alloc.h"

#define LENGTH_MOST (64 << 10)  /* of a decoded name */
#define ENCODED_MOST (16 << 10) /* of an encoded one */

typedef int demangler(const char *name, int options, demangle_callbackref put, void *to);

struct decoded {
    char *text;
    size_t length, room;
    jmp_buf too_long;
};

static void put(const char *part, size_t length, void *to)
{
    struct decoded *d = to;

    if (!length)
        return; /* and `part` may be NULL */
    if (length > LENGTH_MOST - d->length)
        longjmp(d->too_long, 1); /* the demangler cannot be stopped in another way */
    if (d->room < d->length + length + 1) {
        d->room = 2 * (d->length + length + 1);
        d->text = xrealloc_array(d->text, d->room, 1);
    }
    memcpy(d->text + d->length, part, length);
    d->length += length;
    d->text[d->length] = '\0';
}

/* NULL: this demangler does not know the name. */
static char *decode(demangler *run, const char *name)
{
    struct decoded *d = xrealloc_array(NULL, 1, sizeof(*d)); /* on the heap, so that longjmp() does not lose it */
    char *text;

    d->text = NULL;
    d->length = d->room = 0;
    if (setjmp(d->too_long) || !run(name, DMGL_PARAMS | DMGL_ANSI, put, d)) {
        free(d->text);
        d->text = NULL;
    }
    text = d->text;
    free(d);
    return text;
}

char *demangle(const char *name)
{
    char *text;

    if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
        return NULL;
    if (strnlen(name, ENCODED_MOST) == ENCODED_MOST)
        return NULL;
    /* Rust first: its legacy names are also valid C++ names, with a hash that is of no use to readers. */
    text = decode(rust_demangle_callback, name);
    return text ? text : decode(cplus_demangle_v3_callback, name);
}
