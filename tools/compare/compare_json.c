/* SPDX-License-Identifier: MIT */
/* Makes the JSON of `compare`, schema cpuprobe-compare-1.  What is not known is null. */
#include <math.h>

#include "tools/base/json_value.h"
#include "tools/compare/compare_view.h"

#define ROW_MEMBERS(M, O)                                                           \
    M(TEXT, name, "name of the row")                                                \
    M(REAL, total, "in all modes, percent; null: not told")                         \
    M(REAL, user, "in user mode, percent; null: the monitor tells no modes")        \
    M(REAL, supervisor, "in supervisor mode, percent; null: the monitor tells no modes") \
    M(REAL, kernel, "in the kernel, percent; null: the monitor tells no modes")     \
    M(REAL, interrupt, "in interrupt handlers, percent; null: the monitor tells no modes")
REPORT_OBJECT(row, ROW_MEMBERS)

#define USAGE_MEMBERS(M, O)                                                         \
    M(FLAG, solved, "it can be done")                                               \
    M(REAL, error, "how exact, in the unit of the usage; null: it cannot be done, or that is not known")
REPORT_OBJECT(usage, USAGE_MEMBERS)

#define USAGES_MEMBERS(M, O)                                                        \
    O(OBJECT, debugging, usage, "finding where a task is; error in s")              \
    O(OBJECT, load, usage, "the load by task and mode; error in points")            \
    O(OBJECT, bottleneck, usage, "the device that limits; error in points")         \
    O(OBJECT, model, usage, "the parameters of a queueing model; error in points")
REPORT_OBJECT(usages, USAGES_MEMBERS)

static const char *const places[] = {"software", "hardware", NULL};

#define MONITOR_MEMBERS(M, O)                                                       \
    M(TEXT, file, "name of the file")                                               \
    O(WORD, place, places, "where the monitor is")                                  \
    M(TEXT, monitor, "what it is")                                                  \
    M(FLAG, truth, "it is the one that the others are held against")                \
    M(REAL, step, "its temporal resolution, s")                                     \
    M(REAL, points, "half of its widest 95 % interval, for the account its resolution, points; null: not known") \
    M(REAL, off, "greatest distance of a cell from the truth, points; null: it is the truth, or there is none") \
    M(REAL, mean, "mean distance of its cells from the truth, points; null as `off`") \
    M(TEXT, worst, "the cell of the greatest distance; null as `off`")              \
    M(REAL, bytes_per_second, "bytes of its records a second")                      \
    M(REAL, line_percent, "their part of the line, percent")                        \
    M(REAL, memory_seconds, "how long the memory lasts, s; null: without an end")   \
    M(REAL, handler, "part of the window that its handler takes, percent; null: not told") \
    M(REAL, slows, "by how much the monitors of its stream slow the busiest task of --alone, percent") \
    M(REAL, records, "what it took: ticks, changes, events or halts")               \
    M(REAL, entropy, "entropy of a record, bytes; null: not known")                 \
    M(REAL, each, "time that a record takes, s; null: not known")                   \
    M(REAL, instructions, "instructions that take as long; null: not known")        \
    O(LIST, tasks, row, "its rows")                                                 \
    O(OBJECT, usages, usages, "what it is good for")
REPORT_OBJECT(monitor, MONITOR_MEMBERS)

#define COMPARE_MEMBERS(M, O)                                                       \
    M(REAL, line, "rate of the line, bit/s")                                        \
    M(REAL, memory, "memory of a monitor, bytes")                                   \
    O(LIST, monitors, monitor, "one each")
REPORT_WHOLE(compare, "cpuprobe-compare-1", COMPARE_MEMBERS)

static json_t *shares(const struct compare_monitor *m)
{
    json_t *const all = json_array();

    for (size_t i = 0; i < m->rows; i++) {
        const struct compare_row *const r = &m->row[i];

        REPORT_ADD(all, row, .name = r->name, .total = r->total, .user = r->percent[MODE_USER],
                   .supervisor = r->percent[MODE_SUPERVISOR], .kernel = r->percent[MODE_KERNEL],
                   .interrupt = r->percent[MODE_INTERRUPT]);
    }
    return all;
}

static json_t *usage(const struct compare *c, const struct compare_monitor *m, enum compare_usage of)
{
    const struct compare_answer answer = compare_answer(c, m, of);

    return REPORT_MAKE(usage, .solved = answer.solved, .error = answer.solved ? answer.error : NAN);
}

static json_t *monitor(const struct compare *c, const struct compare_monitor *m, const struct compare_settings *how)
{
    json_t *const usages = REPORT_MAKE(usages, usage(c, m, USAGE_DEBUGGING), usage(c, m, USAGE_LOAD),
                                       usage(c, m, USAGE_BOTTLENECK), usage(c, m, USAGE_MODEL));

    return REPORT_MAKE(monitor, .file = m->from->path, .place = places[m->hardware], .monitor = m->name,
                       .truth = m == c->truth, .step = m->step, .points = m->points, .off = m->off, .mean = m->mean,
                       .worst = isnan(m->off) ? NULL : m->worst, .bytes_per_second = m->bytes,
                       .line_percent = compare_line_percent(m, how), .memory_seconds = compare_duration(m, how),
                       .handler = m->handler, .slows = m->slows, .records = m->records, .entropy = m->entropy,
                       .each = m->each, .instructions = compare_instructions(c, m), .tasks = shares(m),
                       .usages = usages);
}

void compare_print_json(const struct compare *c, const struct compare_settings *how)
{
    json_t *const all = json_array();

    for (size_t i = 0; i < c->monitors; i++)
        json_array_append_new(all, monitor(c, &c->monitor[i], how));
    json_print(REPORT_MAKE(compare, .line = how->line, .memory = how->memory, .monitors = all), JSON_INDENT(2));
}
