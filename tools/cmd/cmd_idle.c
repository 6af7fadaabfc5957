/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe idle`: the load by the idle counters (Thurner, Figure 5), between each two readings and in
 * all.  The counters are cumulative: where a record was lost the line covers the time of both.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/stats/idle_load.h"
#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/json_value.h"
#include "tools/cmd/commands.h"

/* From one reading, NULL for the beginning, to another. */
static struct idle_load between(const struct wire_idle *from, const struct wire_idle *to)
{
    return (struct idle_load){
        .idle = to->idle - (from ? from->idle : 0),
        .clock = to->end - (from ? from->end : to->begin),
        .io = to->io - (from ? from->io : 0),
        .halts = to->halts - (from ? from->halts : 0),
    };
}

/* The exact time of IDLE with interrupts on, which is that across HLT, at the reading of the same number; false: it is not there. */
static bool exact_idle(const struct epoch *e, uint64_t serial, uint64_t *time)
{
    const struct snapshot *s = e->snapshot;

    for (uint32_t r = 0; s && s->serial == serial && s->exact && r < s->rows; r++)
        if (s->row[r].id == ROW_IDLE) {
            *time = s->row[r].time[MODE_KERNEL];
            return true;
        }
    return false;
}

static void print_text(const struct epoch *e)
{
    const struct software_records *s = &e->software;
    const struct wire_idle *const last = &s->idle[s->idle_count - 1];
    const struct idle_load all = between(NULL, last);
    const double hz = (double)e->hello.clock_hz;
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);
    uint64_t exact;

    puts("# from to idle% of-it-io% load% halts");
    for (size_t i = 0; i < s->idle_count; i++) {
        const struct wire_idle *from = i ? &s->idle[i - 1] : NULL, *to = &s->idle[i];
        const struct idle_load l = between(from, to);

        if (l.clock)
            printf("%.6f %.6f %.4f %.4f %.4f %" PRIu64 "\n", (double)(from ? from->end : to->begin) / hz, (double)to->end / hz,
                   100 - idle_load_busy(&l), 100 * (double)l.io / (double)l.clock, idle_load_busy(&l), l.halts);
    }
    idle_load_print(&b, &all, e->hello.clock_hz, e->hello.entry);
    puts(text);
    if (all.clock && exact_idle(e, last->serial, &exact))
        printf("exact    %.4f %% (IDLE, interrupts on), the counter is off by %+.5f points\n", 100 * (double)exact / (double)all.clock,
               100 * ((double)all.idle - (double)exact) / (double)all.clock);
}

static json_t *load_json(const struct wire_idle *from, const struct wire_idle *to)
{
    const struct idle_load l = between(from, to);

    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f}", "serial", (json_int_t)to->serial, "end", (json_int_t)to->end,
                     "idle", (json_int_t)l.idle, "clock", (json_int_t)l.clock, "io", (json_int_t)l.io, "halts", (json_int_t)l.halts,
                     "load", idle_load_busy(&l));
}

static void print_json(const struct epoch *e)
{
    const struct software_records *s = &e->software;
    const struct wire_idle *const last = &s->idle[s->idle_count - 1];
    const struct idle_load all = between(NULL, last);
    json_t *readings = json_array();
    uint64_t exact;

    for (size_t i = 0; i < s->idle_count; i++)
        json_array_append_new(readings, load_json(i ? &s->idle[i - 1] : NULL, &s->idle[i]));
    json_print(json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "schema", "cpuprobe-idle-1",
                         "clock_hz", json_count(e->hello.clock_hz), "total", load_json(NULL, last),
                         "resolution", json_finite(idle_load_resolution(&all, e->hello.entry)), "readings", readings,
                         "exact", exact_idle(e, last->serial, &exact) ? json_count(exact) : json_null()),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct report_arguments *a = arguments;
    struct epoch *e = report_epoch(a->path, model, a->epoch);

    if (!e || !report_holds(a->path, e, e->software.idle_count, "idle counters", "monitor=idle"))
        return EXIT_NO_DATA;
    if (a->json)
        print_json(e);
    else
        print_text(e);
    return report_verdict(a->path, stream, model, e);
}

static int run_command(int argc, char **argv)
{
    return report_command(&cmd_idle, argc, argv, report);
}

const struct subcommand cmd_idle = {
    .name = "idle", .what = "print the load by the idle counters", .run = run_command,
    .shared = {{&report_json_argp}}, .args_doc = "FILE",
    .doc = "Print the load by the idle counters of monitor=idle: between each two readings, in all, and "
           "beside the exact table.",
    .example = {"cpuprobe idle monitors.dump"},
};
