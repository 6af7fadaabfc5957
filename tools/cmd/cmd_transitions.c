/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe transitions`: the exact timeline of a run, a line for each change of cell, for scripts
 * and people.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/model/model_reader.h"

static void print_one(const struct epoch *e, const struct transition *t, uint64_t from)
{
    char name[NAME_SIZE];

    printf("%" PRIu64 " %.9f %.9f ", t->number, (double)(int64_t)from / (double)e->hello.clock_hz,
           (double)t->time / (double)e->hello.clock_hz);
    if (t->monitor) {
        puts("MONITOR - 1");
        return;
    }
    if (t->known)
        epoch_name_of(e, t->id, name);
    printf("%s %s %d\n", t->known ? name : "-", mode_name(t->mode), t->masked);
}

/* Seconds count from the start of the window; after a gap this start is not known, and they count from the gap. */
static void print_all(const struct epoch *e)
{
    const struct transitions *t = e->transitions;
    uint64_t next = 0, from = 0;

    puts("# number seconds length task mode masked");
    for (size_t i = 0; i < t->count; i++) {
        const struct transition *one = &t->transition[i];

        if (one->number != next) {
            printf("# %" PRIu64 " changes are missing here: seconds begin anew\n", one->number - next);
            from = 0;
        }
        print_one(e, one, from);
        from += (uint64_t)one->time;
        next = one->number + 1;
    }
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct report_arguments *a = arguments;
    const char *path = a->path;
    struct epoch *e = model_find_epoch(path, model, a->epoch);
    int code;

    if (!e || !report_holds(path, e, e->transitions, "log of changes", "account=log"))
        return EXIT_NO_DATA;
    print_all(e);
    code = report_verdict(path, stream, model, e);
    if (e->transitions->lost)
        cli_error("the image's log had no room for the first %" PRIu64 " changes of %" PRIu64,
                  e->transitions->lost, e->transitions->told);
    if (transitions_missing(e->transitions))
        cli_error("%" PRIu64 " changes did not arrive", transitions_missing(e->transitions));
    if (code == EXIT_OK && (e->transitions->lost || transitions_missing(e->transitions) || !e->transitions->told))
        code = EXIT_DAMAGED;
    return code;
}

static int run_command(int argc, char **argv)
{
    return report_command(&cmd_transitions, argc, argv, report);
}

const struct subcommand cmd_transitions = {
    .name = "transitions", .what = "print each change of cell as a line: the exact timeline", .run = run_command,
    .shared = {{&report_argp}}, .args_doc = "FILE",
    .doc = "Print each change of cell of the last complete run, or of an epoch, as a line: the "
           "exact timeline of account=log.",
    .example = {"cpuprobe transitions log.dump | head -5"},
};
