/* SPDX-License-Identifier: MIT */
/* A disk that is not there. */
#include "kernel/load/loads.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/io_wait.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/trace/trace.h"

#define ARM_US      1000u /* of a move of the arm, */
#define CYLINDER_US 8u    /* and of each cylinder that it passes */
#define TURN_US     8333u

static struct request {
    struct task *task;
    uint64_t number; /* from 1 */
    uint64_t block, blocks;
    uint64_t asked; /* TSC */
} queue[DISK_QUEUE]; /* a ring; the first is being served; interrupts off, as all below */

static uint32_t first, waiting; /* index in queue[]; requests in it, the one that is served included */
static uint64_t cylinder;       /* where the arm is */
static uint64_t started, due;   /* TSC: of the request that is served */
static uint64_t changed;        /* TSC: when `waiting` changed last */
static struct disk_counters counters;

bool disk_is_bounded(uint64_t block, uint64_t blocks)
{
    return block < DISK_BLOCKS && blocks != 0 && blocks <= DISK_MOST && blocks <= DISK_BLOCKS - block;
}

/* Clock units from `now` until the request is done. */
static uint64_t service_time(const struct request *r, uint64_t now)
{
    const uint64_t to = r->block / DISK_TRACK, turn = timer_us_to_clocks(TURN_US);
    const uint64_t passed = to > cylinder ? to - cylinder : cylinder - to;
    const uint64_t arm = passed != 0 ? timer_us_to_clocks(ARM_US + CYLINDER_US * passed) : 0;
    const uint64_t at = (now + arm - run_state->start) % turn, block = r->block % DISK_TRACK * turn / DISK_TRACK;

    return arm + (block + turn - at) % turn + r->blocks * turn / DISK_TRACK;
}

/* The number of requests changes at `now`. */
static void count_queue(uint64_t now)
{
    counters.queue += waiting * (now - changed);
    changed = now;
    if (waiting > counters.longest)
        counters.longest = waiting;
}

static void done(uint64_t now);

/* Serve the first request. */
static void serve(void)
{
    const struct request *const r = &queue[first];

    started = rdtsc();
    due = started + service_time(r, started);
    cylinder = (r->block + r->blocks - 1) / DISK_TRACK;
    trace_io_start(account_clock(), TRACE_DEVICE_DISK, r->number);
    timer_set_deadline(DEADLINE_DISK, due, done);
}

/* The interrupt of the disk, and the beginning of the next request. */
static void done(uint64_t now)
{
    const struct request *const r = &queue[first];

    trace_io_end(account_clock(), TRACE_DEVICE_DISK, r->number);
    count_queue(now);
    counters.busy += due - started;
    counters.waits += now - r->asked;
    counters.blocks += r->blocks;
    counters.done++;
    io_wait_end(r->task, r->number, now - r->asked);
    first = (first + 1) % DISK_QUEUE;
    if (--waiting != 0)
        serve();
}

/* The number of the request, 0 where the queue is full.  Interrupts off. */
static uint64_t put(uint64_t block, uint64_t blocks)
{
    const uint64_t now = rdtsc();

    if (waiting == DISK_QUEUE) {
        counters.refused++;
        return 0;
    }
    count_queue(now);
    queue[(first + waiting++) % DISK_QUEUE] = (struct request){ current, ++counters.requests, block, blocks, now };
    if (waiting > counters.longest)
        counters.longest = waiting;
    io_wait_begin(counters.requests);
    if (waiting == 1)
        serve();
    return counters.requests;
}

bool disk_transfer(uint64_t block, uint64_t blocks)
{
    uint64_t number;

    if (!disk_is_bounded(block, blocks))
        return false;
    irq_disable();
    number = put(block, blocks);
    irq_enable();
    if (number != 0)
        io_wait();
    return number != 0;
}

void disk_read(struct disk_counters *to)
{
    const uint64_t now = rdtsc();

    count_queue(now);
    *to = counters;
    to->time = now;
    if (waiting != 0)
        to->busy += (now < due ? now : due) - started;
}
