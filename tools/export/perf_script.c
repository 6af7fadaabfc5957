/* SPDX-License-Identifier: MIT */
/*
 * The text that `perf script` prints (perf-script(1), tools/perf/builtin-script.c): a head and a stack for each
 * sample, the innermost frame first.  The command is the task, the outermost frame its mode.
 */
#include <inttypes.h>

#include "tools/export/export.h"
#include "tools/timeline/epoch_pass.h"

#define NS 1000000000

struct perf_script {
    const struct export_run *run;
    FILE *out;
    uint64_t period; /* ns */
    struct stack_turns turns;
};

/* A command has no blank: readers split the line there. */
static void put_command(FILE *out, const char *name)
{
    for (; *name; name++)
        putc(*name == ' ' ? '_' : *name, out);
}

static void put_frame(FILE *out, uint64_t address, const char *name)
{
    fprintf(out, "\t%16" PRIx64 " %s (cpuprobe)\n", address, name);
}

static void put_frames(const struct perf_script *p, const struct stack *of)
{
    const struct stacks *s = &p->run->stacks;

    for (uint32_t n = of->depth; n-- > 1;) {
        const struct stack_frame *f = stack_frame(s, of, n);

        if (f->kind != FRAME_LINE)
            put_frame(p->out, n < of->code ? 0 : of->at.pc, stack_text(s, f->name));
    }
    if (of->depth == 1)
        put_frame(p->out, 0, "[unknown]");
    putc('\n', p->out);
}

static void put_sample(void *context, const struct resolved_sample *sample)
{
    struct perf_script *p = context;
    const struct stack *of = stack_turns_next(&p->turns, &p->run->stacks, sample);
    const uint64_t ns = export_sample_ns(p->run, sample);

    if (!of)
        return;
    put_command(p->out, stack_text(&p->run->stacks, stack_frame(&p->run->stacks, of, 0)->name));
    fprintf(p->out, " %" PRIu32 "/%" PRIu32 " [000] %" PRIu64 ".%09" PRIu64 ": %" PRIu64 " cpu-clock:\n", of->at.task,
            of->at.task, ns / NS, ns % NS, p->period);
    put_frames(p, of);
}

bool export_perf(const struct export_run *run, FILE *out)
{
    struct perf_script p = {.run = run, .out = out, .period = export_period(run)};
    bool read;

    for (size_t i = 0; i < run->notes; i++)
        fprintf(out, "# %s\n", run->note[i]);
    read = epoch_pass_run(run->pass, &(struct epoch_sink){.context = &p, .on_sample = put_sample});
    stack_turns_free(&p.turns);
    return read && !ferror(out);
}
