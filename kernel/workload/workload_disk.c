/* SPDX-License-Identifier: MIT */
/*
 * Tasks that compute and wait for the disk, drawn from seed=: ROGUE asks for as much as it gets, others
 * think in between, one asks for blocks that are not there, and one does not use the disk.  In the
 * second workload tasks are ended while they wait, and leave their requests, which fill the queue.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/load/loads.h"
#include "kernel/sched/children.h"
#include "kernel/sched/timer.h"
#include "kernel/workload/workload.h"

_Static_assert(DISKUSER_BLOCKS == DISK_BLOCKS, "the program knows the disk");

#define USER(task, compute_us, think_ms, more)                                                    \
    { .name = (task), .program = "diskuser", .seeded = true,                                      \
      .argument = (compute_us) | (uint64_t)(think_ms) << DISKUSER_THINK | (more),                \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANT_CALL(SYS_DISK) }

static void tell(void)
{
    struct disk_counters c;
    uint64_t us;

    irq_disable();
    disk_read(&c);
    irq_enable();
    us = timer_us_to_clocks(1);
    log_line(LOG_NOTE, "disk: ", DECIMAL(c.requests), " requests, ", DECIMAL(c.done), " done, ", DECIMAL(c.refused),
             " found the queue full, ", DECIMAL(c.blocks), " blocks; busy for ", DECIMAL(us != 0 ? c.busy / us : 0),
             " us, ", DECIMAL(c.done != 0 && us != 0 ? c.waits / us / c.done : 0), " us a request, ",
             DECIMAL(c.longest), " in the queue at most");
}

WORKLOAD(workload_disk, "disk", "tasks that compute and wait for a disk",
         { .name = "ROGUE", .program = "diskuser", .seeded = true, .argument = 1500, .tell = tell,
           .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANT_CALL(SYS_DISK) },
         USER("READER", 500, 20, 0), USER("SORT", 6000, 10, 0), USER("INDEX", 3000, 40, 0),
         USER("HOSTIL", 200, 5, DISKUSER_HOSTILE),
         WORKER("WORKER", 20000, 20000, 60000));

#define LIFE_US 2000u /* of a task that is ended while it waits: shorter than most requests */

static struct children sum; /* written by task ENDER */

static struct task *make_short(uint64_t number)
{
    static const struct workload_task row = USER("", 0, 0, 0);

    return workload_make_child(&row, "SHORT", number);
}

static void ender(void)
{
    static const struct child_kind kinds[] = { { make_short, &sum }, { make_short, &sum } };

    children_run(kinds, sizeof kinds / sizeof kinds[0], UINT64_MAX, timer_us_to_clocks(LIFE_US));
}

static void tell_ended(void)
{
    log_line(LOG_NOTE, "disk: ", DECIMAL(sum.terminated), " tasks were ended while they waited or asked");
    tell();
}

WORKLOAD(workload_diskflood, "diskflood", "tasks that are ended while they wait for a disk",
         { .name = "ENDER", .entry = ender, .tell = tell_ended },
         USER("READER", 500, 20, 0));
