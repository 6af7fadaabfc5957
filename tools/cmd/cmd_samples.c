/* SPDX-License-Identifier: MIT */
/* `cpuprobe samples`: each raw sample as a line of blank-separated columns, for scripts and people. */
#include <stdio.h>

#include "tools/analysis/report.h"
#include "tools/analysis/report_pass.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/view/sample_text.h"

static void print_sample(void *context, const struct resolved_sample *s)
{
    char line[SAMPLE_TEXT_LINE];

    fwrite_unlocked(line, 1, sample_text_line(context, s, line), stdout);
}

static bool print_all(struct epoch_pass *p)
{
    static struct sample_text text;

    sample_text_begin(&text, epoch_pass_epoch(p));
    puts("# tick seconds task mode late pair pc");
    return epoch_pass_run(p, &(struct epoch_sink){.context = &text, .on_sample = print_sample});
}

static int report(void *arguments, struct epoch_pass *p)
{
    const struct report_arguments *a = arguments;
    const struct epoch *e = epoch_pass_epoch(p);

    if (!e->samples) {
        cli_error("%s holds no raw samples: boot the image with monitor=samples", a->path);
        return EXIT_NO_DATA;
    }
    if (!print_all(p))
        return EXIT_NO_DATA;
    return report_verdict(a->path, epoch_pass_stream(p), epoch_pass_model(p), e);
}

static int run_command(int argc, char **argv)
{
    struct report_arguments a = {0};

    subcommand_parse(&cmd_samples, argc, argv, &a);
    return report_pass(a.path, a.epoch, &a, report);
}

const struct subcommand cmd_samples = {
    .name = "samples", .what = "print each raw sample as a line", .run = run_command,
    .shared = {{&report_text_options}}, .args_doc = "FILE",
    .doc = "Print each raw sample of the last complete run, or of an epoch, as a line.",
    .example = {"cpuprobe samples dump | head -5"},
};
