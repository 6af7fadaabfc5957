/* SPDX-License-Identifier: MIT */
/* Shows the tables, the picture and the JSON of `compare`, schema cpuprobe-compare-1.  What is not known is null. */
#include "tools/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/draw/monitor_map.h"

/* s until so much memory is full; HUGE_VAL where nothing is recorded. */
static double duration(const struct compare_monitor *m, const struct compare_settings *how)
{
    return m->bytes > 0.0 ? how->memory / m->bytes : HUGE_VAL;
}

/* Percent of the line that its bytes take. */
static double line_percent(const struct compare_monitor *m, const struct compare_settings *how)
{
    return 100.0 * m->bytes * 10.0 / how->line;
}

/* That one record takes; 0 outside of the machine, NaN: not known. */
static double instructions(const struct compare *c, const struct compare_monitor *m)
{
    return m->hardware ? 0.0 : m->each / c->instruction;
}

static const char *place_of(const struct compare_monitor *m)
{
    return m->hardware ? "hardware" : "software";
}

/* A time as "1.00 ms"; valid until the next call but three. */
static const char *brief_time(double seconds)
{
    static const struct { double least, factor; const char *unit; } units[] = {
        {1.0, 1.0, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0.0, 1e9, "ns"}};
    static char text[4][24];
    static unsigned turn;
    char *const to = text[turn++ % 4];
    size_t u = 0;

    if (isinf(seconds))
        return "no end";
    while (seconds < 0.9995 * units[u].least) /* 999.96 us are 1 ms */
        u++;
    snprintf(to, sizeof(text[0]), seconds >= 1e6 ? "%.2g %s" : "%.4g %s", seconds * units[u].factor, units[u].unit);
    return to;
}

/* A number, or "-" where it is not known; valid until the next call but seven. */
static const char *number_text(const char *format, double number)
{
    static char text[8][24];
    static unsigned turn;
    char *const to = text[turn++ % 8];

    if (isnan(number))
        return "-";
    snprintf(to, sizeof(text[0]), format, number);
    return to;
}

static void print_monitor(const struct compare *c, size_t number, const struct compare_settings *how)
{
    const struct compare_monitor *m = &c->monitor[number];

    printf("%2zu  %-8s  %-22s  %10s  %7s  %7s  %7s  %8.0f  %6.1f  %10s  %7s  %7s  %s\n", number + 1, place_of(m),
           m->name, brief_time(m->step), number_text("%.4f", m->points),
           m == c->truth ? "truth" : number_text("%.4f", m->off),
           number_text("%.4f", m->mean), m->bytes, line_percent(m, how), brief_time(duration(m, how)),
           number_text("%.3f", m->handler), number_text("%.3f", m->slows),
           m == c->truth || isnan(m->off) ? m->from->path : m->worst);
}

/* Why a column is empty. */
static void print_unknown(const struct compare *c)
{
    if (isnan(c->instruction))
        puts("Instr.: no stream of hwmon tells how long an instruction takes.");
    if (!c->alone.epoch)
        puts("Slows, and Takes of what is no tick: --alone was not given.");
}

static void print_monitors(const struct compare *c, const struct compare_settings *how)
{
    printf(" #  Place     Monitor                 Resolution   +-       Off by     Mean     Bytes/s  Line %%  Memory "
           "for  Handler    Slows"
           "  Worst cell, or file\n");
    for (size_t i = 0; i < c->monitors; i++)
        print_monitor(c, i, how);
}

static double bytes_of_one(const struct compare_monitor *m)
{
    const struct snapshot *s = m->from->epoch->snapshot;

    return m->bytes * (double)(s->end - s->begin) / (double)m->from->epoch->hello.clock_hz / m->records;
}

static void print_records(const struct compare *c)
{
    puts("\n #  A record is           Records       Takes  Instr.   Bytes  Entropy, bytes");
    for (size_t i = 0; i < c->monitors; i++) {
        const struct compare_monitor *m = &c->monitor[i];
        static const char *const what[COMPARE_KINDS] = {"a tick", "a change of cell", "a change of cell", "an event",
                                                        "a halt"};

        printf("%2zu  %-18s %10.0f  %10s  %6s  %6s  %6s\n", i + 1, what[m->kind], m->records,
               isnan(m->each) ? "-" : brief_time(m->each), number_text("%.1f", instructions(c, m)),
               number_text("%.3f", m->records > 0.0 ? bytes_of_one(m) : NAN), number_text("%.3f", m->entropy));
    }
    print_unknown(c);
}

/* ---- shares ---- */

static int by_share(const void *a, const void *b)
{
    const struct compare_row *const one = a, *const other = b;

    return (one->total < other->total) - (one->total > other->total);
}

