/* SPDX-License-Identifier: MIT */
/* The pages for a profile: all are made with the task, so that nothing is allocated where one is first touched. */
#include "kernel/sched/task_profil.h"

#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/sched/task.h"

bool task_profil_open(struct task *t)
{
    for (unsigned i = 0; i < PROFIL_AREA_PAGES; i++)
        if (!paging_map_hidden(t->space, PROFIL_AREA + i * PAGE_SIZE, PAGE_USER | PAGE_WRITE | PAGE_NO_CODE))
            return false;
    return true;
}
