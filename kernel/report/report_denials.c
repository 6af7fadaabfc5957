/* SPDX-License-Identifier: MIT */
/* Logs the requests of tasks that were denied. */
#include "kernel/report/run.h"

#include "kernel/io/log.h"
#include "kernel/sched/task.h"

static void tell(const char *who, const char *name, const struct denials *d)
{
    if (d->calls != 0)
        log_line(LOG_WARNING, who, name, " made ", DECIMAL(d->calls),
                 d->calls == 1 ? " call that it is not granted" : " calls that it is not granted");
    if (d->reports != 0)
        log_line(LOG_WARNING, who, name, " made ", DECIMAL(d->reports),
                 d->reports == 1 ? " report that found no room" : " reports that found no room");
    if (d->event_times != 0)
        log_line(LOG_WARNING, who, name, " recorded ", DECIMAL(d->event_times),
                 " user events with times at which it did not run");
    if (d->event_room != 0)
        log_line(LOG_WARNING, who, name, " overwrote ", DECIMAL(d->event_room),
                 " user events before they were taken");
    if (d->faults != 0)
        log_line(LOG_WARNING, who, name, " was ended by a fault, and its record found no room");
}

void report_denials(void)
{
    for (uint32_t i = 0; i < TASKS_MAX; i++)
        tell("task ", tasks[i].name, &tasks[i].denied);
    tell("tasks whose place was given to others", "", denials_retired());
}
