/* SPDX-License-Identifier: MIT */
/* `cpuprobe intercept`: how often each vector interrupted, for how long, and how late. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/stats/intercept_print.h"
#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/report_object.h"
#include "tools/base/json_value.h"
#include "tools/cmd/commands.h"

/*
 * The interrupt column of the exact table at the same moment, masked time included; false: it is not there, or
 * covers something else, because gates were given back meanwhile or an NMI closed the table.
 */
static bool exact_interrupts(const struct epoch *e, uint64_t *time)
{
    const struct snapshot *s = e->snapshot;

    if (e->software.intercept.starts != 1 || (e->words_known && config_via_nmi(&e->words)))
        return false;
    if (!s || !s->exact || s->serial != e->software.intercept.serial)
        return false;
    *time = 0;
    for (uint32_t r = 0; r < s->rows; r++)
        *time += s->row[r].time[MODE_INTERRUPT] + s->row[r].masked[MODE_INTERRUPT];
    return true;
}

/* Of all vectors but those of ticks, whose time is MONITOR's. */
static uint64_t time_of_handlers(const struct software_records *s)
{
    uint64_t time = 0;

    for (size_t i = 0; i < s->vector_count; i++)
        time += s->vector[i].row.tick ? 0 : s->vector[i].row.time;
    return time;
}

static void print_text(const struct epoch *e)
{
    const struct software_records *s = &e->software;
    const double hz = (double)e->hello.clock_hz;
    char text[TEXT_BUF_SIZE];
    uint64_t exact;

    intercept_print_head(text);
    puts(text);
    for (size_t i = 0; i < s->vector_count; i++) {
        const struct wire_intercept_row *r = &s->vector[i].row;

        intercept_print(text, &(struct intercept_line){
            .name = s->vector[i].name, .count = r->count, .time = r->time, .greatest = r->greatest,
            .latencies = r->latencies, .latency = r->latency, .latency_greatest = r->latency_greatest,
            .window = s->intercept.end - s->intercept.begin, .clock_hz = e->hello.clock_hz,
        });
        printf("%s%s\n", text, r->tick ? "  ticks: the time is MONITOR's" : "");
    }
    printf("handlers %.9f s, redirected %" PRIu64 " times\n", (double)time_of_handlers(s) / hz, s->intercept.starts);
    if (exact_interrupts(e, &exact))
        printf("exact    %.9f s in the column Interrupt, %+" PRId64 " clock units beside it\n", (double)exact / hz,
               (int64_t)(time_of_handlers(s) - exact));
}

#define VECTOR_MEMBERS(M, O)                                                        \
    M(COUNT, vector, "number of the vector")                                        \
    M(TEXT, name, "what interrupts there")                                          \
    M(FLAG, tick, "it is that of ticks: its time is MONITOR's")                     \
    M(COUNT, count, "interrupts")                                                   \
    M(COUNT, time, "of the handler, without what interrupted it, clock units")      \
    M(COUNT, greatest, "time of one handler, clock units")                          \
    M(COUNT, latencies, "interrupts whose latency is known")                        \
    M(COUNT, latency, "from the moment that the device was armed for to the gate: of all, clock units") \
    M(COUNT, latency_greatest, "of one, clock units")
REPORT_OBJECT(vector, VECTOR_MEMBERS)

#define INTERCEPT_MEMBERS(M, O)                                                     \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")                          \
    M(COUNT, begin, "when the first interrupt was counted, clock units since the start") \
    M(COUNT, end, "when the last one was, clock units since the start")             \
    M(COUNT, starts, "how often the gates were redirected")                         \
    M(COUNT, handlers, "time of all vectors but those of ticks, clock units")       \
    M(COUNT_OR_NULL, exact, "column Interrupt of the exact table at the same moment, masked time included; null: it covers something else") \
    O(LIST, vectors, vector, "those that interrupted, by their numbers")
REPORT_WHOLE(intercept, "cpuprobe-intercept-1", INTERCEPT_MEMBERS)

static json_t *vectors_json(const struct software_records *s)
{
    json_t *const list = json_array();

    for (size_t i = 0; i < s->vector_count; i++) {
        const struct wire_intercept_row *r = &s->vector[i].row;

        json_array_append_new(list, REPORT_MAKE(vector, .vector = r->vector, .name = s->vector[i].name, .tick = r->tick,
                                              .count = r->count, .time = r->time, .greatest = r->greatest,
                                              .latencies = r->latencies, .latency = r->latency,
                                              .latency_greatest = r->latency_greatest));
    }
    return list;
}

static void print_json(const struct epoch *e)
{
    const struct software_records *s = &e->software;
    struct report_maybe exact = {0};

    exact.known = exact_interrupts(e, &exact.value);
    json_print(REPORT_MAKE(intercept, .clock_hz = e->hello.clock_hz, .begin = s->intercept.begin, .end = s->intercept.end,
                         .starts = s->intercept.starts, .handlers = time_of_handlers(s), .exact = exact,
                         .vectors = vectors_json(s)), JSON_INDENT(1));
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct report_arguments *a = arguments;
    struct epoch *e = report_epoch(a->path, model, a->epoch);

    if (!e || !report_holds(a->path, e, e->software.vector_count, "intercepted interrupts", "monitor=intercept"))
        return EXIT_NO_DATA;
    if (a->json)
        print_json(e);
    else
        print_text(e);
    return report_verdict(a->path, stream, model, e);
}

static int run_command(int argc, char **argv)
{
    return report_command(&cmd_intercept, argc, argv, report);
}

const struct subcommand cmd_intercept = {
    .name = "intercept", .what = "print how long interrupts took and waited, by vector", .run = run_command,
    .shared = {{&report_json_argp}}, .args_doc = "FILE", .json = {&intercept_object},
    .doc = "Print the interrupts of monitor=intercept by vector: count, share of the time, mean and greatest time, "
           "and how late they came where the device tells.",
    .example = {"cpuprobe intercept monitors.dump"},
};
