/* SPDX-License-Identifier: MIT */
/*
 * monitor(event, value): a user event with its time, for programs whose workload grants SYS_MONITOR
 * (Thurner, "Performance Measurement Using System Monitors", section 5: hybrid monitors).  The
 * record is left in a page that the kernel reads when the task leaves the processor.
 */
#pragma once

#include <stdint.h>

#include "kernel/abi/calls.h"
#include "kernel/abi/monitor_page.h"

static inline uint64_t monitor_tsc(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

/* `value`: 48 bits.  Between two system calls MONITOR_RECORDS events have room without another one. */
static inline void monitor(uint8_t event, uint64_t value)
{
    volatile struct monitor_page *const page = (volatile struct monitor_page *)(uint64_t)MONITOR_PAGE;
    const uint64_t n = page->put;
    volatile struct monitor_record *const record = &page->record[n % MONITOR_RECORDS];

    record->code = value << 8 | event;
    record->time = monitor_tsc();
    page->put = n + 1;
    if (__builtin_expect(n + 1 >= page->limit, 0))
        call(SYS_MONITOR, 0, 0);
}

/*
 * The same event for an observer outside of the machine (hwmon's window=), which has its own clock: one store, for
 * which the task does not wait, and that the kernel does not see.
 */
static inline void monitor_out(uint8_t event, uint64_t value)
{
    ((volatile struct monitor_page *)(uint64_t)MONITOR_PAGE)->window = value << 8 | event;
}

/* TSC clocks that this task has run since it was made. */
static inline uint64_t monitor_task_time(void)
{
    volatile struct monitor_page *const page = (volatile struct monitor_page *)(uint64_t)MONITOR_PAGE;
    uint64_t away, time;

    do { /* the task may have been away between the two readings */
        away = page->away;
        time = monitor_tsc();
    } while (away != page->away);
    return time - away;
}
