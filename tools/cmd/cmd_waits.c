/* SPDX-License-Identifier: MIT */
/* `cpuprobe waits`: for each task how long it ran, was ready behind others, slept; slow is often waiting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/execution_time.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/input/timeline_input.h"
#include "tools/json/report_json.h"
#include "tools/trace/waits.h"

#define BEHIND_SHOWN 4 /* of those who ran while a task waited */

struct arguments {
    struct timeline_input in; /* first: its path */
    bool json;
    struct waits waits;
    size_t *order; /* rows, by time ready */
};

static const struct option_row options[] = {
    OPTION_JSON(json),
    {0},
};

/* ---- order ---- */

static const struct waits *sorted; /* for qsort() */

static int by_ready(const void *a, const void *b)
{
    const struct wait_row *one = &sorted->row[*(const size_t *)a], *other = &sorted->row[*(const size_t *)b];
    const int64_t first = one->time[WAIT_READY], second = other->time[WAIT_READY];

    if (first != second)
        return first > second ? -1 : 1;
    return (one->id > other->id) - (one->id < other->id);
}

static void set_order(struct arguments *a)
{
    a->order = xrealloc_array(NULL, a->waits.rows + 1, sizeof(*a->order));
    for (size_t r = 0; r < a->waits.rows; r++)
        a->order[r] = r;
    sorted = &a->waits;
    qsort(a->order, a->waits.rows, sizeof(*a->order), by_ready);
}

static void name_of(const struct arguments *a, size_t row, char name[NAME_SIZE])
{
    if (a->waits.row[row].id == WAIT_OTHERS)
        strcpy(name, "(others)");
    else
        epoch_name_of(timeline_epoch(a->in.timeline), a->waits.row[row].id, name);
}

/* ---- text ---- */

/* The rows behind which a row waited for the longest times, in that order; returns how many. */
static unsigned most_behind(const struct waits *w, size_t of, size_t most[BEHIND_SHOWN])
{
    unsigned count = 0;

    for (size_t by = 0; by < w->rows && by < WAIT_ROWS; by++) {
        const int64_t time = waits_behind(w, of, by);
        unsigned at = count;

        while (at && waits_behind(w, of, most[at - 1]) < time)
            at--;
        if (!time || at == BEHIND_SHOWN)
            continue;
        count += count < BEHIND_SHOWN;
        memmove(&most[at + 1], &most[at], (count - 1 - at) * sizeof(*most));
        most[at] = by;
    }
    return count;
}

static void print_behind(const struct arguments *a, size_t r)
{
    const struct waits *w = &a->waits;
    const int64_t all = w->row[r].time[WAIT_READY];
    size_t most[BEHIND_SHOWN];
    const unsigned count = most_behind(w, r, most);
    char name[NAME_SIZE];

    if (!count)
        return;
    name_of(a, r, name);
    printf("%-14s ", name);
    duration_print((double)all / a->in.hz, stdout);
    for (unsigned i = 0; i < count; i++) {
        name_of(a, most[i], name);
        printf("%s %s %.1f%%", i ? "," : " ", name, 100.0 * (double)waits_behind(w, r, most[i]) / (double)all);
    }
    putchar('\n');
}

/* ---- the report ---- */

#define STATE_MEMBERS(M, KIND, unit)                                                \
    M(KIND, ran, "time on the processor, " unit)                                    \
    M(KIND, ready, "time ready while another one ran, " unit)                       \
    M(KIND, slept, "time asleep, " unit)                                            \
    M(KIND, absent, "time before its begin and after its end, " unit)               \
    M(KIND, unknown, "time of which nothing is known, " unit)

#define UNITS_MEMBERS(M, O) STATE_MEMBERS(M, COUNT, "clock units")
REPORT_OBJECT(units, UNITS_MEMBERS)

#define TASK_MEMBERS(M, O)                                                          \
    M(TEXT, name, "name of the row")                                                \
    M(COUNT, tasks, "tasks of the row at a time")                                   \
    O(OBJECT, units, units, "its five times in clock units, whose sum is the length of the trace times `tasks`") \
    M(REAL, masked, "time with interrupts off, s; null: nothing tells it")          \
    M(COUNT, waits, "how often it waited while ready")                              \
    M(COUNT, wakes, "how often it woke")                                            \
    M(REAL, longest, "longest wait while ready, s")                                 \
    M(REAL, longest_at, "begin of that, s")                                         \
    M(MAP_OF_REALS, behind, "by name, how long each other row ran while this one was ready, s") \
    STATE_MEMBERS(M, REAL, "s")
REPORT_OBJECT(task, TASK_MEMBERS)

#define WAITS_MEMBERS(M, O)                                                         \
    M(REAL, begin, "begin of the trace, s since the image started")                 \
    M(REAL, end, "end of the trace, s since the image started")                     \
    M(COUNT, units, "length of the trace, clock units")                             \
    O(LIST, tasks, task, "one for each row, the longest time ready first")
REPORT_WHOLE(waits, "cpuprobe-waits-1", WAITS_MEMBERS)

static double seconds(const struct arguments *a, int64_t time)
{
    return (double)time / a->in.hz;
}

