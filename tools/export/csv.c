/* SPDX-License-Identifier: MIT */
/*
 * Comma-separated values (RFC 4180): a row for each task, mode, address and list of callers, with its share and its
 * 95 % interval in percent.
 */
#include <inttypes.h>
#include <math.h>

#include "tools/export/export.h"

/* A field in quotes; a quote in it is doubled. */
static void put_letters(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
}

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    put_letters(out, text);
    fputs("\",", out);
}

/* The outermost first. */
static void put_callers(FILE *out, const struct stacks *s, const struct stack *of)
{
    const char *before = "";

    putc('"', out);
    for (uint32_t n = 0; n < of->code; n++)
        if (stack_frame(s, of, n)->kind == FRAME_FUNCTION) {
            fputs(before, out);
            put_letters(out, stack_text(s, stack_frame(s, of, n)->name));
            before = ";";
        }
    fputs("\"\n", out);
}

static void put_share(FILE *out, double share, char behind)
{
    if (!isnan(share))
        fprintf(out, "%.6f", 100 * share);
    putc(behind, out);
}

static const char *name_of(const struct stacks *s, const struct stack *of, enum frame_kind kind)
{
    const char *name = "";

    for (uint32_t n = 0; n < of->depth; n++)
        if (stack_frame(s, of, n)->kind == kind)
            name = stack_text(s, stack_frame(s, of, n)->name);
    return name;
}

static void put_line(FILE *out, const struct stacks *s, const struct stack *of)
{
    const struct stack_frame *last = of->depth ? stack_frame(s, of, of->depth - 1) : NULL;

    if (last && last->kind == FRAME_LINE) {
        put_text(out, stack_text(s, last->file));
        fprintf(out, "%u,", last->line);
    } else {
        fputs("\"\",,", out);
    }
}

static void put_row(FILE *out, const struct stacks *s, const struct stack *of)
{
    const struct confidence share = stack_share(s, of);

    for (enum frame_kind kind = FRAME_TASK; kind <= FRAME_FUNCTION; kind++)
        put_text(out, name_of(s, of, kind));
    put_line(out, s, of);
    if (of->depth && stack_frame(s, of, of->depth - 1)->kind >= FRAME_FUNCTION)
        fprintf(out, "0x%" PRIx64, of->at.pc);
    fprintf(out, ",%" PRIu64 ",", of->hits);
    put_share(out, share.estimate, ',');
    put_share(out, share.low, ',');
    put_share(out, share.high, ',');
    put_callers(out, s, of);
}

bool export_csv(const struct export_run *run, FILE *out)
{
    const struct stacks *s = &run->stacks;

    fputs("task,mode,function,file,line,address,samples,percent,low,high,callers\n", out);
    for (size_t i = 0; i < s->count; i++)
        if (s->stack[i].hits)
            put_row(out, s, &s->stack[i]);
    return !ferror(out);
}
