/* SPDX-License-Identifier: MIT */
/* How a row of a workload becomes a task. */
#include "kernel/workload/workload.h"

#include "drivers/pic.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/linux/spawn.h"
#include "kernel/load/loads.h"
#include "kernel/mm/programs.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source.h"
#include "kernel/tick/tick_plan.h"
#include "kernel/tick/window.h"
#include "kernel/workload/row_names.h"
#include "probe/schedule/splitmix64.h"

#define WORK_US    2500u   /* of CPU in a period, where the bounds below allow it */
#define PERIOD_MIN 41000u  /* us */
#define PERIOD_MAX 900000u
#define PERIOD_ODD 1373u   /* us: so that no two tasks run in step, and none with the clock */
#define MILLION    1000000u

static uint32_t period_of(const struct workload_task *row, uint32_t index)
{
    const uint64_t share = (uint64_t)row->kernel + row->supervisor + row->user;
    uint64_t period;

    if (share == 0)
        return 0;
    period = (uint64_t)WORK_US * MILLION / share;
    if (period < PERIOD_MIN)
        period = PERIOD_MIN;
    if (period > PERIOD_MAX)
        period = PERIOD_MAX;
    return (uint32_t)(period + index * PERIOD_ODD);
}

uint32_t workload_id(const char *name, const char *program, uint32_t number)
{
    uint32_t index = 0;

    switch (run_config()->identity) {
    case IDENTITY_NAME:
        return row_name_of(name).id;
    case IDENTITY_IMAGE: /* the place of the file in the image stands for its i-node */
        return program_named(program, &index) != 0 ? index + 1 : row_name_of(program).id;
    default:
        return number;
    }
}

/* By the vector: one of two sources is in force as a copy. */
static bool is_rtc(const struct source *s)
{
    return s != 0 && s->vector == source_rtc.vector;
}

static bool rtc_free(void)
{
    return timer_vector() != PIC_SLAVE_VECTOR && !is_rtc(tick_source) && !is_rtc(tick_source2);
}

/* Whether it can have the devices that it needs. */
static bool has_devices(const struct workload_task *row, struct refusal *why)
{
    if (row->rtc && !rtc_free())
        return REFUSE(why, "the RTC for itself: neither tick= nor clock= can have it");
    if (row->processes && !spawn_open(why))
        return false;
    return !row->smi || smi_detect(why);
}

/* Each task of a workload has another one, and the same one at each boot with the same seed. */
static uint64_t argument_of(const struct workload_task *row, uint32_t number)
{
    const uint64_t drawn = splitmix64_mix(sampler_seed() + number * SPLITMIX64_GAMMA);

    return row->argument | (row->seeded ? drawn << 32 : 0);
}

static struct task *make_program(const struct workload_task *row, const char *name, uint32_t number,
                                 struct refusal *why)
{
    const bool by_image = run_config()->identity == IDENTITY_IMAGE;
    const uint32_t id = row->id != 0 ? row->id : workload_id(name, row->program, number);
    uint32_t program_number = 0;

    if (program_named(row->program, &program_number) == 0) {
        REFUSE(why, "the image does not carry its program");
        return 0;
    }
    return task_create_user(row_name_of(by_image ? row->program : name).name, id, program_number,
                            argument_of(row, number), why);
}

static void prioritize(struct task *t, enum task_priority priority)
{
    const bool on = irq_save();

    if (priority != PRIORITY_REGULAR)
        sched_set_priority(t, priority);
    irq_restore(on);
}

/* `number`: from 1 for the rows of workloads, above TASKS_MAX for tasks that tasks make. */
static struct task *make(const struct workload_task *row, const char *name, uint32_t number)
{
    struct refusal why = { .reason = "out of memory" };
    char text[REFUSAL_TEXT];
    struct task *const t =
        row->entry != 0 ? task_create_kernel(row_name_of(name).name, workload_id(name, name, number), row->entry)
                        : make_program(row, name, number, &why);

    if (t == 0) {
        log_line(LOG_ERROR, "task ", name, " cannot be made: ", refusal_text(&why, text));
        return 0;
    }
    if ((row->grants & GRANTS_MONITOR) != 0 && !task_monitor_open(t)) {
        log_line(LOG_ERROR, "task ", name, " cannot have its monitor page: out of memory");
        return 0;
    }
    if ((row->grants & GRANTS_PROFIL) != 0 && !task_profil_open(t)) {
        log_line(LOG_ERROR, "task ", name, " cannot have the pages of a profile: out of memory");
        return 0;
    }
    prioritize(t, row->priority);
    t->owns_system = row->owns_system;
    if (row->grants & GRANT_CALL(SYS_PS))
        process_table_wanted();
    t->grants = row->grants;
    t->nice = row->nice;
    t->pace.share[0] = row->user;
    t->pace.share[1] = row->supervisor;
    t->pace.share[2] = row->kernel;
    t->pace.absorbs = row->absorbs;
    t->pace.counted = row->counted;
    return t;
}

struct task *workload_make_child(const struct workload_task *row, const char *name, uint64_t number)
{
    return make(row, name, (uint32_t)(TASKS_MAX + 1 + number));
}

static bool start_task(const struct workload_task *row, uint32_t index)
{
    struct refusal why;
    char text[REFUSAL_TEXT];
    struct task *t;

    if (!has_devices(row, &why)) {
        log_line(LOG_ERROR, "task ", row->name, " needs ", refusal_text(&why, text));
        return false;
    }
    t = make(row, row->name, index + 1);
    if (t == 0)
        return false;
    if (row->rtc)
        tick_plan_reserve_rtc();
    t->pace.period_us = period_of(row, index);
    task_start(t);
    return true;
}

bool workload_start_tasks(const struct workload *w, uint32_t first)
{
    for (unsigned i = 0; i < w->tasks; i++) {
        const struct workload_task *row = &w->task[i];

        if (!start_task(row, first + i) || (row->beside != 0 && !workload_start_tasks(row->beside, first + w->tasks)))
            return false;
    }
    return true;
}
