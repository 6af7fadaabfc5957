/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe model`: demands of tasks, and the response times that follow from them, beside those that were measured.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/cli.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/input/timeline_input.h"
#include "tools/json/report_json.h"
#include "tools/trace/run_model.h"
#include "tools/trace/waits.h"

struct model_view {
    const struct timeline_input *in;
    const struct waits *waits;
    const struct run_model *model;   /* solved */
    const struct run_model *changed; /* the same of another machine, or of other tasks; NULL: not asked for */
    const char *changes;             /* what is other in it, as the user wrote it */
};

static const char *name_of(const struct model_view *v, size_t k, char name[NAME_SIZE])
{
    epoch_name_of(timeline_epoch(v->in->timeline), v->model->customer[k].id, name);
    return name;
}

static double arrivals(const struct run_model *m, enum run_station s)
{
    double sum = 0.0;

    for (size_t k = 0; k < m->customers; k++)
        sum += m->customer[k].measured.throughput * m->class[k].at[s].visits;
    return sum;
}

static const char text[] =
    "{begin|.6f} to {end|.6f} s\n"
    "Closed network: tasks think, [stations.0.shared?share][stations.0.shared!wait for] the cpu, and wait for the "
    "disk in turn.  [exact?Exact][exact!Approximate (Schweitzer)] mean value analysis.\n\n"
    "Task           tasks  cycle      per s        cpu   requests   a request      think\n"
    "[tasks:{name|-14s} {tasks|5d}  {cycle|-7s} {measured.per_second|8.2f} {cpu|t} {requests|10.3f}  {service|t} "
    "{think|t}\n]"
    "\n                          response                       at the cpu             at the disk          cycles a "
    "second\n"
    "Task             measured  predicted  off, %    measured  predicted   measured  predicted   measured predicted  "
    "off, %\n"
    "[tasks:{name|-14s} {measured.response|t} {predicted.response|t}"
    " {predicted.response-measured.response/measured.response*100|+7.1f}  {measured.cpu|t} {predicted.cpu|t}"
    " {measured.disk|t} {predicted.disk|t} {measured.per_second|10.2f} {predicted.per_second|9.2f}"
    " {predicted.per_second-measured.per_second/measured.per_second*100|+7.1f}\n]"
    "\nStation   arrivals a second   in use, %  predicted   tasks there  predicted\n"
    "[stations:{name|-9s} {arrivals|17.2f} {use*100|11.2f} {use_predicted*100|10.2f} {queue|13.3f} "
    "{queue_predicted|10.3f}\n]"
    "[unowned?\n{unowned} requests woke no task: the task had ended, or did not sleep yet.  The model does not have "
    "them.\n]"
    "[others?{others} rows with the shortest times are left out.\n]"
    "[changes?\nWith {changes}, predicted:\n\n"
    "Task           tasks    response   was, so predicted   cycles a second   was, so predicted\n"
    "[tasks:{name|-14s} {of_changed|5d}  {changed.response|t}          {predicted.response|t} "
    "{changed.per_second|17.2f} {predicted.per_second|19.2f}\n]cpu {use.0*100|.2f} % in use, disk {use.1*100|.2f} % "
    "in use\n]";

#define RESPONSE_MEMBERS(M, O)                                                      \
    M(REAL, response, "response time of a cycle, s")                                \
    M(REAL, per_second, "cycles a second")                                          \
    M(REAL, cpu, "part of the response time at the processor, s")                   \
    M(REAL, disk, "part of the response time at the disk, s")
REPORT_OBJECT(response, RESPONSE_MEMBERS)

#define TASK_MEMBERS(M, O)                                                          \
    M(TEXT, name, "name of the row")                                                \
    M(COUNT, tasks, "tasks of the row at a time")                                   \
    M(WORD, cycle, "what a cycle is: think, request or run")                        \
    M(REAL, cycles, "cycles that were measured")                                    \
    M(REAL, cpu, "time on the processor in a cycle, s")                             \
    M(REAL, requests, "requests of the disk in a cycle")                            \
    M(REAL, service, "time of one request, s")                                      \
    M(REAL, residual, "what is left of a request at any moment of it, s")           \
    M(REAL, think, "time asleep in a cycle, s")                                     \
    O(OBJECT, measured, response, "as it was measured")                             \
    O(OBJECT, predicted, response, "as the model predicts it")                      \
    O(OBJECT_OR_NULL, changed, response, "as predicted with --scale and --tasks; null: neither was given")
REPORT_OBJECT(task, TASK_MEMBERS)

#define STATION_MEMBERS(M, O)                                                       \
    M(WORD, name, "cpu or disk")                                                    \
    M(FLAG, shared, "tasks share it; else it serves them in turn")                  \
    M(REAL, arrivals, "arrivals a second")                                          \
    M(REAL, use, "part of the time that it works, measured")                        \
    M(REAL, use_predicted, "part of the time that it works, predicted")             \
    M(REAL, queue, "mean number of tasks there, measured")                          \
    M(REAL, queue_predicted, "mean number of tasks there, predicted")
REPORT_OBJECT(station, STATION_MEMBERS)

#define MODEL_MEMBERS(M, O)                                                         \
    M(REAL, begin, "begin of the trace, s since the image started")                 \
    M(REAL, end, "end of the trace, s since the image started")                     \
    M(FLAG, exact, "the network was solved exactly; else by Schweitzer's approximation") \
    M(COUNT, unowned, "requests whose end woke no task: they are not in the model") \
    O(LIST, tasks, task, "one for each row that ran, the greatest share of the processor first") \
    O(LIST, stations, station, "the processor and the disk")                        \
    M(TEXT, changes, "what --scale and --tasks asked for; null: neither was given")
REPORT_WHOLE(model, "cpuprobe-model-1", MODEL_MEMBERS)

static json_t *json_result(const struct queueing_result *r)
{
    return REPORT_MAKE(response, .response = r->response, .per_second = r->throughput, .cpu = r->time[STATION_CPU],
                       .disk = r->time[STATION_DISK]);
}

static json_t *json_task(const struct model_view *v, size_t k)
{
    const struct run_customer *c = &v->model->customer[k];
    const struct queueing_class *class = &v->model->class[k];
    char name[NAME_SIZE];

    return REPORT_MAKE(task, .name = name_of(v, k, name), .tasks = class->population,
                       .cycle = run_cycle_name(c->cycle), .cycles = c->cycles,
                       .cpu = class->at[STATION_CPU].visits * class->at[STATION_CPU].service,
                       .requests = class->at[STATION_DISK].visits, .service = class->at[STATION_DISK].service,
                       .residual = class->at[STATION_DISK].residual, .think = class->think,
                       .measured = json_result(&c->measured), .predicted = json_result(&c->predicted),
                       .changed = v->changed ? json_result(&v->changed->customer[k].predicted) : NULL);
}

static json_t *json_station(const struct model_view *v, enum run_station s)
{
    const struct run_model *m = v->model;

    return REPORT_MAKE(station, .name = run_station_name(s), .shared = m->model.discipline[s] == QUEUEING_SHARED,
                       .arrivals = arrivals(m, s), .use = run_model_use(m, s, false),
                       .use_predicted = run_model_use(m, s, true), .queue = run_model_queue(m, s, false),
                       .queue_predicted = run_model_queue(m, s, true));
}

static void model_view_print(const struct model_view *v, bool as_json)
{
    json_t *tasks = json_array(), *stations = json_array(), *whole;

    for (size_t k = 0; k < v->model->customers; k++) {
        json_array_append_new(tasks, json_task(v, k));
        if (!as_json && v->changed)
            json_object_set_new(json_array_get(tasks, k), "of_changed",
                                json_integer(v->changed->class[k].population));
    }
    for (enum run_station s = 0; s < RUN_STATIONS; s++)
        json_array_append_new(stations, json_station(v, s));
    whole = REPORT_MAKE(model, .begin = timeline_seconds(v->in, v->waits->begin),
                        .end = timeline_seconds(v->in, v->waits->end), .exact = v->model->exact,
                        .unowned = v->waits->unowned, .tasks = tasks, .stations = stations,
                        .changes = v->changed ? v->changes : NULL);
    if (!as_json) {
        json_object_set_new(whole, "others", json_integer((json_int_t)v->model->others));
        if (v->changed)
            json_object_set_new(whole, "use", json_pack("[ff]", run_model_use(v->changed, STATION_CPU, true),
                                                        run_model_use(v->changed, STATION_DISK, true)));
        printf("%s, ", v->in->path);
    }
    report_print(whole, text, as_json, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
}

#define CHANGES_MOST 16
#define FACTOR_MOST  1e6
#define TASKS_MOST   1000
#define CPU_CHOICES  "shared|fifo" /* in the order of enum queueing_discipline */
#define AS_THE_RUN   2

/* "disk=2": that station is twice as fast; "ROGUE=3": there are three of that task. */
struct change {
    bool scales;
    const char *text;
    size_t name; /* bytes of `text` before the sign */
    double value;
};

struct arguments {
    struct timeline_input in; /* first: its path */
    bool json;
    struct change change[CHANGES_MOST];
    unsigned changes;
    char what[512]; /* the changes as text */
    unsigned cpu; /* enum queueing_discipline, or AS_THE_RUN */
    struct waits waits;
    struct run_model model, changed;
};

static void add_change(struct arguments *a, bool scales, const char *text, struct argp_state *state)
{
    const char *sign = strrchr(text, '=');
    struct change *c = &a->change[a->changes];
    char *end;

    if (a->changes == CHANGES_MOST)
        argp_error(state, "at most %u changes", CHANGES_MOST);
    if (!sign || sign == text)
        argp_error(state, "'%s' is not NAME=NUMBER", text);
    *c = (struct change){.scales = scales, .text = text, .name = (size_t)(sign - text),
                         .value = strtod(sign + 1, &end)};
    if (end == sign + 1 || *end || !(c->value > 0.0) || c->value > (scales ? FACTOR_MOST : TASKS_MOST) ||
        (!scales && c->value != (double)(unsigned)c->value))
        argp_error(state, "'%s': %s", text, scales ? "a factor is above 0 and at most 1000000"
                                                   : "tasks are 1 to 1000");
    snprintf(a->what + strlen(a->what), sizeof(a->what) - strlen(a->what), "%s%.64s", a->changes ? ", " : "", text);
    a->changes++;
}

static void take_scale(void *input, char *text, struct argp_state *state)
{
    add_change(input, true, text, state);
}

static void take_tasks(void *input, char *text, struct argp_state *state)
{
    add_change(input, false, text, state);
}

static const struct option_row options[] = {
    {"scale", 0, "STATION=FACTOR", "what if the cpu or the disk were so many times as fast; may be repeated",
     CALL(take_scale)},
    {"tasks", 0, "NAME=N", "what if there were N tasks of this name; may be repeated", CALL(take_tasks)},
    {"cpu", 0, CPU_CHOICES, "how the scheduler shares the processor (what the run says: does it take it away?)",
     SET_WORD(cpu)},
    OPTION_JSON(json),
    {0},
};

/* ---- changes ---- */

static bool is_named(const struct change *c, const char *name)
{
    return strlen(name) == c->name && !memcmp(name, c->text, c->name);
}

static bool scale(struct run_model *m, const struct change *c)
{
    for (enum run_station s = 0; s < RUN_STATIONS; s++)
        if (is_named(c, run_station_name(s))) {
            for (size_t k = 0; k < m->customers; k++) {
                m->class[k].at[s].service /= c->value;
                m->class[k].at[s].residual /= c->value;
            }
            return true;
        }
    cli_error("--scale %s: the stations are cpu and disk", c->text);
    return false;
}

static bool populate(const struct arguments *a, struct run_model *m, const struct change *c)
{
    for (size_t k = 0; k < m->customers; k++) {
        char name[NAME_SIZE];

        epoch_name_of(timeline_epoch(a->in.timeline), m->customer[k].id, name);
        if (is_named(c, name)) {
            m->class[k].population = (unsigned)c->value;
            return true;
        }
    }
    cli_error("--tasks %s: no task of this name ran", c->text);
    return false;
}

static bool make(const struct arguments *a, struct run_model *m)
{
    if (!run_model_make(m, &a->waits, a->in.hz))
        return false;
    if (a->cpu != AS_THE_RUN)
        m->model.discipline[STATION_CPU] = (enum queueing_discipline)a->cpu;
    return true;
}

/* The model of what was asked for. */
static bool change(struct arguments *a)
{
    if (!make(a, &a->changed))
        return false;
    for (unsigned i = 0; i < a->changes; i++)
        if (!(a->change[i].scales ? scale(&a->changed, &a->change[i]) : populate(a, &a->changed, &a->change[i])))
            return false;
    return run_model_solve(&a->changed);
}

/* ---- report ---- */

static void read_waits(struct arguments *a)
{
    struct timeline_item item;

    waits_begin(&a->waits);
    while (timeline_input_next(&a->in, &item))
        waits_take(&a->waits, &item);
    waits_finish(&a->waits);
}

static int show(struct arguments *a)
{
    struct model_view v = {.in = &a->in, .waits = &a->waits, .model = &a->model, .changes = a->what};

    if (a->changes && !change(a))
        return EXIT_USAGE;
    if (a->changes)
        v.changed = &a->changed;
    model_view_print(&v, a->json);
    return EXIT_OK;
}

static int report(void *arguments)
{
    struct arguments *a = arguments;
    int code = EXIT_NO_DATA, damage;

    read_waits(a);
    if (!timeline_counts(a->in.timeline)->events || !make(a, &a->model) || !run_model_solve(&a->model))
        cli_error("%s holds no switches of tasks to make a model of: boot the image with monitor=events", a->in.path);
    else
        code = show(a);
    damage = timeline_input_report(&a->in);
    waits_free(&a->waits);
    run_model_free(&a->model);
    run_model_free(&a->changed);
    return code == EXIT_OK ? damage : code;
}

const struct subcommand cmd_model = {
    .name = "model", .what = "predict response times by a queueing model",
    .through = timeline_command, .run = report, .bytes = sizeof(struct arguments),
    .initial = &(const struct arguments){.cpu = AS_THE_RUN},
    .own = {options}, .shared = {{&timeline_options}}, .args_doc = "FILE", .json = {&model_object},
    .doc = "Print what each task demands of the processor and of the disk in a cycle and how long it thinks, and the "
           "response times that a closed queueing network predicts from that, beside the measured ones.  It needs a "
           "run with monitor=events.",
    .example = {"cpuprobe model --scale cpu=2 events.dump"},
};
