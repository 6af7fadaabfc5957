/* SPDX-License-Identifier: MIT */
/*
 * System calls and supervisor services: one table each, called by the stubs in
 * kernel/cpu/vectors.asm.  Both run with interrupts on.
 */
#include "drivers/io.h"
#include "kernel/abi/fault_injection.h"
#include "kernel/abi/spin_loop.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/user_memory.h"
#include "kernel/monitor/idle_task.h"
#include "kernel/monitor/perf_call.h"
#include "kernel/monitor/process_table.h"
#include "kernel/monitor/proc_files.h"
#include "kernel/monitor/profil.h"
#include "kernel/sched/activity.h"
#include "kernel/sched/grants.h"
#include "kernel/sched/polled_lock.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/task_events.h"
#include "kernel/sched/task_monitor.h"
#include "kernel/sched/timer.h"
#include "kernel/load/cli_shadow_load.h"
#include "kernel/load/disk.h"
#include "kernel/trace/trace.h"
#include "kernel/trap/dispatch.h"
#include "kernel/load/irq_storm_load.h"
#include "kernel/lib/mailbox.h"
#include "kernel/load/smi.h"
#include "kernel/load/work_pacer.h"

#define DENIED        ((uint64_t)-1)
#define LONGEST_SLEEP 100000000000000ull /* us: three years; in clock units that fits 64 bits */
#define LONGEST_NS    (LONGEST_SLEEP * 1000)
#define LONGEST_MASKED 10000u    /* us with interrupts off that a task may ask for */
#define LONGEST_SMI   (1ull << 26) /* clock units: 67 ms at 1 GHz */
#define SECOND_US     1000000u
#define SECOND_NS     1000000000u

static uint64_t sys_exit(uint64_t status, uint64_t unused)
{
    (void)status;
    (void)unused;
    task_end();
}

static uint64_t sys_sleep(uint64_t microseconds, uint64_t on_grid)
{
    const uint64_t bounded = microseconds < LONGEST_SLEEP ? microseconds : LONGEST_SLEEP;
    const uint64_t wake = rdtsc() + timer_us_to_clocks(bounded);

    timer_sleep_until(on_grid ? timer_tick_after(wake) : wake);
    return 0;
}

static uint64_t sys_pace(uint64_t part, uint64_t unused)
{
    (void)unused;
    return work_pacer_units((unsigned)part);
}

static uint64_t sys_work(uint64_t units, uint64_t unused)
{
    (void)unused;
    spin(units);
    return 0;
}

static uint64_t sys_rest(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    work_pacer_rest();
    return 0;
}

static uint64_t sys_report(uint64_t value, uint64_t unused)
{
    bool room;

    (void)unused;
    irq_disable();
    room = events_put(&(struct event){ .kind = EVENT_REPORT, .value = value });
    irq_enable();
    return room ? 0 : DENIED;
}

static uint64_t sys_clock(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    return rdtsc() - run_state->start;
}

static uint64_t sys_fault(uint64_t kind, uint64_t unused)
{
    (void)unused;
    if (kind == FAULT_LOST_TASK) { /* the dump itself will stumble over it */
        cpu_interrupts_off();
        current = (struct task *)INJECT_NOWHERE;
    }
    inject_fault(kind == FAULT_LOST_TASK ? FAULT_BAD_READ : (enum fault_kind)kind);
    return 0;
}

/* A call whose argument would delay others is denied like one without a grant. */
static uint64_t deny(void)
{
    current->denied.calls++;
    return DENIED;
}

/* Whether `units` of work take longer than that. */
static bool is_longer(uint64_t units, uint64_t microseconds)
{
    return units > work_pacer_units_of(timer_us_to_clocks(microseconds));
}

static uint64_t sys_mask(uint64_t units, uint64_t unused)
{
    (void)unused;
    if (is_longer(units, LONGEST_MASKED))
        return deny();
    irq_disable();
    spin(units);
    irq_enable();
    return 0;
}

