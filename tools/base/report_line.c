/* SPDX-License-Identifier: MIT */
/*
 * Prints an object as a line while a stream is read, without making JSON of it first: a trace has millions of lines.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "tools/base/printable.h"
#include "tools/base/report_object.h"

static void put_text(const char *text, FILE *out)
{
    if (!text) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    printable_escaped(out, text, strlen(text), "\"\\");
    putc('"', out);
}

static void put_value(const struct report_member *m, const void *at, FILE *out)
{
    assert(m->kind == REPORT_REAL || m->kind == REPORT_TEXT || m->kind == REPORT_WORD_IF);
    if (m->kind != REPORT_REAL)
        put_text(*(const char *const *)at, out);
    else if (isfinite(*(const double *)at))
        fprintf(out, "%.9f", *(const double *)at);
    else
        fputs("null", out);
}

void report_object_line(const struct report_object *object, const void *value, FILE *out)
{
    const char *before = "{\"";
    size_t offset = 0;

    for (size_t i = 0; i < object->members; i++) {
        const struct report_member *m = &object->member[i];
        const void *const at = report_member_at(m, value, &offset);

        if (m->kind == REPORT_WORD_IF && !*(const char *const *)at)
            continue;
        fputs(before, out);
        fputs(m->name, out);
        fputs("\":", out);
        before = ",\"";
        put_value(m, at, out);
    }
    fputs("}\n", out);
}
