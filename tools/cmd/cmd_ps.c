/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe ps`: the tables of processes of a stream, one after the other, as the paper's collection shows them: what
 * changed since the table before, sorted, new and ended ones marked.  Of a running image: its own ps.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/analysis/process_json.h"
#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/stream/port.h"
#include "tools/view/histogram_view.h"

static void print_table(const struct process_collection *c, const struct wire_proctable *head, double hz)
{
    printf("%.3f s: %" PRIu64 " passes of %" PRIu32 " tasks, %.2f %% not of IDLE\n", (double)head->time / hz,
           c->total, c->count, c->total ? 100 * (double)process_collection_busy(c) / (double)c->total : 0.0);
    process_collection_print(c, view_line);
}

/*
 * Each table that is whole; `tables`, unless NULL, gets them, else they are printed.
 * False where one is larger than any can be.
 */
static bool each_table(const struct epoch *e, struct process_collection *c, json_t *tables)
{
    const struct record_store *const s = epoch_kept(e, WIRE_PROCTABLE);
    bool room = true;

    for (size_t i = 0; i < s->head.count && room; i++) {
        if (!process_table_collect(c, e, i, &room))
            continue;
        if (tables)
            json_array_append_new(tables, process_table_json(c, record_head(s, i)));
        else
            print_table(c, record_head(s, i), (double)e->hello.clock_hz);
    }
    return room;
}

#define PS_MEMBERS(M, O)                                                            \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")                          \
    O(LIST, tables, process_table, "each whole table, with the passes since the table before")
REPORT_WHOLE(ps, "cpuprobe-ps-1", PS_MEMBERS)

static bool show(const struct epoch *e, bool as_json)
{
    struct process_collection *const c = xcalloc(1, sizeof(*c));
    json_t *const tables = as_json ? json_array() : NULL;
    bool room;

    room = each_table(e, c, tables);
    if (as_json)
        json_print(REPORT_MAKE(ps, e->hello.clock_hz, tables), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    free(c);
    return room;
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct report_arguments *a = arguments;
    struct epoch *e = report_epoch(a->path, model, a->epoch);

    if (!e || !report_holds(a->path, e, epoch_kept(e, WIRE_PROCTABLE)->head.count,
                            "table of processes", "monitor=proctable"))
        return EXIT_NO_DATA;
    if (!show(e, a->json)) {
        cli_error("%s: a table of more than %u processes", a->path, PROCESSES_MAX);
        return EXIT_DAMAGED;
    }
    return report_verdict(a->path, stream, model, e);
}

static int run_command(const struct subcommand *c, void *arguments)
{
    const struct report_arguments *a = arguments;

    if (!a->json && !a->epoch && port_is_line(a->path))
        return subcommand_run(&cmd_control, 3, (char *[]){"cpuprobe control", (char *)a->path, "ps", NULL});
    return report_command(c, arguments);
}

const struct subcommand cmd_ps = {
    .name = "ps", .what = "print the tables of processes, or the tasks of a running image",
    .through = run_command, .report = report, .bytes = sizeof(struct report_arguments),
    .shared = {{&report_json_options}}, .args_doc = "FILE|PORT", .json = {&ps_object},
    .doc = "Print the tables of processes of monitor=proctable: passes through the scheduler since the table "
           "before, + new, - ended.  Where FILE is the line of an image that runs: its command ps.",
    .example = {"cpuprobe ps load.dump"},
};