static json_t *json_behind(const struct arguments *a, size_t r)
{
    json_t *object = json_object();
    char name[NAME_SIZE];

    for (size_t by = 0; by < a->waits.rows && by < WAIT_ROWS; by++)
        if (waits_behind(&a->waits, r, by)) {
            name_of(a, by, name);
            json_object_set_new(object, name, json_finite(seconds(a, waits_behind(&a->waits, r, by))));
        }
    return object;
}

static json_t *json_units(const int64_t time[WAIT_STATES])
{
    return REPORT_MAKE(units, .ran = (uint64_t)time[WAIT_RUN], .ready = (uint64_t)time[WAIT_READY],
                       .slept = (uint64_t)time[WAIT_SLEEP], .absent = (uint64_t)time[WAIT_ABSENT],
                       .unknown = (uint64_t)time[WAIT_UNKNOWN]);
}

static json_t *json_row(const struct arguments *a, size_t r)
{
    const struct wait_row *row = &a->waits.row[r];
    const int64_t *time = row->time;
    char name[NAME_SIZE];

    name_of(a, r, name);
    return REPORT_MAKE(task, .name = name, .tasks = row->tasks, .units = json_units(time),
                       .masked = a->waits.masks ? seconds(a, row->masked) : NAN, .waits = row->waits,
                       .wakes = row->wakes, .longest = seconds(a, row->longest),
                       .longest_at = seconds(a, row->longest_at), .behind = json_behind(a, r),
                       .ran = seconds(a, time[WAIT_RUN]), .ready = seconds(a, time[WAIT_READY]),
                       .slept = seconds(a, time[WAIT_SLEEP]), .absent = seconds(a, time[WAIT_ABSENT]),
                       .unknown = seconds(a, time[WAIT_UNKNOWN]));
}

static const char text[] =
    "{begin|.6f} to {end|.6f} s; percent of that time\n\n"
    "Task               ran   ready   slept  absent[gaps? unknown]  masked    waits       mean    longest        "
    "began  behind\n"
    "[tasks:{name|-14s} {ran*share|7.2f} {ready*share|7.2f} {slept*share|7.2f} {absent*share|7.2f}[gaps? "
    "{unknown*share|7.2f}]"
    " {masked*share|7.2f} {waits|8d}[waits? {mean|t} {longest|t} {longest_at|12.6f}  {longest_behind}]\n]"
    "\nWho ran while a task was ready:\n\n";

/* What only the text has; the share is of all the times of a row's tasks. */
static json_t *more_text(const struct arguments *a, const struct wait_row *row)
{
    const double all = seconds(a, a->waits.end - a->waits.begin) * (double)(row->tasks ? row->tasks : 1);
    char behind[NAME_SIZE] = "";

    if (row->waits)
        name_of(a, row->longest_behind, behind);
    return json_pack("{so ss so}", "share", json_finite(100.0 / all), "longest_behind", behind, "mean",
                     json_finite(seconds(a, row->time[WAIT_READY] / (int64_t)(row->waits ? row->waits : 1))));
}

static void print(const struct arguments *a)
{
    json_t *rows = json_array(), *whole;

    for (size_t i = 0; i < a->waits.rows; i++) {
        json_array_append_new(rows, json_row(a, a->order[i]));
        if (!a->json)
            json_object_update_new(json_array_get(rows, i), more_text(a, &a->waits.row[a->order[i]]));
    }
    whole = REPORT_MAKE(waits, .begin = seconds(a, a->waits.begin), .end = seconds(a, a->waits.end),
                        .units = (uint64_t)(a->waits.end - a->waits.begin), .tasks = rows);
    if (!a->json) {
        json_object_set_new(whole, "gaps", json_boolean(a->waits.gaps));
        printf("%s, ", a->in.path);
    }
    report_print(whole, text, a->json, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    for (size_t i = 0; !a->json && i < a->waits.rows; i++)
        print_behind(a, a->order[i]);
}

static void warn_limits(const struct arguments *a)
{
    if (a->waits.rows == WAIT_TABLE)
        cli_error("%s: %d rows are kept: the last one, (others), has all later ones", a->in.path, WAIT_TABLE);
    if (a->waits.forgotten)
        cli_error("%s: %d tasks are known at a time: at each one more the states of all before are not known from "
                  "there on", a->in.path, WAIT_TASKS);
}

static int report(void *arguments)
{
    struct arguments *a = arguments;
    struct timeline_item item;
    int code = EXIT_NO_DATA, damage;

    waits_begin(&a->waits);
    while (timeline_input_next(&a->in, &item))
        waits_take(&a->waits, &item);
    waits_finish(&a->waits);
    set_order(a);
    if (!timeline_counts(a->in.timeline)->events || !a->waits.tasks) {
        cli_error("%s holds no switches of tasks: boot the image with monitor=events", a->in.path);
    } else {
        warn_limits(a);
        print(a);
        code = EXIT_OK;
    }
    damage = timeline_input_report(&a->in);
    waits_free(&a->waits);
    free(a->order);
    return code ? code : damage;
}

const struct subcommand cmd_waits = {
    .name = "waits", .what = "print how long each task waited, and behind whom",
    .run = report, .through = timeline_command, .bytes = sizeof(struct arguments),
    .own = {options}, .shared = {{&timeline_options}}, .args_doc = "FILE", .json = {&waits_object},
    .doc = "Print for each task how long it ran, was ready while others ran, and slept; its longest wait, and who "
           "ran while it waited.  It needs a run with monitor=events.",
    .example = {"cpuprobe waits events.dump"},
};
