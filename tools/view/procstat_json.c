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

json_t *procstat_json(const struct epoch *e, const struct procstat_diff *d)
{
    const struct wire_procstat *const last = &e->procstat.head[e->procstat.heads - 1];
    json_t *modes = json_object(), *tasks = json_array();

    for (unsigned m = 0; m < TICK_MODES; m++)
        json_object_set_new(modes, tick_mode_name((enum tick_mode)m), mode_json(&d->mode[m]));
    for (size_t i = 0; i < d->tasks; i++)
        json_array_append_new(tasks, task_json(e, &d->task[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:[o, o, o]}",
                     "from", json_count(d->from), "to", json_count(d->to), "hz", json_count(d->hz),
                     "seconds", json_finite(d->seconds), "ticks", json_count(d->sum), "passed", json_finite(d->passed),
                     "busy", json_finite(d->busy), "busy_elapsed", json_finite(d->busy_elapsed),
                     "busy_exact", json_finite(d->busy_exact), "modes", modes, "tasks", tasks,
                     "load", average(last->load1), average(last->load5), average(last->load15));
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
