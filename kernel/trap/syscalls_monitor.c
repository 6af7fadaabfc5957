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
#include "kernel/sched/sched.h"
#include "kernel/sched/task.h"

#define READS_OF_PROCESSES 4u /* of a table, at most */

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
static uint64_t write_processes(uint64_t address, uint64_t bytes)
{
    struct process_entry entry;
    uint64_t entries = 0;

    for (uint32_t slot = 0; process_table_next(&slot, &entry); entries++) {
        const uint64_t at = entries * sizeof entry;

        if (bytes >= sizeof entry && at <= bytes - sizeof entry &&
            !user_memory_write(current->space, address + at, &entry, sizeof entry))
            return SYSCALL_DENIED;
    }
    return entries;
}

/*
 * A table of one moment: it is read again where another task ran meanwhile, and the last time with interrupts off.
 * An interrupt alone may only make a task ready that slept.
 */
uint64_t sys_ps(uint64_t address, uint64_t bytes)
{
    uint64_t entries, passes;
    unsigned again = READS_OF_PROCESSES;

    do {
        const bool on = again == 1 && irq_save();

        passes = sched_passes_all();
        entries = write_processes(address, bytes);
        irq_restore(on);
    } while (entries != SYSCALL_DENIED && passes != sched_passes_all() && --again != 0);
    return entries != SYSCALL_DENIED ? entries : syscall_deny();
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
