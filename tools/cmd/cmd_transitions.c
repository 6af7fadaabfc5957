/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe transitions`: the exact timeline of a run, a line for each change of cell, for scripts
 * and people.
 */
#include <inttypes.h>
#include <stdio.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/timeline/epoch_pass.h"

/* Seconds count from the start of the window; after a gap this start is not known, and they count from the gap. */
struct printing {
    const struct epoch *epoch;
    uint64_t next, from;
    uint64_t printed;
};

static void print_change(void *context, const struct transition *t)
{
    struct printing *p = context;
    const double hz = (double)p->epoch->hello.clock_hz;
    char name[NAME_SIZE];

    if (t->number != p->next) {
        printf("# %" PRIu64 " changes are missing here: seconds begin anew\n", t->number - p->next);
        p->from = 0;
    }
    printf("%" PRIu64 " %.9f %.9f ", t->number, (double)(int64_t)p->from / hz, (double)t->time / hz);
    p->from += (uint64_t)t->time;
    p->next = t->number + 1;
    p->printed++;
    if (t->monitor) {
        puts("MONITOR - 1");
        return;
    }
    if (t->known)
        epoch_name_of(p->epoch, t->id, name);
    printf("%s %s %d\n", t->known ? name : "-", mode_name(t->mode), t->masked);
}

static int report(void *arguments, struct epoch_pass *p)
{
    const char *path = ((const struct report_arguments *)arguments)->path;
    struct epoch *e = epoch_pass_epoch(p);
    const struct transitions *t = e->transitions;
    struct printing printing = {.epoch = e};
    int code;

    if (!report_holds(path, e, t, "log of changes", "account=log"))
        return EXIT_NO_DATA;
    puts("# number seconds length task mode masked");
    epoch_pass_run(p, &(struct epoch_sink){.context = &printing, .on_change = print_change});
    code = report_verdict(path, epoch_pass_stream(p), epoch_pass_model(p), e);
    if (t->lost)
        cli_error("the image's log had no room for the first %" PRIu64 " changes of %" PRIu64, t->lost, t->told);
    if (transitions_missing(t))
        cli_error("%" PRIu64 " changes did not arrive", transitions_missing(t));
    if (printing.printed < t->count)
        cli_error("%" PRIu64 " changes came after later ones and are left out", t->count - printing.printed);
    if (code == EXIT_OK && (t->lost || transitions_missing(t) || !t->told || printing.printed < t->count))
        code = EXIT_DAMAGED;
    return code;
}

const struct subcommand cmd_transitions = {
    .name = "transitions", .what = "print each change of cell as a line: the exact timeline",
    .through = pass_command, .pass = report, .bytes = sizeof(struct report_arguments),
    .shared = {{&report_text_options}}, .args_doc = "FILE",
    .doc = "Print each change of cell of the last complete run, or of an epoch, as a line: the "
           "exact timeline of account=log.",
    .example = {"cpuprobe transitions log.dump | head -5"},
};
