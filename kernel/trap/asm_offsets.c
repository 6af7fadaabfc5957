/* SPDX-License-Identifier: MIT */
/*
 * Offsets and constants of C for the assembly files and for tests of the linked image: compiled
 * to text, from which the Makefile makes build/offsets.inc.  Nothing here is linked.
 */
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/boot_info.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/frame.h"
#include "kernel/cpu/irq.h"
#include "kernel/sched/task.h"
#include "kernel/source/source.h"
#include "kernel/trace/trace.h"
#include "probe/core/account.h"
#include "probe/schedule/policy.h"

#define GIVE(name, value) __asm__ volatile("\n->" #name " %0" : : "i"((uint64_t)(value)))

void offsets(void);

void offsets(void)
{
    GIVE(DIRECT_BASE, DIRECT_BASE);
    GIVE(CORE_HEAD_MAGIC, CORE_HEAD_MAGIC);
    GIVE(ACCOUNT_LAST, offsetof(struct account, last));
    GIVE(ACCOUNT_CELL, offsetof(struct account, cell));
    GIVE(ACCOUNT_KERNEL, offsetof(struct account, kernel));
    GIVE(ACCOUNT_SUPERVISOR, offsetof(struct account, supervisor));
    GIVE(ACCOUNT_GENERATION, offsetof(struct account, generation));
    GIVE(ACCOUNT_NMI_TIME, offsetof(struct account, nmi_time));
    GIVE(ACCOUNT_COST_ENTRY, offsetof(struct account_cost, entry));
    GIVE(ACCOUNT_COST_EXIT, offsetof(struct account_cost, exit));
    GIVE(ACCOUNT_COST_BYTES, sizeof(struct account_cost));
    GIVE(RESTART_OUT, RESTART_OUT);
    GIVE(RESTART_SERVICE, RESTART_SERVICE);
    GIVE(ACCOUNT_LOG_ENTRY, offsetof(struct account_log, entry));
    GIVE(ACCOUNT_LOG_MASK, offsetof(struct account_log, mask));
    GIVE(ACCOUNT_LOG_SHIFT, __builtin_ctz(sizeof(struct account_log_entry)) - 1); /* of a generation */
    GIVE(ACCOUNT_LOG_CELL, offsetof(struct account_log_entry, cell));
    GIVE(RESTART_TRACED, RESTART_TRACED);
    GIVE(RING_MASK, offsetof(struct event_ring, mask));
    GIVE(RING_PLAIN, offsetof(struct event_ring, plain));
    GIVE(RING_TIMED, offsetof(struct event_ring, timed));
    GIVE(RING_PUT, offsetof(struct event_ring, put));
    GIVE(RING_LIMIT, offsetof(struct event_ring, limit));
    GIVE(RING_SLOTS, offsetof(struct event_ring, slots));
    GIVE(RING_RECORD, offsetof(struct event_ring, record));
    GIVE(RING_LOST, offsetof(struct event_ring, lost));
    GIVE(RING_TOLD, offsetof(struct event_ring, told));
    GIVE(RING_SINCE, offsetof(struct event_ring, since));
    GIVE(RING_SPARE, offsetof(struct event_ring, spare));
    GIVE(RING_NOWHERE, offsetof(struct event_ring, nowhere));
    GIVE(RING_COUNT, offsetof(struct event_ring, count));
    GIVE(RING_SITE, offsetof(struct event_ring, site));
    GIVE(RING_SITE_SIZE, offsetof(struct event_site, size));
    GIVE(RING_SITE_SHIFT, __builtin_ctz(sizeof(struct event_site)));
    GIVE(EVENT_RECORD_CODE, offsetof(struct event_record, code));
    GIVE(EVENT_RECORD_SHIFT, __builtin_ctz(sizeof(struct event_record)));
    GIVE(TRACE_SYSCALL_ENTER, TRACE_SYSCALL_ENTER);
    GIVE(TRACE_SYSCALL_EXIT, TRACE_SYSCALL_EXIT);
    GIVE(TRACE_SERVICE_ENTER, TRACE_SERVICE_ENTER);
    GIVE(TRACE_SERVICE_EXIT, TRACE_SERVICE_EXIT);
    GIVE(TASK_NAME, offsetof(struct task, name));
    GIVE(TASK_NAME_BYTES, NAME_SIZE);
    GIVE(TSS_IST_NMI, offsetof(struct tss, ist[IST_NMI - 1]));
    GIVE(TSS_RSP0, offsetof(struct tss, rsp[0]));
    GIVE(NMI_STACK, NMI_STACK);
    GIVE(TICK_VECTOR, TICK_VECTOR);
    GIVE(INTERCEPTED, INTERCEPTED);
    GIVE(SYS_EXIT, SYS_EXIT);
    GIVE(SYSCALL_VECTOR, SYSCALL_VECTOR);
    GIVE(SUPERVISOR_VECTOR, SUPERVISOR_VECTOR);
    GIVE(EMPTY_VECTOR, EMPTY_VECTOR);
    GIVE(TICK_EXIT_VECTOR, TICK_EXIT_VECTOR);
    GIVE(PLAIN_EXIT_VECTOR, PLAIN_EXIT_VECTOR);
    GIVE(STAGE_RETURN_VECTOR, STAGE_RETURN_VECTOR);
    GIVE(RFLAGS_AC, RFLAGS_AC);
    GIVE(SEL_KERNEL_DATA, SEL_KERNEL_DATA);
    GIVE(SEL_USER_CODE, SEL_USER_CODE);
    GIVE(SEL_USER_DATA, SEL_USER_DATA);
    GIVE(PIC_MASTER_VECTOR, PIC_MASTER_VECTOR);
    GIVE(PIC_SLAVE_VECTOR, PIC_SLAVE_VECTOR);
    GIVE(RTC_VECTOR, RTC_VECTOR);
    GIVE(LAPIC_TIMER_VECTOR, LAPIC_TIMER_VECTOR);
    GIVE(SOURCE_INTERRUPT, offsetof(struct source, interrupt));
    GIVE(POLICY_NEXT, offsetof(struct policy, next));
    GIVE(POLICY_RUN, offsetof(struct policy, run));
}
