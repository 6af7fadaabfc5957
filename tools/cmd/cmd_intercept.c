/* SPDX-License-Identifier: MIT */
/* `cpuprobe intercept`: how often each vector interrupted, for how long, and how late. */
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
    const struct record_store *const s = epoch_kept(e, WIRE_INTERCEPT);
    const struct wire_intercept *const head = record_last(s);
    const struct wire_intercept_row *const row = record_row(s, 0);
    const uint64_t handlers = intercept_handlers(e);
    const double hz = (double)e->hello.clock_hz;
    char text[TEXT_BUF_SIZE];
    uint64_t exact;

    intercept_print_head(text);
    puts(text);
    for (size_t i = 0; i < s->row.count; i++) {
        intercept_print(text, head, &row[i], e->hello.clock_hz);
        printf("%s%s\n", text, row[i].tick ? "  ticks: the time is MONITOR's" : "");
    }
    printf("handlers %.9f s, redirected %" PRIu64 " times\n", (double)handlers / hz, head->starts);
    if (intercept_exact(e, &exact))
        printf("exact    %.9f s in the column Interrupt, %+" PRId64 " clock units beside it\n", (double)exact / hz,
               (int64_t)(handlers - exact));
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct report_arguments *a = arguments;
    struct epoch *e = report_epoch(a->path, model, a->epoch);

    if (!e || !report_holds(a->path, e, epoch_kept(e, WIRE_INTERCEPT)->row.count,
                            "intercepted interrupts", "monitor=intercept"))
        return EXIT_NO_DATA;
    if (a->json)
        json_print(intercept_json(e), JSON_INDENT(1));
    else
        print_text(e);
    return report_verdict(a->path, stream, model, e);
}

const struct subcommand cmd_intercept = {
    .name = "intercept", .what = "print how long interrupts took and waited, by vector",
    .through = report_command, .report = report, .bytes = sizeof(struct report_arguments),
    .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&intercept_object},
    .doc = "Print the interrupts of monitor=intercept by vector: count, share of the time, mean and greatest time, "
           "and how late they came where the device tells.",
    .example = {"cpuprobe intercept monitors.dump"},
};
