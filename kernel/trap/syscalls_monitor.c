/* SPDX-License-Identifier: MIT */
/* System calls by which a task reads what monitors count, or is counted in memory of its own. */
#include "kernel/trap/syscalls.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/mm/user_memory.h"
#include "kernel/monitor/idle_task.h"
#include "kernel/monitor/perf_call.h"
#include "kernel/monitor/proc_files.h"
#include "kernel/monitor/process_table.h"
#include "kernel/monitor/profil.h"
#include "kernel/sched/task.h"

uint64_t sys_idle_count(uint64_t address, uint64_t unused)
{
    (void)unused;
    return idle_task_register(address) ? 0 : syscall_deny();
}

uint64_t sys_perf(uint64_t address, uint64_t bytes)
{
    struct perf_counters counters;
    bool kept;

    irq_disable();
    kept = perf_counters_read(&counters, rdtsc());
    irq_enable();
    if (!kept)
        return SYSCALL_DENIED;
    if (bytes >= sizeof counters && !user_memory_write(current->space, address, &counters, sizeof counters))
        return syscall_deny();
    return PERF_PROCESSORS;
}

/* Entries that have no room are counted and not written: the caller sees by the answer that there are more. */
uint64_t sys_ps(uint64_t address, uint64_t bytes)
{
    struct process_entry entry;
    uint64_t entries = 0;

    for (uint32_t slot = 0; process_table_next(&slot, &entry); entries++) {
        const uint64_t at = entries * sizeof entry;

        if (bytes >= sizeof entry && at <= bytes - sizeof entry &&
            !user_memory_write(current->space, address + at, &entry, sizeof entry))
            return syscall_deny();
    }
    return entries;
}

uint64_t sys_profil(uint64_t request, uint64_t unused)
{
    (void)unused;
    return profil_ask(request) ? 0 : syscall_deny();
}

uint64_t sys_proc(uint64_t file, uint64_t address)
{
    const size_t length = proc_file_read(file, address);

    return length != 0 ? length : SYSCALL_DENIED;
}
