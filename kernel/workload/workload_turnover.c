/* SPDX-License-Identifier: MIT */
/*
 * A system whose tasks come and go: a thousand tasks of a thousand names, two at a
 * time, which work a while and end, beside two that stay.  More rows than the tables
 * have: docs/ACCOUNTING.md, "Tasks that end".
 */
#include "kernel/io/log.h"
#include "kernel/sched/children.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/workload/work_pacer.h"
#include "kernel/workload/workload.h"

#define NAMES     1000u
#define AT_ONCE   2u
#define WORK_US   1000u    /* of each at ring 3, and half of that at ring 1 and at ring 0 */
#define LIFE_US   1000000u

static struct children sum; /* task MAKER */

static const struct workload_task one = {
    .program = "oneshot", .grants = GRANT_CALL(SYS_WORK) | GRANT_SERVICE(SVC_WORK),
};

/* "N000" to "N999": a row each by identity=name. */
static struct task *make(uint32_t number)
{
    struct workload_task row = one;
    char name[] = "N000";

    for (unsigned place = 3, left = number; place > 0; place--, left /= 10)
        name[place] = (char)('0' + left % 10);
    row.argument = work_pacer_units_of(timer_us_to_clocks(WORK_US));
    return workload_make(&row, name, TASKS_MAX + 1 + number);
}

static void maker(void)
{
    struct child child[AT_ONCE] = { { .task = 0 } };
    uint32_t begun = 0;

    for (;;) {
        for (unsigned i = 0; i < AT_ONCE; i++) {
            struct task *t;

            if (!child_poll(&child[i], &sum) || begun == NAMES || (t = make(begun)) == 0)
                continue;
            begun++;
            child_start(&child[i], t, timer_us_to_clocks(LIFE_US));
        }
        children_wait(child, AT_ONCE);
    }
}

static void tell(void)
{
    log_line(LOG_NOTE, "turnover: ", DECIMAL(sum.exited), " tasks ended by themselves, ", DECIMAL(sum.faulted), " by a fault, ",
        DECIMAL(sum.terminated), " by their parent");
}

static const struct workload_task rows[] = {
    { .name = "MAKER", .entry = maker, .tell = tell },
    { .name = "STAYS1", .program = "worker", .user = 100000, .grants = GRANTS_PACE },
    { .name = "STAYS2", .program = "worker", .kernel = 50000, .supervisor = 50000, .grants = GRANTS_PACE },
};

const struct workload workload_turnover = {
    "turnover", "a thousand tasks of a thousand names that end", rows,
    sizeof rows / sizeof rows[0],
};
