/* SPDX-License-Identifier: MIT */
/*
 * What the entry of the instruction SYSCALL calls (kernel/cpu/syscall_instruction.asm): the account, the events, the
 * call.  Interrupts are off from SYSCALL on and up to IRETQ, but for the call itself: that time is masked time of the
 * kernel's, as in any section with interrupts off, because a tick that comes then is late.
 */
#include "kernel/account/exact_time.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/linux/linux_calls.h"
#include "kernel/linux/linux_end.h"
#include "kernel/mm/paging.h"
#include "kernel/sched/task.h"
#include "kernel/trace/trace.h"

#define LINUX_NUMBERS 0x1000u /* what is added to a number in events, so that it is no call of ours */

static uint64_t event_number(uint64_t number)
{
    return LINUX_NUMBERS + (number < LINUX_NUMBERS ? number : LINUX_NUMBERS - 1);
}

/*
 * Interrupts are on meanwhile.  IRETQ would fault at ring 0 for an address that is not canonical; that can only be
 * behind code in the last page of the program's half, where process_is_range() lets none be.
 * It is checked all the same.
 */
static void make_call(struct frame *f)
{
    const uint64_t argument[6] = { f->rdi, f->rsi, f->rdx, f->r10, f->r8, f->r9 };

    irq_enable();
    if (!paging_is_user(f->rip, 1))
        linux_end_by_signal(current->process, LINUX_SIGSEGV);
    f->rax = (uint64_t)linux_call_make(current->process, f->rax, argument);
    irq_disable();
}

void syscall_instruction(struct frame *f)
{
    const uint64_t number = event_number(f->rax);

    f->tsc = account_clock();
    f->cell = account.cell;
    account_enter_after(f, account_instruction_cost.entry, account.kernel + 1);
    trace_event_at(TRACE_SYSCALL_ENTER, account.last, number, f->rip);
    trace_event(TRACE_MASK, account.last, 0);
    current->calls++;
    if (current->process != 0) /* there is none where the entry is measured (kernel/tick/entry_cost.c) */
        make_call(f);
    account_exit(f->cell, account_instruction_cost.exit - account_exit_cost);
    trace_event_at(TRACE_SYSCALL_EXIT, account.last,
                   trace_exit((uint32_t)number, account_cell_number(&current->account, f->cell)), f->rip);
}
