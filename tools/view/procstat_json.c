/* SPDX-License-Identifier: MIT */
/* Makes JSON of tick counters. */
#include "tools/view/procstat_json.h"

#include "tools/analysis/procstat_diff.h"

#define PROCSTAT_MODE_MEMBERS(M, O)                                                 \
    M(COUNT, ticks, "ticks that were charged")                                      \
    M(COUNT, told, "the same in 1/100 s, as the texts have it")                     \
    M(REAL, level, "percent of all ticks")                                          \
    M(REAL, elapsed, "percent of the ticks that passed")                            \
    M(REAL, exact, "percent by the exact table; null: not known, and of iowait, which is part of idle there")
REPORT_OBJECT(procstat_mode, PROCSTAT_MODE_MEMBERS)

#define PROCSTAT_MODES_MEMBERS(M, O)                                                \
    O(OBJECT, user, procstat_mode, "in user mode")                                  \
    O(OBJECT, nice, procstat_mode, "in user mode, of tasks with a low priority")    \
    O(OBJECT, system, procstat_mode, "in the kernel")                               \
    O(OBJECT, idle, procstat_mode, "idle")                                          \
    O(OBJECT, iowait, procstat_mode, "idle while a task waits for a device")        \
    O(OBJECT, irq, procstat_mode, "in interrupt handlers")
REPORT_OBJECT(procstat_modes, PROCSTAT_MODES_MEMBERS)

#define PROCSTAT_TASK_MEMBERS(M, O)                                                 \
    M(TEXT, name, "name of the row")                                                \
    M(COUNT, id, "identifier of the row")                                           \
    M(INTEGER, nice, "nice value of the task")                                      \
    M(COUNT, user, "ticks in user mode")                                            \
    M(COUNT, system, "ticks in the kernel")                                         \
    M(COUNT, told_user, "ticks in user mode in 1/100 s, as the texts have them")    \
    M(COUNT, told_system, "ticks in the kernel in 1/100 s, as the texts have them") \
    M(REAL, level, "percent of all ticks")
REPORT_OBJECT(procstat_task, PROCSTAT_TASK_MEMBERS)

#define PROCSTAT_READS_MEMBERS(M, O)                                                \
    M(TEXT, file, "text that was read")                                             \
    M(COUNT, reads, "how often it was read")                                        \
    M(COUNT, bytes, "bytes in all")                                                 \
    M(REAL, mean, "mean length of the call, s")                                     \
    M(REAL, least, "shortest length of the call, s")
REPORT_OBJECT(procstat_reads, PROCSTAT_READS_MEMBERS)

#define PROCSTAT_LEVELS_MEMBERS(M, O)                                               \
    M(COUNT, from, "first reading, clock units since the start")                    \
    M(COUNT, to, "last reading, clock units since the start")                       \
    M(COUNT, hz, "ticks of the system clock a second")                              \
    M(REAL, seconds, "time between the readings, s")                                \
    M(COUNT, ticks, "ticks that were charged")                                      \
    M(REAL, passed, "ticks that passed")                                            \
    M(REAL, busy, "all but idle and iowait, percent of the sum of all modes")       \
    M(REAL, busy_elapsed, "the same, percent of the time that passed")              \
    M(REAL, busy_exact, "the same by the exact table, percent")                     \
    O(OBJECT, modes, procstat_modes, "by mode")                                     \
    O(LIST, tasks, procstat_task, "rows with ticks, most first; tasks whose slot another one has are no " \
                                  "longer there") \
    M(REALS, load, "load averages of 1, 5 and 15 minutes at the last reading")      \
    M(REAL, step, "points by which a level moves with one 1/100 s, by the sum of all modes") \
    M(REAL, step_elapsed, "the same by the time that passed, points")               \
    M(REAL, random, "half width of the 95 % interval of busy, points, if the ticks are random to the load") \
    O(LIST, reads, procstat_reads, "what tasks' readings of the texts cost, of each file that was read, up to " \
                                   "the last snapshot")
REPORT_SHARED(procstat_levels, PROCSTAT_LEVELS_MEMBERS)