static void print_heads(const struct compare *c, const char *what)
{
    printf("\n%-15s", what);
    for (size_t i = 0; i < c->monitors; i++)
        printf("  %6zu%s", i + 1, &c->monitor[i] == c->truth ? "*" : " ");
    putchar('\n');
}

/* In the order of the truth's shares, or of the first monitor's. */
static void print_tasks(const struct compare *c, unsigned most)
{
    const struct compare_monitor *m = c->truth ? c->truth : &c->monitor[0];
    struct compare_row *row = xrealloc_array(NULL, m->rows + 1, sizeof(*row));

    if (m->rows)
        memcpy(row, m->row, m->rows * sizeof(*row));
    qsort(row, m->rows, sizeof(*row), by_share);
    print_heads(c, "Task, %");
    for (size_t r = 0; r < m->rows && r < most; r++) {
        printf("%-15s", row[r].name);
        for (size_t i = 0; i < c->monitors; i++) {
            const struct compare_row *of = compare_row(&c->monitor[i], row[r].name);

            printf("  %7s", of ? number_text("%.3f", of->total) : c->monitor[i].tasks ? "0.000" : "-");
        }
        putchar('\n');
    }
    if (m->rows > most)
        printf("(%zu more: --rows %zu shows all)\n", m->rows - most, m->rows);
    free(row);
}

static void print_modes(const struct compare *c)
{
    print_heads(c, "Mode, %");
    for (unsigned mode = 0; mode < MODES; mode++) {
        printf("%-15s", mode_name(mode));
        for (size_t i = 0; i < c->monitors; i++)
            printf("  %7s", number_text("%.3f", compare_mode(&c->monitor[i], mode)));
        putchar('\n');
    }
}

static const char *answer_text(const struct compare *c, const struct compare_monitor *m, enum compare_usage usage)
{
    const struct compare_answer answer = compare_answer(c, m, usage);

    if (!answer.solved)
        return "no";
    if (usage == USAGE_DEBUGGING)
        return brief_time(answer.error);
    return isnan(answer.error) ? "yes" : number_text("%.3f", answer.error);
}

static void print_usages(const struct compare *c)
{
    print_heads(c, "Usage");
    for (enum compare_usage usage = 0; usage < USAGES; usage++) {
        printf("%-15s", compare_usage_name(usage));
        for (size_t i = 0; i < c->monitors; i++)
            printf("  %7s", answer_text(c, &c->monitor[i], usage));
        printf("  %s\n", compare_usage_task(usage));
    }
}

void compare_print(const struct compare *c, const struct compare_settings *how)
{
    if (c->truth)
        printf("truth    %s, %s (%s): the column with *\n", c->truth->from->path, c->truth->name, place_of(c->truth));
    else
        puts("truth    none: no stream has exact times");
    printf("line     %.0f bit/s; memory %.0f bytes\n\n", how->line, how->memory);
    print_monitors(c, how);
    print_records(c);
    print_tasks(c, how->rows);
    print_modes(c);
    print_usages(c);
}

/* ---- the picture ---- */

bool compare_draw(const void *picture, FILE *out)
{
    const struct compare_picture *const p = picture;
    struct monitor_map map = {.title = "Monitors by resolution, duration and amount of data"};
    char name[MONITOR_MAP_MOST][80], note[160];

    snprintf(note, sizeof(note), "Duration: until %.0f bytes of memory are full. Circle: bytes a second. "
             "Up is finer, right is longer.", p->how->memory);
    map.note = note;
    for (size_t i = 0; i < p->c->monitors && map.monitors < MONITOR_MAP_MOST; i++) {
        const struct compare_monitor *const m = &p->c->monitor[i];

        if (!(m->step > 0.0) || isinf(duration(m, p->how)))
            continue;
        snprintf(name[map.monitors], sizeof(name[0]), "%zu %s", i + 1, m->name);
        map.monitor[map.monitors] = (struct map_monitor){
            name[map.monitors], m->hardware, m->step, duration(m, p->how), m->bytes};
        map.monitors++;
    }
    return monitor_map_svg(&map, out);
}

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
                       .line_percent = line_percent(m, how), .memory_seconds = duration(m, how),
                       .handler = m->handler, .slows = m->slows, .records = m->records, .entropy = m->entropy,
                       .each = m->each, .instructions = instructions(c, m), .tasks = shares(m),
                       .usages = usages);
}

void compare_print_json(const struct compare *c, const struct compare_settings *how)
{
    json_t *const all = json_array();

    for (size_t i = 0; i < c->monitors; i++)
        json_array_append_new(all, monitor(c, &c->monitor[i], how));
    json_print(REPORT_MAKE(compare, .line = how->line, .memory = how->memory, .monitors = all), JSON_INDENT(2));
}
