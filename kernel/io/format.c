/* SPDX-License-Identifier: MIT */
/* A reason as one sentence. */
#include "kernel/io/format.h"

#include <stdarg.h>

#include "kernel/io/log.h"
#include "kernel/lib/string.h"
#include "probe/text/text_span.h"

const char *sentence_of(const char *part, ...)
{
    static char text[SAY_LINE];
    char made[SAY_LINE]; /* apart, for a part may be the last sentence */
    struct sink out = { made, SAY_LINE };
    va_list parts;

    va_start(parts, part);
    for (; part != 0; part = va_arg(parts, const char *))
        sink_text(&out, part);
    va_end(parts);
    string_copy(text, made, SAY_LINE);
    return text;
}
