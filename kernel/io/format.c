/* SPDX-License-Identifier: MIT */
/* A reason as one sentence. */
#include "kernel/io/format.h"

#include <stdarg.h>

#include "kernel/io/log.h"
#include "kernel/lib/string.h"
#include "probe/text/text_buf.h"

const char *sentence_of(const char *part, ...)
{
    static char text[LOG_LINE_MAX];
    char made[LOG_LINE_MAX]; /* apart, for a part may be the last sentence */
    struct text_buf out = TEXT_BUF(made);
    va_list parts;

    va_start(parts, part);
    buf_list(&out, part, parts);
    va_end(parts);
    string_copy(text, made, LOG_LINE_MAX);
    return text;
}
