/* SPDX-License-Identifier: MIT */
/* Folded stacks, the input of flamegraph.pl: frames with ';' between them, a blank, the number of samples. */
#include <inttypes.h>

#include "tools/export/export.h"

/* A name may have any sign but the one that ends it. */
static void put_name(FILE *out, const char *name)
{
    for (; *name; name++)
        putc(*name == ';' ? ':' : *name, out);
}

bool export_folded(const struct export_run *run, FILE *out)
{
    const struct stacks *s = &run->stacks;

    for (size_t i = 0; i < s->count; i++) {
        if (!s->stack[i].shown)
            continue;
        for (uint32_t n = 0; n < s->stack[i].depth; n++) {
            fputs(n ? ";" : "", out);
            put_name(out, stack_text(s, stack_frame(s, &s->stack[i], n)->name));
        }
        fprintf(out, " %" PRIu64 "\n", s->stack[i].shown);
    }
    return !ferror(out);
}
