/* SPDX-License-Identifier: MIT */
/* The idle counter. */
#include "kernel/sched/idle.h"

#include "kernel/account/exact_time.h"

bool idle_counted;
uint64_t idle_since;
uint32_t idle_io_tasks;

static struct idle_counters counters;  /* interrupts off, as all below */
static uint64_t (*ticks_time)(void);
static void (*at_halt)(void); /* NULL: nobody watches, as the next */
static void (*at_leave)(uint64_t now);
static uint64_t ticks_before; /* ticks_time() when the present halt began */

/* The present halt up to `now`; ticks may have run in it. */
static uint64_t halted_until(uint64_t now)
{
    const uint64_t passed = now - idle_since, ticks = ticks_time() - ticks_before;

    return (int64_t)passed > 0 && passed > ticks ? passed - ticks : 0;
}

/* The number of tasks that wait for a device cannot change while the processor is halted. */
static void add_halt(struct idle_counters *to, uint64_t now)
{
    const uint64_t time = halted_until(now);

    to->time += time;
    if (idle_io_tasks != 0)
        to->io += time;
}

static void close(uint64_t now)
{
    add_halt(&counters, now);
    idle_since = 0;
}

void idle_count(uint64_t (*ticks)(void))
{
    counters = (struct idle_counters){ .time = 0 };
    idle_since = 0;
    ticks_time = ticks;
    idle_counted = ticks != 0;
}

static void begin_halt(void)
{
    const uint64_t now = account_clock();

    if (idle_since != 0) /* a tick ended the last HLT and returned here */
        close(now);
    counters.halts++;
    ticks_before = ticks_time();
    idle_since = now;
}

void idle_watch(void (*enter)(void), void (*leave)(uint64_t now))
{
    at_halt = enter;
    at_leave = leave;
}

void idle_halt(void)
{
    if (at_halt != 0)
        at_halt();
    begin_halt();
}

void idle_leave(uint64_t now)
{
    close(now - account_entry_cost);
    if (at_leave != 0)
        at_leave(now + account.nmi_time);
}

struct idle_counters idle_read(uint64_t now)
{
    struct idle_counters read = counters;

    if (idle_since != 0)
        add_halt(&read, now);
    return read;
}
