/* SPDX-License-Identifier: MIT */
/* The sentences on what tasks asked for in vain. */
#include "kernel/denials.h"

#include "kernel/say.h"
#include "kernel/task.h"

static struct denials retired; /* of tasks whose place was given to others; task context */

void denials_retire(struct task *t)
{
    retired.calls += t->denied.calls;
    retired.reports += t->denied.reports;
    retired.faults += t->denied.faults;
    t->denied = (struct denials){ .calls = 0 };
}

static void tell(const char *who, const char *name, const struct denials *d)
{
    if (d->calls != 0)
        say(SAY_WARNING, who, name, " made ", DECIMAL(d->calls),
            d->calls == 1 ? " call that it is not granted" : " calls that it is not granted");
    if (d->reports != 0)
        say(SAY_WARNING, who, name, " made ", DECIMAL(d->reports),
            d->reports == 1 ? " report that found no room" : " reports that found no room");
    if (d->faults != 0)
        say(SAY_WARNING, who, name, " was ended by a fault, and its record found no room");
}

void denials_tell(void)
{
    for (uint32_t i = 0; i < TASKS_MAX; i++)
        tell("task ", tasks[i].name, &tasks[i].denied);
    tell("tasks whose place was given to others", "", &retired);
}