#define RUN_QUEUE_MEMBERS(M, O)                                                     \
    M(COUNT, looks, "looks of the kernel at its run queue")                         \
    M(COUNT, last, "moment of the last look, clock units since the start")          \
    M(REAL, mean, "mean length of the queue")                                       \
    M(REALS, exact, "the three averages, damped without a break")                   \
    M(REALS, noise, "one deviation by which looks at random moments are off, for each average") \
    M(REALS, looked_least, "the averages of the shortest queue within the tick of each look, as that kernel " \
                           "computes them") \
    M(REALS, looked_most, "the averages of the longest queue within the tick of each look, as that kernel " \
                          "computes them")
REPORT_SHARED(run_queue, RUN_QUEUE_MEMBERS)

static json_t *mode_json(const struct procstat_diff *d, enum tick_mode mode)
{
    const struct procstat_mode *const m = &d->mode[mode];

    return REPORT_MAKE(procstat_mode, m->ticks, m->told, m->level, m->elapsed, m->exact);
}

static json_t *task_json(const struct epoch *e, const struct procstat_used *u)
{
    char name[NAME_SIZE];

    epoch_name_of(e, u->id, name);
    return REPORT_MAKE(procstat_task, .name = name, .id = u->id, .nice = u->nice, .user = u->user,
                       .system = u->system, .told_user = u->told_user, .told_system = u->told_system,
                       .level = u->level);
}

static json_t *reads_json(const struct epoch *e)
{
    const double hz = (double)e->hello.clock_hz;
    json_t *array = json_array();

    for (unsigned f = 0; f < TICK_USAGE_FILES; f++) {
        const struct wire_procreads_row *const r = record_row_of(epoch_kept(e, WIRE_PROCREADS), f);

        if (r)
            REPORT_ADD(array, procstat_reads, tick_usage_file(f), r->reads, r->bytes,
                       .mean = (double)r->time / (double)r->reads / hz, .least = (double)r->least / hz);
    }
    return array;
}

json_t *run_queue_json(const struct run_queue *q)
{
    double exact[LOAD_AVERAGES], noise[LOAD_AVERAGES], least[LOAD_AVERAGES], most[LOAD_AVERAGES];

    if (!q || !q->looks)
        return NULL;
    for (unsigned i = 0; i < LOAD_AVERAGES; i++) {
        exact[i] = q->look[q->looks - 1].average[i];
        noise[i] = run_queue_noise(q, i);
        least[i] = (double)run_queue_looked(q, i, false) / LOAD_ONE;
        most[i] = (double)run_queue_looked(q, i, true) / LOAD_ONE;
    }
    return REPORT_MAKE(run_queue, .looks = q->looks, .last = (uint64_t)q->look[q->looks - 1].time,
                       .mean = run_queue_mean(q), .exact = json_reals(exact, LOAD_AVERAGES),
                       .noise = json_reals(noise, LOAD_AVERAGES), .looked_least = json_reals(least, LOAD_AVERAGES),
                       .looked_most = json_reals(most, LOAD_AVERAGES));
}

json_t *procstat_json(const struct epoch *e, const struct procstat_diff *d)
{
    json_t *tasks = json_array(), *load = json_array();

    for (size_t i = 0; i < d->tasks; i++)
        json_array_append_new(tasks, task_json(e, &d->task[i]));
    for (unsigned i = 0; i < LOAD_AVERAGES; i++)
        json_array_append_new(load, json_real((double)d->load[i] / LOAD_ONE));
    return REPORT_MAKE(procstat_levels, .from = d->from, .to = d->to, .hz = d->hz, .seconds = d->seconds,
                       .ticks = d->sum, .passed = d->passed, .busy = d->busy, .busy_elapsed = d->busy_elapsed,
                       .busy_exact = d->busy_exact, .tasks = tasks, .load = load, .step = d->step,
                       .step_elapsed = d->step_elapsed, .random = d->random, .reads = reads_json(e),
                       .modes = REPORT_MAKE(procstat_modes, .user = mode_json(d, TICK_USER),
                                            .nice = mode_json(d, TICK_NICE), .system = mode_json(d, TICK_SYSTEM),
                                            .idle = mode_json(d, TICK_IDLE), .iowait = mode_json(d, TICK_IOWAIT),
                                            .irq = mode_json(d, TICK_IRQ)));
}

json_t *procstat_json_whole(const struct epoch *e)
{
    struct procstat_diff d;
    json_t *object;

    if (!e->has_hello || !procstat_diff_make(&d, e, 0, UINT64_MAX))
        return NULL;
    object = procstat_json(e, &d);
    procstat_diff_free(&d);
    return object;
}
