/* SPDX-License-Identifier: MIT */
/* `cpuprobe samples`: each raw sample as a line of blank-separated columns, for scripts and people. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/model/model_reader.h"

static void print_head(void)
{
    puts("# tick seconds task mode late pair pc");
}

/* A dash is an unknown value: no time in the stream, or a place that never arrived. */
static void print_sample(const struct epoch *e, size_t i)
{
    const struct raw_sample *t = &e->samples->sample[i];
    const struct sample_place *place = &e->samples->place[t->place];
    char name[NAME_SIZE];

    printf("%" PRIu64, samples_tick(e->samples, i));
    if (e->samples->timed && e->hello.clock_hz)
        printf(" %.6f", (double)t->time / (double)e->hello.clock_hz);
    else
        fputs(" -", stdout);
    if (!place->known) {
        puts(" - - - - -");
        return;
    }
    epoch_name_of(e, place->task, name);
    printf(" %s %s %d %d 0x%" PRIx64 "\n", name, mode_name(place->mode), place->delay, t->pair,
           place->pc);
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct report_arguments *a = arguments;
    const char *path = a->path;
    struct epoch *e = model_find_epoch(path, model, a->epoch);

    if (!e)
        return EXIT_NO_DATA;
    if (!e->samples) {
        cli_error("%s holds no raw samples: boot the image with monitor=samples", path);
        return EXIT_NO_DATA;
    }
    print_head();
    for (size_t i = 0; i < e->samples->count; i++)
        print_sample(e, i);
    return report_verdict(path, stream, model, e);
}

static int run_command(int argc, char **argv)
{
    return report_command(&cmd_samples, argc, argv, report);
}

const struct subcommand cmd_samples = {
    .name = "samples", .what = "print each raw sample as a line", .run = run_command,
    .shared = {{&report_argp}}, .args_doc = "FILE",
    .doc = "Print each raw sample of the last complete run, or of an epoch, as a line.",
};
