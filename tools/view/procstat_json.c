/* SPDX-License-Identifier: MIT */
/* Tick counters as JSON. */
#include "tools/view/procstat_json.h"

#include "tools/base/json_value.h"

static json_t *mode_json(const struct procstat_mode *m)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "ticks", json_count(m->ticks), "told", json_count(m->told),
                     "level", json_finite(m->level), "elapsed", json_finite(m->elapsed), "exact", json_finite(m->exact));
}

static json_t *task_json(const struct epoch *e, const struct procstat_used *u)
{
    char name[NAME_SIZE];

    epoch_name_of(e, u->id, name);
    return json_pack("{s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "name", json_text_or_null(name), "id", json_count(u->id),
                     "nice", u->nice, "user", json_count(u->user), "system", json_count(u->system),
                     "told_user", json_count(u->told_user), "told_system", json_count(u->told_system), "level", json_finite(u->level));
}

static json_t *average(uint64_t load)
{
    return json_real((double)load / LOAD_ONE);
}

static json_t *reads_json(const struct epoch *e)
{
    const double hz = (double)e->hello.clock_hz;
    json_t *array = json_array();

    for (unsigned f = 0; f < TICK_USAGE_FILES; f++) {
        const struct wire_procreads_row *const r = &e->procstat.reads[f];

        if (r->reads)
            json_array_append_new(array, json_pack(
                "{s:s, s:o, s:o, s:o, s:o}", "file", tick_usage_file(f), "reads", json_count(r->reads), "bytes", json_count(r->bytes),
                "mean", json_finite((double)r->time / (double)r->reads / hz), "least", json_finite((double)r->least / hz)));
    }
    return array;
}

static json_t *three(double of(const struct run_queue *q, unsigned i), const struct run_queue *q)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < LOAD_AVERAGES; i++)
        json_array_append_new(array, json_finite(of(q, i)));
    return array;
}

static double exact_average(const struct run_queue *q, unsigned i)
{
    return q->look[q->looks - 1].average[i];
}

static double looked_least(const struct run_queue *q, unsigned i)
{
    return (double)run_queue_looked(q, i, false) / LOAD_ONE;
}

static double looked_most(const struct run_queue *q, unsigned i)
{
    return (double)run_queue_looked(q, i, true) / LOAD_ONE;
}

static double noise(const struct run_queue *q, unsigned i)
{
    return run_queue_noise(q, i);
}

json_t *run_queue_json(const struct run_queue *q)
{
    if (!q || !q->looks)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "looks", json_count(q->looks), "last", json_count((uint64_t)q->look[q->looks - 1].time),
                     "mean", json_finite(run_queue_mean(q)), "exact", three(exact_average, q), "noise", three(noise, q),
                     "looked_least", three(looked_least, q), "looked_most", three(looked_most, q));
}

json_t *procstat_json(const struct epoch *e, const struct procstat_diff *d)
{
    json_t *modes = json_object(), *tasks = json_array();

    for (unsigned m = 0; m < TICK_MODES; m++)
        json_object_set_new(modes, tick_mode_name((enum tick_mode)m), mode_json(&d->mode[m]));
    for (size_t i = 0; i < d->tasks; i++)
        json_array_append_new(tasks, task_json(e, &d->task[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:[o, o, o], s:o, s:o, s:o, s:o}",
                     "from", json_count(d->from), "to", json_count(d->to), "hz", json_count(d->hz),
                     "seconds", json_finite(d->seconds), "ticks", json_count(d->sum), "passed", json_finite(d->passed),
                     "busy", json_finite(d->busy), "busy_elapsed", json_finite(d->busy_elapsed),
                     "busy_exact", json_finite(d->busy_exact), "modes", modes, "tasks", tasks,
                     "load", average(d->load[0]), average(d->load[1]), average(d->load[2]), "step", json_finite(d->step),
                     "step_elapsed", json_finite(d->step_elapsed), "random", json_finite(d->random), "reads", reads_json(e));
}

json_t *procstat_json_whole(const struct epoch *e)
{
    struct procstat_diff d;
    json_t *object;

    if (!e->has_hello || !procstat_diff_make(&d, e, 0, UINT64_MAX))
        return json_null();
    object = procstat_json(e, &d);
    procstat_diff_free(&d);
    return object;
}