static uint64_t sys_until(uint64_t clock, uint64_t unused)
{
    (void)unused;
    timer_sleep_until(run_state->start + clock);
    return 0;
}

static uint64_t sys_tick(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    return timer_period() >> 16;
}

static uint64_t sys_clocks(uint64_t nanoseconds, uint64_t unused)
{
    (void)unused;
    return mul_div64(nanoseconds < LONGEST_NS ? nanoseconds : LONGEST_NS,
                     timer_us_to_clocks(SECOND_US), SECOND_NS);
}

static uint64_t sys_units(uint64_t clocks, uint64_t unused)
{
    (void)unused;
    return work_pacer_units_of(clocks);
}

static uint64_t sys_take(uint64_t resource, uint64_t units)
{
    return polled_lock_take(resource, units) ? 0 : DENIED;
}

static uint64_t sys_shadow(uint64_t units, uint64_t unused)
{
    (void)unused;
    if (is_longer(units / CLI_SHADOW_PART, LONGEST_MASKED))
        return deny();
    cli_shadow_run(units);
    return 0;
}

static uint64_t sys_storm(uint64_t units, uint64_t open)
{
    if (is_longer(units, IRQ_STORM_LONGEST_US))
        return deny();
    irq_storm_start(units, open != 0);
    return 0;
}

static uint64_t sys_calm(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    return irq_storm_stop();
}

static uint64_t sys_smi(uint64_t clocks, uint64_t unused)
{
    (void)unused;
    return smi_raise(clocks < LONGEST_SMI ? clocks : LONGEST_SMI);
}

static uint64_t sys_disk(uint64_t block, uint64_t blocks)
{
    if (!disk_is_bounded(block, blocks))
        return deny();
    return disk_transfer(block, blocks) ? 0 : DENIED;
}

static uint64_t sys_monitor(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    if (current->monitor.page == 0)
        return deny();
    irq_disable();
    task_monitor_take(current);
    irq_enable();
    return 0;
}

/* Where the event monitor is off, or takes no user events, it costs a test, and another one for the account log. */
static uint64_t sys_event(uint64_t argument, uint64_t unused)
{
    (void)unused;
    irq_disable();
    trace_event(TRACE_USER, account_clock(), argument & TRACE_ARGUMENT_MAX);
    if (task_activity_on)
        activity_enter_range(current, (uint8_t)argument, rdtsc());
    irq_enable();
    return 0;
}

static uint64_t sys_send(uint64_t word, uint64_t unused)
{
    bool room;

    (void)unused;
    irq_disable();
    room = mailbox_put(word);
    irq_enable();
    return room ? 0 : DENIED;
}

static uint64_t sys_receive(uint64_t unused, uint64_t unused2)
{
    uint64_t word = DENIED;

    (void)unused;
    (void)unused2;
    irq_disable();
    mailbox_take(&word);
    irq_enable();
    return word;
}

/* A task may not raise itself: nothing that it was not given keeps others from running. */
static uint64_t sys_priority(uint64_t priority, uint64_t unused)
{
    const int64_t to = (int64_t)priority;

    (void)unused;
    if (to < PRIORITY_IDLE || to > current->priority)
        return deny();
    irq_disable();
    sched_set_priority(current, (enum task_priority)to);
    irq_enable();
    return 0;
}

static uint64_t sys_idle_count(uint64_t address, uint64_t unused)
{
    (void)unused;
    return idle_task_register(address) ? 0 : deny();
}

static uint64_t sys_perf(uint64_t address, uint64_t bytes)
{
    struct perf_counters counters;
    bool kept;

    irq_disable();
    kept = perf_counters_read(&counters, rdtsc());
    irq_enable();
    if (!kept)
        return DENIED;
    if (bytes >= sizeof counters && !user_memory_write(current->space, address, &counters, sizeof counters))
        return deny();
    return PERF_PROCESSORS;
}

