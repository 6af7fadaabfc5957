/* SPDX-License-Identifier: MIT */
/* Loads that test which rows tasks get: several of one program, of one hash, and more than the tables have. */
#include "kernel/io/log.h"
#include "kernel/load/loads.h"
#include "kernel/sched/children.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/workload/workload.h"

/*
 * Three tasks of one program and one of another.  The three have one row or three, as
 * identity= says (Crowe's UNIX version charges all runs of a file to one row).
 */
WORKLOAD(workload_twins, "twins", "several runs of one program",
         WORKER("TWIN", 0, 0, 100000),
         WORKER("TWIN", 0, 0, 150000),
         WORKER("OTHER", 0, 0, 50000),
         { .name = "ROGUE", .program = "rogue", .user = 100000, .kernel = 100000, .grants = GRANTS_PACE });

/*
 * Eight tasks whose ids have the same hash: five find a record, three are lost (Crowe, "System-wide CPU usage
 * monitoring").  The ids differ in two bytes whose effects on the hash cancel out.
 */
#define ROW(n, share) \
    { .name = "HASH" #n, .program = "worker", .user = (share), .grants = GRANTS_PACE, \
      .id = 0x01010040u + 0x0101u * (n) }

WORKLOAD(workload_collide, "collide", "eight tasks in one place of the hash table",
         ROW(0, 90000), ROW(1, 80000), ROW(2, 70000), ROW(3, 60000),
         ROW(4, 50000), ROW(5, 40000), ROW(6, 30000), ROW(7, 20000));

/*
 * A system whose tasks come and go: a thousand tasks with a thousand names, two at a time, each of which works for a
 * while and ends; two other tasks stay.  That is more rows than the tables have (docs/ACCOUNTING.md, "Tasks that
 * end").  In `brief` they come without end, and the names repeat.
 */
#define NAMES     1000u
#define WORK_US   1000u    /* of each task at ring 3; half of it at ring 1, and at ring 0 */
#define LIFE_US   1000000u

static struct children sum; /* written by task MAKER, read by PROBE at the end */

static const struct workload_task one = {
    .program = "oneshot", .grants = GRANT_CALL(SYS_WORK) | GRANT_SERVICE(SVC_WORK),
};

/* The names are "N000" to "N999": with identity=name each has a row. */
static struct task *make(uint64_t number)
{
    struct workload_task row = one;
    char name[] = "N000";

    for (unsigned place = 3, left = (unsigned)(number % NAMES); place > 0; place--, left /= 10)
        name[place] = (char)('0' + left % 10);
    row.argument = work_pacer_units_of(timer_us_to_clocks(WORK_US));
    return workload_make_child(&row, name, number);
}

static const struct child_kind kinds[] = { { make, &sum }, { make, &sum } };

static void maker(void)
{
    children_run(kinds, sizeof kinds / sizeof kinds[0], NAMES, timer_us_to_clocks(LIFE_US));
}

static void endless_maker(void)
{
    children_run(kinds, sizeof kinds / sizeof kinds[0], UINT64_MAX, timer_us_to_clocks(LIFE_US));
}

static void tell(void)
{
    log_line(LOG_NOTE, "turnover: ", DECIMAL(sum.exited), " tasks ended by themselves, ", DECIMAL(sum.faulted),
             " by a fault, ", DECIMAL(sum.terminated), " by their parent");
}

#define ROWS(making) \
    { .name = "MAKER", .entry = (making), .tell = tell }, \
    WORKER("STAYS1", 0, 0, 100000), WORKER("STAYS2", 50000, 50000, 0)

WORKLOAD(workload_turnover, "turnover", "a thousand tasks of a thousand names that end", ROWS(maker));
WORKLOAD(workload_brief, "brief", "tasks that live for some milliseconds and end, without end", ROWS(endless_maker));
