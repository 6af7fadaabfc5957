/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe stat`: the table of Crowe, "CPU Probes", Figure 3, of a recorded
 * stream.
 */
#include "tools/cmd_stat.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/command.h"
#include "tools/input.h"
#include "tools/report.h"

struct arguments {
    const char *path; /* first: input_parse() fills it */
    unsigned long epoch; /* 0: the last complete one */
    bool wald, exact, cells, json, strict;
};

enum { OPTION_WALD = 256, OPTION_EXACT, OPTION_CELLS, OPTION_STRICT, OPTION_EPOCH };

static const struct argp_option options[] = {
    {"cells", OPTION_CELLS, NULL, 0, "an interval on each cell", 0},
    {"epoch", OPTION_EPOCH, "N", 0, "report epoch N of the stream, from 1", 0},
    {"exact", OPTION_EXACT, NULL, 0, "the exact shares beside the sampled ones, and the error",
     0},
    {"json", 'j', NULL, 0, "one JSON object, as docs/JSON.md says", 0},
    {"strict", OPTION_STRICT, NULL, 0, "exit 4 where damage or a missing end gives 3", 0},
    {"wald", OPTION_WALD, NULL, 0, "the paper's intervals, which are Wald's", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;
    char *end;

    switch (key) {
    case OPTION_CELLS: a->cells = true; return 0;
    case OPTION_EXACT: a->exact = true; return 0;
    case OPTION_STRICT: a->strict = true; return 0;
    case OPTION_WALD: a->wald = true; return 0;
    case 'j': a->json = true; return 0;
    case OPTION_EPOCH:
        a->epoch = strtoul(text, &end, 10);
        if (*end || !a->epoch || *text == '-')
            argp_error(state, "an epoch is a number from 1, not '%s'", text);
        return 0;
    default:
        return input_parse(key, text, state);
    }
}

static void print_line(void *context, const char *text)
{
    (void)context;
    puts(text);
}

/* How the ticks were made, and how long for. */
static void print_source(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;
    double mean = epoch_mean(e), hz = (double)h->clock_hz;

    if (!e->greeted || !e->words_known || mean <= 0.0 || hz <= 0.0)
        return;
    printf("tick     %s, %.1f Hz, %s, seed %" PRIu64 "\n", h->source.bytes, hz / mean,
           words_name(&e->words, "interval"), h->seed);
    if (e->snapshot)
        printf("window   %.3f s\n", (double)(e->snapshot->end - e->snapshot->begin) / hz);
}

static void print_sayings(const struct epoch *e)
{
    for (size_t i = 0; i < e->fault_count; i++) {
        const struct wire_fault *f = &e->faults[i];

        printf("fault    %s, %s mode, pc 0x%" PRIx64 ": %s\n", f->name.bytes,
               f->mode == 0 ? "user" : f->mode == 1 ? "supervisor" : "kernel", f->pc,
               f->cause.bytes);
    }
    for (size_t i = 0; i < e->report_count; i++)
        printf("report   %s: %" PRIu64 "\n", e->reports[i].name.bytes, e->reports[i].value);
    for (size_t i = 0; i < e->text_count; i++) /* each says its severity itself */
        if (e->texts[i].severity)
            printf("%s\n", e->texts[i].text.bytes);
}

static void print_text(const struct stat_report *r)
{
    if (r->epoch->snapshot)
        table_print(r->epoch->snapshot, r->options, print_line, NULL);
    print_source(r->epoch);
    print_sayings(r->epoch);
}

static int report(const struct arguments *a, const struct stream *stream, struct model *model)
{
    struct epoch *epoch = model_choose(model, a->epoch);
    struct table_options table;
    enum exit_code code;

    if (!epoch) {
        complain("%s: there is no epoch %lu; the stream has %zu", a->path, a->epoch,
                 model->epochs);
        return EXIT_NOTHING;
    }
    epoch_name_rows(epoch);
    table = report_options(epoch);
    table.wald = a->wald;
    table.exact = a->exact;
    table.cells = a->cells;
    if (a->json)
        stat_json(&(struct stat_report){stream, model, epoch, &table});
    else
        print_text(&(struct stat_report){stream, model, epoch, &table});
    if (fflush(stdout) || ferror(stdout)) {
        complain("standard output cannot be written");
        return EXIT_NOTHING;
    }
    code = report_verdict(a->path, stream, model, epoch);
    return a->strict && code == EXIT_DAMAGED ? EXIT_FAILS : code;
}

int cmd_stat(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Print where the CPU time went: the table of a recorded stream.",
    };
    struct arguments arguments = {0};
    struct stream stream;
    struct model *model = need(NULL, 1, sizeof(*model));
    bool read_well;
    int code = EXIT_NOTHING;

    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    read_well = input_model(arguments.path, &stream, model);
    if (stream.stats.bytes || read_well) {
        if (!input_is_void(arguments.path, &stream))
            code = report(&arguments, &stream, model);
        if (code == EXIT_WELL && !read_well)
            code = arguments.strict ? EXIT_FAILS : EXIT_DAMAGED;
    }
    model_free(model);
    free(model);
    return code;
}
