/* SPDX-License-Identifier: MIT */
/* Exact: one population after the other, each from those with one customer less.  Else a fixed point. */
#include "tools/analysis/queueing_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

#define CELLS_MOST  (1u << 19) /* of results that are kept: classes times combinations of customers, some 40 MB */
#define ROUNDS_MOST 2000u /* some hundred are enough; bounded in time for any input */
#define CLOSE       1e-12

static double demand_of(const struct queueing_demand *d)
{
    return d->visits * d->service;
}

static bool is_amount(double x)
{
    return isfinite(x) && x >= 0.0;
}

static bool is_class(const struct queueing_model *m, const struct queueing_class *c)
{
    double sum = 0.0;

    for (unsigned s = 0; s < m->stations; s++) {
        const struct queueing_demand *d = &c->at[s];

        if (!is_amount(d->visits) || !is_amount(d->service) || !is_amount(d->residual))
            return false;
        sum += demand_of(d);
    }
    return c->population && is_amount(c->think) && sum > 0.0 && isfinite(sum);
}

static bool is_model(const struct queueing_model *m)
{
    for (size_t k = 0; k < m->classes; k++)
        if (!is_class(m, &m->class[k]))
            return false;
    return m->classes && m->classes <= QUEUEING_CLASSES && m->stations && m->stations <= QUEUEING_STATIONS;
}

/* The share of the time in which a station serves. */
static double use_of(const struct queueing_model *m, unsigned station, const struct queueing_result *found)
{
    double use = 0.0;

    for (size_t j = 0; j < m->classes; j++)
        use += found[j].throughput * demand_of(&m->class[j].at[station]);
    return fmin(use, 1.0);
}

/* What is left of a service that an arrival finds: all of it where the station is always in use. */
static double residual_of(const struct queueing_demand *d, double use)
{
    return d->residual + (d->service - d->residual) * use;
}

/* What one visit waits for because of the customers of one class, of whom it finds `found`. */
static double delay(const struct queueing_demand *its, unsigned station, const struct queueing_result *found,
                    double use)
{
    const double queue = found->queue[station], served = fmin(found->throughput * demand_of(its), queue);

    return (queue - served) * its->service + served * residual_of(its, use);
}

static double wait_of(const struct queueing_model *m, const struct queueing_demand *mine, unsigned station,
                      const struct queueing_result *found)
{
    const double use = use_of(m, station, found);
    double wait = 0.0;

    for (size_t j = 0; j < m->classes; j++)
        wait += m->discipline[station] == QUEUEING_SHARED ? demand_of(mine) * found[j].queue[station] :
                mine->visits * delay(&m->class[j].at[station], station, &found[j], use);
    return wait;
}

/* One class, from what its arrivals find of each; its queues are not set. */
static void respond(const struct queueing_model *m, size_t k, const struct queueing_result *found, double customers,
                    struct queueing_result *to)
{
    to->response = 0.0;
    for (unsigned s = 0; s < m->stations; s++) {
        const struct queueing_demand *mine = &m->class[k].at[s];

        to->time[s] = demand_of(mine) > 0.0 ? demand_of(mine) + wait_of(m, mine, s, found) : 0.0;
        to->response += to->time[s];
    }
    to->throughput = customers / (m->class[k].think + to->response);
    for (unsigned s = 0; s < m->stations; s++)
        to->queue[s] = to->throughput * to->time[s];
}

/* ---- exact ---- */

/* Combinations of populations; 0: too many. */
static size_t combinations(const struct queueing_model *m)
{
    size_t all = 1;

    for (size_t k = 0; k < m->classes; k++) {
        if ((double)all * ((double)m->class[k].population + 1.0) * (double)m->classes > (double)CELLS_MOST)
            return 0;
        all *= m->class[k].population + 1;
    }
    return all;
}

/* A combination is a number whose digits are the customers of each class; one customer less is a lower number. */
static void solve_one(const struct queueing_model *m, struct queueing_result *of, size_t combination)
{
    size_t place = 1;

    for (size_t k = 0; k < m->classes; k++) {
        const size_t base = m->class[k].population + 1, customers = combination / place % base;

        if (customers)
            respond(m, k, &of[(combination - place) * m->classes], (double)customers,
                    &of[combination * m->classes + k]);
        place *= base;
    }
}

static void solve_exactly(const struct queueing_model *m, size_t all, struct queueing_result *result)
{
    struct queueing_result *of = xcalloc(all * m->classes, sizeof(*of));

    for (size_t c = 1; c < all; c++)
        solve_one(m, of, c);
    memcpy(result, &of[(all - 1) * m->classes], m->classes * sizeof(*result));
    free(of);
}

/* ---- approximately ---- */

/* An arrival of class k finds its own class with one customer less, in proportion. */
static void found_by(const struct queueing_model *m, size_t k, const struct queueing_result *now,
                     struct queueing_result *found)
{
    const double rest = ((double)m->class[k].population - 1.0) / (double)m->class[k].population;

    memcpy(found, now, m->classes * sizeof(*found));
    found[k].throughput *= rest;
    for (unsigned s = 0; s < m->stations; s++)
        found[k].queue[s] *= rest;
}

static double step(const struct queueing_model *m, struct queueing_result *now, struct queueing_result *found)
{
    double change = 0.0;

    for (size_t k = 0; k < m->classes; k++) {
        const double before = now[k].response;

        found_by(m, k, now, found);
        respond(m, k, found, m->class[k].population, &now[k]);
        change = fmax(change, fabs(now[k].response - before) / now[k].response);
    }
    return change;
}

static void solve_approximately(const struct queueing_model *m, struct queueing_result *result)
{
    struct queueing_result *found = xrealloc_array(NULL, m->classes, sizeof(*found));

    memset(result, 0, m->classes * sizeof(*result));
    for (unsigned round = 0; round < ROUNDS_MOST && step(m, result, found) > CLOSE; round++)
        ;
    free(found);
}

bool queueing_solve(const struct queueing_model *m, struct queueing_result *result, bool *exact)
{
    const size_t all = is_model(m) ? combinations(m) : 0;

    if (!is_model(m))
        return false;
    *exact = all;
    if (all)
        solve_exactly(m, all, result);
    else
        solve_approximately(m, result);
    return true;
}
