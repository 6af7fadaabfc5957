/* SPDX-License-Identifier: MIT */
/* Counts violations of the protocol, and prints them. */
#include "tools/records/violations.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

static const char *const sentences[VIOLATIONS] = {
#define SENTENCE(NAME, what) [VIOLATION_##NAME] = what,
    VIOLATION_RULES(SENTENCE)
};

void violation_note(struct violations **v, enum violation rule, const char *where, ...)
{
    va_list arguments;

    if (!*v)
        *v = xcalloc(1, sizeof(**v));
    if ((*v)->of[rule].count++)
        return;
    va_start(arguments, where);
    vsnprintf((*v)->of[rule].where, VIOLATION_WHERE, where, arguments);
    va_end(arguments);
}

bool violations_print(const char *path, const struct violations *v)
{
    for (unsigned rule = 0; v && rule < VIOLATIONS; rule++) {
        const uint64_t count = v->of[rule].count;

        if (count > 1)
            cli_error("%s: the sender breaks the protocol: %s (%s, and %" PRIu64 " more)", path,
                      sentences[rule], v->of[rule].where, count - 1);
        else if (count)
            cli_error("%s: the sender breaks the protocol: %s (%s)", path, sentences[rule],
                      v->of[rule].where);
    }
    return v;
}
