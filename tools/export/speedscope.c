/* SPDX-License-Identifier: MIT */
/*
 * speedscope's own format (its file-format-schema.json): one profile of kind `sampled`, a stack each with the number
 * of its samples as weight.  Notes are a member of their own, which speedscope does not read.
 */
#include <inttypes.h>

#include "tools/export/export.h"

static void put_frames(const struct stacks *s, FILE *out)
{
    for (size_t i = 0; i < s->frames; i++) {
        const struct stack_frame *f = &s->frame[i];

        fputs(i ? ",\n{\"name\":" : "{\"name\":", out);
        export_json_text(out, stack_text(s, f->name));
        if (f->kind == FRAME_LINE) {
            fputs(",\"file\":", out);
            export_json_text(out, stack_text(s, f->file));
            fprintf(out, ",\"line\":%u", f->line);
        }
        putc('}', out);
    }
}

static void put_stacks(const struct stacks *s, FILE *out)
{
    const char *before = "";

    for (size_t i = 0; i < s->count; i++) {
        if (!s->stack[i].shown)
            continue;
        fprintf(out, "%s[", before);
        for (uint32_t n = 0; n < s->stack[i].depth; n++)
            fprintf(out, n ? ",%" PRIu32 : "%" PRIu32, s->id[s->stack[i].first + n]);
        putc(']', out);
        before = ",\n";
    }
}

static void put_weights(const struct stacks *s, FILE *out)
{
    const char *before = "";

    for (size_t i = 0; i < s->count; i++) {
        if (!s->stack[i].shown)
            continue;
        fputs(before, out);
        export_json_count(out, s->stack[i].shown);
        before = ",";
    }
}

bool export_speedscope(const struct export_run *run, FILE *out)
{
    const struct stacks *s = &run->stacks;

    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"cpuprobe\",\"name\":",
          out);
    export_json_text(out, run->name);
    fputs(",\n\"activeProfileIndex\":0,\"cpuprobe\":{\"notes\":", out);
    export_json_notes(out, run, "\n");
    fputs("},\n\"shared\":{\"frames\":[\n", out);
    put_frames(s, out);
    fputs("]},\n\"profiles\":[{\"type\":\"sampled\",\"name\":\"samples\",\"unit\":\"none\"", out);
    fputs(",\"startValue\":0,\"endValue\":", out);
    export_json_count(out, s->samples);
    fputs(",\"samples\":[\n", out);
    put_stacks(s, out);
    fputs("],\n\"weights\":[", out);
    put_weights(s, out);
    fputs("]}]}\n", out);
    return !ferror(out);
}
