/* SPDX-License-Identifier: MIT */
/* The queueing model of a run as text, and as JSON. */
#include "tools/view/model_view.h"

#include <inttypes.h>

#include "tools/base/json_value.h"
#include "tools/view/duration_view.h"

static const char *name_of(const struct model_view *v, size_t k, char name[NAME_SIZE])
{
    epoch_name_of(timeline_epoch(v->in->timeline), v->model->customer[k].id, name);
    return name;
}

/* How far a prediction is off, percent; 0 where there is nothing to be off from. */
static double off(double predicted, double measured)
{
    return measured > 0.0 ? 100.0 * (predicted / measured - 1.0) : 0.0;
}

/* ---- text ---- */

static void print_demands(const struct model_view *v, FILE *out)
{
    char name[NAME_SIZE];

    fputs("Task           tasks  cycle      per s        cpu   requests   a request      think\n", out);
    for (size_t k = 0; k < v->model->customers; k++) {
        const struct run_customer *c = &v->model->customer[k];
        const struct queueing_class *class = &v->model->class[k];

        fprintf(out, "%-14s %5u  %-7s %8.2f ", name_of(v, k, name), class->population, run_cycle_name(c->cycle), c->measured.throughput);
        duration_print(class->at[STATION_CPU].visits * class->at[STATION_CPU].service, out);
        fprintf(out, " %10.3f  ", class->at[STATION_DISK].visits);
        duration_print(class->at[STATION_DISK].service, out);
        fputc(' ', out);
        duration_print(class->think, out);
        fputc('\n', out);
    }
}

static void print_pair(double measured, double predicted, FILE *out)
{
    fputc(' ', out);
    duration_print(measured, out);
    fputc(' ', out);
    duration_print(predicted, out);
}

static void print_responses(const struct model_view *v, FILE *out)
{
    char name[NAME_SIZE];

    fputs("\n                          response                       at the cpu             at the disk          cycles a second\n"
          "Task             measured  predicted  off, %    measured  predicted   measured  predicted   measured predicted  off, %\n", out);
    for (size_t k = 0; k < v->model->customers; k++) {
        const struct queueing_result *m = &v->model->customer[k].measured, *p = &v->model->customer[k].predicted;

        fprintf(out, "%-14s", name_of(v, k, name));
        print_pair(m->response, p->response, out);
        fprintf(out, " %+7.1f ", off(p->response, m->response));
        for (enum run_station s = 0; s < RUN_STATIONS; s++)
            print_pair(m->time[s], p->time[s], out);
        fprintf(out, " %10.2f %9.2f %+7.1f\n", m->throughput, p->throughput, off(p->throughput, m->throughput));
    }
}

static double arrivals(const struct run_model *m, enum run_station s)
{
    double sum = 0.0;

    for (size_t k = 0; k < m->customers; k++)
        sum += m->customer[k].measured.throughput * m->class[k].at[s].visits;
    return sum;
}

static void print_stations(const struct model_view *v, FILE *out)
{
    const struct run_model *m = v->model;

    fputs("\nStation   arrivals a second   in use, %  predicted   tasks there  predicted\n", out);
    for (enum run_station s = 0; s < RUN_STATIONS; s++)
        fprintf(out, "%-9s %17.2f %11.2f %10.2f %13.3f %10.3f\n", run_station_name(s), arrivals(m, s), 100.0 * run_model_use(m, s, false),
                100.0 * run_model_use(m, s, true), run_model_queue(m, s, false), run_model_queue(m, s, true));
}

static void print_changed(const struct model_view *v, FILE *out)
{
    char name[NAME_SIZE];

    fprintf(out, "\nWith %s, predicted:\n\n", v->changes);
    fputs("Task           tasks    response   was, so predicted   cycles a second   was, so predicted\n", out);
    for (size_t k = 0; k < v->model->customers; k++) {
        const struct queueing_result *p = &v->changed->customer[k].predicted, *was = &v->model->customer[k].predicted;

        fprintf(out, "%-14s %5u  ", name_of(v, k, name), v->changed->class[k].population);
        duration_print(p->response, out);
        fputs("          ", out);
        duration_print(was->response, out);
        fprintf(out, " %17.2f %19.2f\n", p->throughput, was->throughput);
    }
    for (enum run_station s = 0; s < RUN_STATIONS; s++)
        fprintf(out, "%s%s %.2f %% in use", s ? ", " : "", run_station_name(s), 100.0 * run_model_use(v->changed, s, true));
    fputc('\n', out);
}

void model_view_print(const struct model_view *v, FILE *out)
{
    fprintf(out, "%s, %.6f to %.6f s\n", v->in->path, timeline_seconds(v->in, v->waits->begin), timeline_seconds(v->in, v->waits->end));
    fprintf(out, "Closed network: tasks think, %s, and wait for the disk in turn.  %s mean value analysis.\n\n",
            v->model->model.discipline[STATION_CPU] == QUEUEING_SHARED ? "share the cpu" : "wait for the cpu", v->model->exact ? "Exact" : "Approximate (Schweitzer)");
    print_demands(v, out);
    print_responses(v, out);
    print_stations(v, out);
    if (v->waits->unowned)
        fprintf(out, "\n%" PRIu64 " requests woke no task: the task had ended, or did not sleep yet.  The model does not have them.\n",
                v->waits->unowned);
    if (v->model->others)
        fprintf(out, "%zu rows with the shortest times are left out.\n", v->model->others);
    if (v->changed)
        print_changed(v, out);
}

/* ---- JSON ---- */

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

void model_view_json(const struct model_view *v)
{
    json_t *tasks = json_array(), *stations = json_array();

    for (size_t k = 0; k < v->model->customers; k++)
        json_array_append_new(tasks, json_task(v, k));
    for (enum run_station s = 0; s < RUN_STATIONS; s++)
        json_array_append_new(stations, json_station(v, s));
    json_print(REPORT_MAKE(model, .begin = timeline_seconds(v->in, v->waits->begin),
                           .end = timeline_seconds(v->in, v->waits->end), .exact = v->model->exact,
                           .unowned = v->waits->unowned, .tasks = tasks, .stations = stations,
                           .changes = v->changed ? v->changes : NULL), JSON_INDENT(1) | JSON_REAL_PRECISION(15));
}
