/* SPDX-License-Identifier: MIT */
/* What a customer does is divided by its cycles; its think time is what is left of the run. */
#include "tools/trace/run_model.h"

#include <math.h>
#include <stdlib.h>

#include "tools/base/alloc.h"

#define ROUNDED 0.01 /* of a task: its start and end do not make it two */

const char *run_station_name(enum run_station s)
{
    static const char *const name[] = {"cpu", "disk"};

    return name[s];
}

const char *run_cycle_name(enum run_cycle c)
{
    static const char *const name[] = {"think", "request", "run"};

    return name[c];
}

static bool is_customer(const struct wait_row *row)
{
    return row->id != ROW_IDLE && row->time[WAIT_RUN] > 0 && row->tasks;
}

/* Of the time in which its state was known. */
static double known(const struct wait_row *row)
{
    double sum = 0.0;

    for (enum wait_state s = WAIT_RUN; s < WAIT_UNKNOWN; s++)
        sum += (double)row->time[s];
    return sum;
}

/* How many tasks of the row there are at a time, so that none is left out. */
static unsigned population_of(const struct wait_row *row)
{
    const double present = (known(row) - (double)row->time[WAIT_ABSENT]) / known(row) * (double)row->tasks;

    return present > 1.0 + ROUNDED ? (unsigned)ceil(present - ROUNDED) : 1;
}

static void set_cycles(struct run_customer *c, const struct wait_row *row)
{
    const uint64_t thinks = row->wakes - row->requests;

    c->cycle = thinks ? CYCLE_THINK : row->requests ? CYCLE_REQUEST : CYCLE_RUN;
    c->cycles = (double)(thinks ? thinks : row->requests ? row->requests : row->waits ? row->waits : 1);
}

static void set_measured(struct run_customer *c, const struct wait_row *row, double span, double hz)
{
    struct queueing_result *r = &c->measured;

    r->time[STATION_CPU] = (double)(row->time[WAIT_RUN] + row->time[WAIT_READY]) / hz / c->cycles;
    r->time[STATION_DISK] = (double)row->io / hz / c->cycles;
    r->response = r->time[STATION_CPU] + r->time[STATION_DISK];
    r->throughput = c->cycles / span;
    for (unsigned s = 0; s < RUN_STATIONS; s++)
        r->queue[s] = r->throughput * r->time[s];
}

static void set_class(struct queueing_class *k, const struct run_customer *c, const struct wait_row *row, double hz)
{
    struct queueing_demand *cpu = &k->at[STATION_CPU], *disk = &k->at[STATION_DISK];
    const double requests = row->requests ? (double)row->requests : 1.0;

    k->population = population_of(row);
    cpu->visits = c->cycle == CYCLE_RUN ? 1.0 : (double)row->wakes / c->cycles;
    cpu->service = (double)row->time[WAIT_RUN] / hz / c->cycles / cpu->visits;
    cpu->residual = row->bursts ? row->burst_square / (double)row->time[WAIT_RUN] / 2.0 / hz : cpu->service;
    disk->visits = (double)row->requests / c->cycles;
    disk->service = row->service / requests / hz;
    disk->residual = row->service > 0.0 ? row->service_square / row->service / 2.0 / hz : 0.0;
    k->think = fmax(0.0, known(row) / (double)row->tasks * k->population / hz / c->cycles - c->measured.response);
}

static int by_run(const void *a, const void *b)
{
    const struct wait_row *one = *(const struct wait_row *const *)a, *other = *(const struct wait_row *const *)b;

    if (one->time[WAIT_RUN] != other->time[WAIT_RUN])
        return one->time[WAIT_RUN] > other->time[WAIT_RUN] ? -1 : 1;
    return (one->id > other->id) - (one->id < other->id);
}

static void add(struct run_model *m, const struct wait_row *row, double hz)
{
    struct run_customer *c = &m->customer[m->customers];

    *c = (struct run_customer){.id = row->id};
    set_cycles(c, row);
    set_measured(c, row, known(row) / (double)row->tasks / hz, hz);
    m->class[m->customers] = (struct queueing_class){0};
    set_class(&m->class[m->customers++], c, row, hz);
}

/* A short quantum makes round robin share the processor; where tasks sleep before theirs ends it serves in turn. */
static enum queueing_discipline cpu_discipline(const struct waits *w)
{
    uint64_t bursts = 0, preemptions = 0;

    for (size_t r = 0; r < w->rows; r++)
        if (is_customer(&w->row[r])) {
            bursts += w->row[r].bursts;
            preemptions += w->row[r].waits > w->row[r].wakes ? w->row[r].waits - w->row[r].wakes : 0;
        }
    return preemptions > bursts ? QUEUEING_SHARED : QUEUEING_FIFO;
}

bool run_model_make(struct run_model *m, const struct waits *w, double hz)
{
    const struct wait_row **order = xrealloc_array(NULL, w->rows + 1, sizeof(*order));
    size_t rows = 0;

    *m = (struct run_model){.span = (double)(w->end - w->begin) / hz};
    m->customer = xrealloc_array(NULL, QUEUEING_CLASSES, sizeof(*m->customer));
    m->class = xrealloc_array(NULL, QUEUEING_CLASSES, sizeof(*m->class));
    for (size_t r = 0; r < w->rows; r++)
        if (is_customer(&w->row[r]))
            order[rows++] = &w->row[r];
    qsort(order, rows, sizeof(*order), by_run);
    for (size_t r = 0; r < rows && r < QUEUEING_CLASSES; r++)
        add(m, order[r], hz);
    m->others = rows - m->customers;
    m->model = (struct queueing_model){
        .stations = RUN_STATIONS, .discipline = {[STATION_CPU] = cpu_discipline(w), [STATION_DISK] = QUEUEING_FIFO},
        .classes = m->customers, .class = m->class,
    };
    free(order);
    return m->customers;
}

void run_model_free(struct run_model *m)
{
    free(m->customer);
    free(m->class);
}

bool run_model_solve(struct run_model *m)
{
    struct queueing_result *result = xrealloc_array(NULL, m->customers, sizeof(*result));
    const bool solved = queueing_solve(&m->model, result, &m->exact);

    for (size_t k = 0; k < m->customers && solved; k++)
        m->customer[k].predicted = result[k];
    free(result);
    return solved;
}

static const struct queueing_result *result_of(const struct run_model *m, size_t k, bool predicted)
{
    return predicted ? &m->customer[k].predicted : &m->customer[k].measured;
}

double run_model_use(const struct run_model *m, enum run_station s, bool predicted)
{
    double use = 0.0;

    for (size_t k = 0; k < m->customers; k++)
        use += result_of(m, k, predicted)->throughput * m->class[k].at[s].visits * m->class[k].at[s].service;
    return use;
}

double run_model_queue(const struct run_model *m, enum run_station s, bool predicted)
{
    double queue = 0.0;

    for (size_t k = 0; k < m->customers; k++)
        queue += result_of(m, k, predicted)->queue[s];
    return queue;
}
