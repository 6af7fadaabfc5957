/* SPDX-License-Identifier: MIT */
/* Finds tasks by name: it searches at each switch of tasks. */
#include "tools/hwmon/task_table.h"

#include <string.h>

static struct task *find(struct task_table *t, const char *name)
{
    for (unsigned i = 0; i < t->count; i++)
        if (strcmp(t->task[i].name, name) == 0)
            return &t->task[i];
    return NULL;
}

/* `name` has NAME_SIZE bytes. */
static struct task *add(struct task_table *t, const char name[NAME_SIZE])
{
    struct task *task = &t->task[t->count++];

    memcpy(task->name, name, NAME_SIZE);
    task->id = strcmp(name, "IDLE") == 0 ? ROW_IDLE : t->count;
    return task;
}

struct task *task_named(struct task_table *t, const char *name)
{
    static const char others[NAME_SIZE] = "(others)";
    char cut[NAME_SIZE] = "";
    struct task *task;

    memcpy(cut, name, strnlen(name, NAME_SIZE - 1));
    if (cut[0] == '\0')
        cut[0] = '?';
    task = find(t, cut);
    if (task != NULL)
        return task;
    if (t->count < TASKS_MAX - 1)
        return add(t, cut);
    t->merged++;
    task = find(t, others);
    return task != NULL ? task : add(t, others);
}

void task_clear(struct task_table *t)
{
    for (unsigned i = 0; i < t->count; i++)
        memset(t->task[i].time, 0, sizeof t->task[i].time);
}
