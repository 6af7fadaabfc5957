/* SPDX-License-Identifier: MIT */
/*
 * The same work again and again, with user events at several rates, by each way there is: none, a
 * store that an observer outside sees, a record in a page of its own, a system call.  Reports the
 * clocks of its own time that each took.  Values of events count from 0 in each way.
 */
#include "kernel/abi/monitor.h"

#define PIECE 3000000u /* units of work of each report */

enum way { WAY_NONE, WAY_STORE, WAY_PAGE, WAY_CALL, WAYS };

static const uint32_t between[] = { 60000, 20000, 6000, 2000, 600, 200 }; /* units of work from event to event */

static uint64_t value[WAYS];

#define RUN(name, record)                                                     \
    __attribute__((noipa)) static void name(uint64_t units, uint64_t first)  \
    {                                                                         \
        for (uint64_t v = first; v != first + PIECE / units; v++) {           \
            spin(units);                                                      \
            record;                                                           \
        }                                                                     \
    }

RUN(none, __asm__ volatile("" : : "r"(v)))
RUN(store, monitor_out(WAY_STORE, v))
RUN(page, monitor(WAY_PAGE, v))
RUN(system_call, call(SYS_EVENT, v << 8 | WAY_CALL, 0))

static void (*const run[WAYS])(uint64_t units, uint64_t first) = { none, store, page, system_call };

static void measure(enum way way, uint64_t units)
{
    const uint64_t begin = monitor_task_time();

    run[way](units, value[way]);
    call(SYS_REPORT, monitor_task_time() - begin, 0);
    value[way] += PIECE / units;
}

int main(void)
{
    for (;;)
        for (unsigned i = 0; i < sizeof between / sizeof between[0]; i++)
            for (unsigned way = 0; way < WAYS; way++)
                measure(way, between[i]);
}
