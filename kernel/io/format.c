/* SPDX-License-Identifier: MIT */
/* A reason as one sentence. */
#include "kernel/io/format.h"

#include <stdarg.h>

#include "kernel/io/log.h"
#include "kernel/lib/string.h"
#include "probe/text/text_span.h"

const char *sentence_of(const char *part, ...)
{
    static char text[LOG_LINE_MAX];
    char made[LOG_LINE_MAX]; /* apart, for a part may be the last sentence */
    struct text_buf out = { made, LOG_LINE_MAX };
    va_list parts;

    va_start(parts, part);
    for (; part != 0; part = va_arg(parts, const char *))
        buf_text(&out, part);
    va_end(parts);
    string_copy(text, made, LOG_LINE_MAX);
    return text;
}