/* Entries that have no room are counted and not written: the caller sees by the answer that there are more. */
static uint64_t sys_ps(uint64_t address, uint64_t bytes)
{
    struct process_entry entry;
    uint64_t entries = 0;

    for (uint32_t slot = 0; process_table_next(&slot, &entry); entries++) {
        const uint64_t at = entries * sizeof entry;

        if (bytes >= sizeof entry && at <= bytes - sizeof entry &&
            !user_memory_write(current->space, address + at, &entry, sizeof entry))
            return deny();
    }
    return entries;
}

static uint64_t sys_profil(uint64_t request, uint64_t unused)
{
    (void)unused;
    return profil_ask(request) ? 0 : deny();
}

static uint64_t sys_proc(uint64_t file, uint64_t address)
{
    char text[PROC_TEXT];
    const size_t length = proc_file_text(text, file);

    return length != 0 && user_memory_write(current->space, address, text, length) ? length : DENIED;
}

typedef uint64_t call(uint64_t, uint64_t);

static call *const calls[SYSCALLS] = {
    [SYS_EXIT] = sys_exit, [SYS_SLEEP] = sys_sleep, [SYS_PACE] = sys_pace,
    [SYS_WORK] = sys_work, [SYS_REST] = sys_rest, [SYS_REPORT] = sys_report,
    [SYS_CLOCK] = sys_clock, [SYS_FAULT] = sys_fault, [SYS_MASK] = sys_mask,
    [SYS_UNTIL] = sys_until, [SYS_TICK] = sys_tick, [SYS_CLOCKS] = sys_clocks,
    [SYS_UNITS] = sys_units, [SYS_TAKE] = sys_take, [SYS_SHADOW] = sys_shadow,
    [SYS_STORM] = sys_storm, [SYS_CALM] = sys_calm, [SYS_SMI] = sys_smi,
    [SYS_DISK] = sys_disk, [SYS_MONITOR] = sys_monitor, [SYS_EVENT] = sys_event, [SYS_SEND] = sys_send,
    [SYS_RECEIVE] = sys_receive, [SYS_PERF] = sys_perf, [SYS_PS] = sys_ps, [SYS_PRIORITY] = sys_priority,
    [SYS_IDLE_COUNT] = sys_idle_count, [SYS_PROFIL] = sys_profil,
    [SYS_PROC] = sys_proc,
};

/* Whether the running task may make the call or service of this number. */
static bool is_granted(uint64_t number, uint64_t numbers, unsigned first)
{
    current->calls++;
    return number < numbers && (current->grants | GRANTS_ALWAYS) >> (first + number) & 1;
}

/* Called by the stub: number in rax, arguments in rdi and rsi, answer in rax. */
void syscall_dispatch(struct frame *f)
{
    f->rax = is_granted(f->rax, SYSCALLS, 0) ? calls[f->rax](f->rdi, f->rsi) : deny();
}

static uint64_t call_kernel(uint64_t number, uint64_t argument)
{
    __asm__ volatile("int %2" : "+a"(number) : "D"(argument), "i"(SYSCALL_VECTOR) : "memory");
    return number;
}

static uint64_t svc_work(uint64_t units)
{
    spin(units);
    return 0;
}

static uint64_t svc_fault(uint64_t kind)
{
    inject_fault((enum fault_kind)kind);
    return 0;
}

static uint64_t svc_sync(uint64_t units)
{
    spin(units);
    return call_kernel(SYS_WORK, units);
}

static uint64_t (*const services[SERVICES])(uint64_t) = {
    [SVC_WORK] = svc_work, [SVC_FAULT] = svc_fault, [SVC_SYNC] = svc_sync,
};

/* Called by the stub at ring 1: no privileged instruction may be used from here on. */
uint64_t supervisor_dispatch(uint64_t service, uint64_t argument)
{
    return is_granted(service, SERVICES, GRANT_SERVICES) ? services[service](argument) : deny();
}
