/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe idle`: the load by the idle counters (Thurner, Figure 5), between each two readings and in
 * all.  The counters are cumulative: where a record was lost the line covers the time of both.
 */
#include <inttypes.h>
#include <stdio.h>

#include "probe/stats/monitor_print.h"
#include "tools/analysis/monitor_times.h"
#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/json/report_json.h"

static void print_text(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_IDLE);
    const struct wire_idle *const reading = record_head(s, 0), *const last = record_last(s);
    const struct idle_load all = idle_between(NULL, last);
    const double hz = (double)e->hello.clock_hz;
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);
    uint64_t exact;

    puts("# from to idle% of-it-io% load% halts");
    for (size_t i = 0; i < s->head.count; i++) {
        const struct wire_idle *from = i ? &reading[i - 1] : NULL, *to = &reading[i];
        const struct idle_load l = idle_between(from, to);

        if (l.clock)
            printf("%.6f %.6f %.4f %.4f %.4f %" PRIu64 "\n", (double)(from ? from->end : to->begin) / hz,
                   (double)to->end / hz, 100 - idle_load_busy(&l), 100 * (double)l.io / (double)l.clock,
                   idle_load_busy(&l), l.halts);
    }
    idle_load_print(&b, &all, e->hello.clock_hz, e->hello.entry);
    puts(text);
    if (all.clock && idle_exact(e, last->serial, &exact))
        printf("exact    %.4f %% (IDLE, interrupts on), the counter is off by %+.5f points\n",
               100 * (double)exact / (double)all.clock, 100 * ((double)all.idle - (double)exact) / (double)all.clock);
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct report_arguments *a = arguments;
    struct epoch *e = report_epoch(a->path, model, a->epoch);

    if (!e || !report_holds(a->path, e, epoch_kept(e, WIRE_IDLE)->head.count, "idle counters", "monitor=idle"))
        return EXIT_NO_DATA;
    if (a->json)
        json_print(idle_json(e), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    else
        print_text(e);
    return report_verdict(a->path, stream, model, e);
}

const struct subcommand cmd_idle = {
    .name = "idle", .what = "print the load by the idle counters",
    .through = report_command, .report = report, .bytes = sizeof(struct report_arguments),
    .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&idle_object},
    .doc = "Print the load by the idle counters of monitor=idle: between each two readings, in all, and "
           "beside the exact table.",
    .example = {"cpuprobe idle monitors.dump"},
};
