/* SPDX-License-Identifier: MIT */
/* Tells who is refused or dropped, a few in each stretch of time: whoever comes again at once fills no disk. */
#include "tools/serve/refusal_log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

#define STRETCH_S 60.0
#define TOLD_MOST 10 /* of a stretch */

void refusal_log_end(struct refusal_log *r)
{
    if (r->count > TOLD_MOST)
        cli_error("%" PRIu64 " more were refused or dropped", r->count - TOLD_MOST);
    *r = (struct refusal_log){0};
}

void refusal_log_serve(struct refusal_log *r)
{
    if (r->count && monotonic_seconds() - r->begun >= STRETCH_S)
        refusal_log_end(r);
}

void refusal_log_tell(struct refusal_log *r, const char *format, ...)
{
    va_list arguments;
    char *sentence = NULL;

    if (!r->count)
        r->begun = monotonic_seconds();
    if (++r->count > TOLD_MOST)
        return;
    va_start(arguments, format);
    if (vasprintf(&sentence, format, arguments) < 0)
        out_of_memory();
    va_end(arguments);
    cli_error("%s", sentence);
    free(sentence);
}
