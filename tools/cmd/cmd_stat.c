/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe stat`: the table of Crowe, "CPU Probes", Figure 3, of a recorded
 * stream.
 */
#include "tools/stat/stat_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "probe/stats/monitor_print.h"
#include "probe/stats/table_sort.h"
#include "probe/stats/verdict.h"
#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/printable.h"
#include "tools/cmd/commands.h"
#include "tools/records/plain_report.h"
#include "tools/records/record_store.h"
#include "tools/view/histogram_view.h"

struct arguments {
    struct report_arguments of; /* first: its path */
    bool wald, exact, cells;
    enum table_order order; /* TABLE_ORDERS: not given */
    uint32_t top;           /* tasks that are printed; 0: all */
};

static const struct option_row options[] = {
    {"cells", 0, NULL, "print an interval for each cell", SET_FLAG(cells)},
    {"exact", 0, NULL, "print the exact shares beside the sampled ones, and the error", SET_FLAG(exact)},
    {"sort", 0, TABLE_ORDER_CHOICES, "rows by share, by name (default without --top), or by the largest error first",
     SET_WORD(order)},
    {"strict", 0, NULL, "exit with 4 instead of 3 for damage or a missing end, and with 4 if two sources differ",
     SET_FLAG(of.strict)},
    {"top", 0, "N", "print the N tasks with the largest shares, or the first by --sort; --json has all",
     SET_NUMBER(top, 1, UINT32_MAX)},
    {"wald", 0, NULL, "use the paper's intervals (Wald's)", SET_FLAG(wald)},
    {0},
};

/* The source and policy of the ticks, and the length of the run. */
static void print_source(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;
    double mean = epoch_mean(e), hz = (double)h->clock_hz;

    if (!e->has_hello || !e->words_known || mean <= 0.0 || hz <= 0.0)
        return;
    printf("tick     %s, %.1f Hz, %s, seed %" PRIu64 "\n", h->source.bytes, hz / mean,
           epoch_policy_known(e) ? config_value_name(&e->words, CONFIG_INTERVAL) : "policy not told", h->seed);
    if (e->snapshot)
        printf("window   %.3f s\n", (double)(e->snapshot->end - e->snapshot->begin) / hz);
}

/* stack=: of how many samples callers are missing, and why. */
static void print_walks(const struct epoch *e)
{
    if (epoch_walks_lost(e))
        printf("callers  up to %" PRIu64 " of samples in user mode: %s\n", epoch_walks(e)->callers,
               epoch_walks_text(e));
}

static void print_line_of(const struct epoch *e, enum wire_type type, const char *name, const void *of)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    if (record_line_print(&b, type, name, of, e->hello.clock_hz))
        puts(text);
}

/* The last record of each monitor that has a line of text, as the image prints it. */
static void print_monitors(const struct epoch *e)
{
    const struct wire_record *r;

    for (unsigned n = 0; (r = wire_record_at(n)); n++) {
        const struct record_store *const s = epoch_kept(e, r->type);
        char name[NAME_SIZE];

        if (!r->rows && s->head.count)
            print_line_of(e, r->type, NULL, record_last(s));
        for (size_t i = record_last_rows(s); i < s->row.count; i++) {
            epoch_name_of(e, record_row_id(s, i), name);
            print_line_of(e, r->type, name, record_row(s, i));
        }
    }
}

static void print_sayings(const struct epoch *e)
{
    const struct record_store *const faults = epoch_kept(e, WIRE_FAULT), *const reports = epoch_kept(e, WIRE_REPORT);

    for (size_t i = 0; i < faults->head.count; i++) {
        const struct wire_fault *f = record_head(faults, i);

        printf("fault    %s, %s mode, pc 0x%" PRIx64 ": %s\n", f->name.bytes,
               f->mode == 0 ? "user" : f->mode == 1 ? "supervisor" : "kernel", f->pc,
               f->cause.bytes);
    }
    for (size_t i = 0; i < reports->head.count; i++) {
        const struct wire_report *r = record_head(reports, i);

        printf("report   %s: %" PRIu64 "\n", r->name.bytes, r->value);
    }
}

/* Print the image's warnings on standard error; each message has its own prefix. */
static void print_warnings(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_TEXT);

    fflush(stdout); /* on a terminal they come after the report */
    for (size_t i = 0; i < s->head.count; i++) {
        const struct wire_text_record *said = record_head(s, i);

        if (said->severity)
            fprintf(stderr, "%s\n", said->text.bytes);
    }
}

/* Samples of tasks that found no record are nobody's; above 1 % the shares of all others are visibly low. */
static void warn_lost(const char *path, const struct epoch *e)
{
    const struct snapshot *const s = e->snapshot;

    if (s && s->lost_table * 100 > s->samples)
        cli_error("%s: warning: LOST has %.1f %% of the samples: there were more tasks than the table has records "
                  "for", path, 100.0 * (double)s->lost_table / (double)s->samples);
}

static void print_unsound(void *context, const char *sentence)
{
    (void)context;
    printf("unsound  %s\n", sentence);
}

/* Of a table and of that beside it: what cannot be. */
static void count_unsound(void *context, const char *sentence)
{
    (void)sentence;
    ++*(unsigned *)context;
}

static enum exit_code warn_unsound(const char *path, const struct epoch *e)
{
    unsigned found = 0;

    for (; e; e = e->second_source)
        plausible_table(e, count_unsound, &found);
    if (found)
        cli_error("%s: the table is unsound in %u place%s: \"cpuprobe audit\" checks all of it", path, found,
                  found == 1 ? "" : "s");
    return found ? EXIT_DAMAGED : EXIT_OK;
}

static void print_table(const struct epoch *e, const struct table_options *options)
{
    if (e->snapshot)
        table_print(e->snapshot, options, view_line, NULL);
    print_source(e);
    plausible_table(e, print_unsound, NULL);
}

/* Last, where a terminal ends. */
static void print_verdict(const struct stat_report *r)
{
    char sentence[VERDICT_SENTENCE];

    verdict_make(sentence, r->epoch->snapshot, r->options);
    printable(sentence);
    if (*sentence)
        printf("\n%s\n", sentence);
}

static void print_text(const struct stat_report *r)
{
    print_table(r->epoch, r->options);
    if (r->second_source) {
        puts("");
        print_table(r->second_source->epoch, r->second_source->options);
        puts("");
    }
    if (r->alias)
        alias_print(&r->alias->alias, r->alias->side, view_line, NULL);
    print_walks(r->epoch);
    print_monitors(r->epoch);
    print_sayings(r->epoch);
    plain_print(stdout, &r->epoch->kept);
    print_verdict(r);
}

/* The user's options, for each table. */
static void set_options(struct stat_report_parts *p, const struct arguments *a)
{
    for (unsigned i = 0; i < 2; i++) {
        p->table[i].wald = a->wald;
        p->table[i].exact = a->exact;
        p->table[i].cells = a->cells;
        p->table[i].top = a->top;
    }
}

/* The tables of both sources, each by the errors of its own. */
static void sort(struct epoch *e, enum table_order order)
{
    for (; e && order != TABLE_BY_NAME; e = e->second_source)
        if (e->snapshot) {
            const struct table_options o = report_options(e);

            table_sort_by(e->snapshot, order, &o);
        }
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct arguments *a = arguments;
    struct epoch *epoch = report_epoch(a->of.path, model, a->of.epoch);
    struct stat_report_parts parts;
    enum exit_code code;

    if (!epoch)
        return EXIT_NO_DATA;
    sort(epoch, a->order != TABLE_ORDERS ? a->order : a->top ? TABLE_BY_TOTAL : TABLE_BY_NAME);
    stat_report_make(&parts, stream, model, epoch);
    set_options(&parts, a);
    if (a->of.json)
        stat_json(&parts.whole);
    else
        print_text(&parts.whole);
    if (!a->of.json) {
        print_warnings(epoch);
        warn_lost(a->of.path, epoch);
    }
    code = report_verdict(a->of.path, stream, model, epoch) | warn_unsound(a->of.path, epoch);
    return code == EXIT_OK && a->of.strict && parts.whole.alias && parts.beside.alias.differ ? EXIT_CHECK_FAILED
                                                                                             : code;
}

const struct subcommand cmd_stat = {
    .name = "stat", .what = "print the table of CPU time by task and mode",
    .through = report_command, .report = report, .bytes = sizeof(struct arguments),
    .initial = &(const struct arguments){.of.samples = SAMPLES_COUNTED, .order = TABLE_ORDERS},
    .own = {options}, .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&stat_object},
    .doc = "Print where the CPU time went: the table of a recorded stream.",
    .example = {"cpuprobe stat --exact dump", "cpuprobe stat --top 3 dump"},
};
