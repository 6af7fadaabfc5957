/* SPDX-License-Identifier: MIT */
/* The queueing model of a run as text, and as JSON. */
#include "tools/view/model_view.h"

#include <stdio.h>

#include "tools/base/report_object.h"
#include "tools/json/report_text.h"

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

void model_view_print(const struct model_view *v, bool as_json)
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
