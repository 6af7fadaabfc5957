/* SPDX-License-Identifier: MIT */
/* The table of Linux's system calls. */
#include "kernel/linux/linux_calls.h"

#include <stddef.h>

#include "kernel/account/exact_time.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/mm/paging.h"
#include "kernel/sched/task.h"
#include "kernel/trace/trace.h"

/* By number, as x86-64 has them (call_names.c). */
static linux_call *const calls[] = {
    [0] = linux_read, [1] = linux_write, [2] = linux_open, [3] = linux_close, [4] = linux_stat_path,
    [5] = linux_fstat, [6] = linux_stat_path, [7] = linux_poll, [8] = linux_lseek, [9] = linux_mmap,
    [10] = linux_mprotect, [11] = linux_munmap, [12] = linux_brk, [13] = linux_sigaction, [14] = linux_sigprocmask,
    [16] = linux_ioctl, [17] = linux_pread, [19] = linux_readv, [20] = linux_writev, [21] = linux_access,
    [23] = linux_select, [24] = linux_yield, [25] = linux_mremap, [28] = linux_madvise, [32] = linux_dup,
    [33] = linux_dup2,
    [35] = linux_nanosleep, [39] = linux_getpid, [60] = linux_exit, [62] = linux_kill, [63] = linux_uname,
    [72] = linux_fcntl, [79] = linux_getcwd, [80] = linux_chdir, [89] = linux_readlink, [95] = linux_umask,
    [96] = linux_gettimeofday, [97] = linux_getrlimit, [98] = linux_getrusage, [99] = linux_sysinfo,
    [100] = linux_times, [102] = linux_zero, [104] = linux_zero, [107] = linux_zero, [108] = linux_zero,
    [110] = linux_getppid, [111] = linux_getpid, [115] = linux_zero, [121] = linux_getpid, [124] = linux_getpid,
    [131] = linux_sigaltstack, [158] = linux_arch_prctl, [186] = linux_getpid, [200] = linux_tkill,
    [201] = linux_time, [202] = linux_futex, [204] = linux_getaffinity, [217] = linux_getdents, [218] = linux_getpid,
    [228] = linux_clock_gettime, [229] = linux_clock_getres, [230] = linux_clock_nanosleep, [231] = linux_exit,
    [234] = linux_tgkill, [257] = linux_openat, [262] = linux_newfstatat, [267] = linux_readlinkat,
    [269] = linux_faccessat, [270] = linux_pselect, [271] = linux_ppoll, [292] = linux_dup3, [302] = linux_prlimit,
    [318] = linux_getrandom,
    [439] = linux_faccessat,
};

enum { CALL_CLONE = 56, CALL_VFORK = 58, CALL_CLONE3 = 435 }; /* and fork between the first two */

#define CALLS (sizeof calls / sizeof calls[0])

/* A program goes on without the thread that it did not get, and what it writes may be wrong. */
static bool makes_thread(uint64_t number)
{
    return (number >= CALL_CLONE && number <= CALL_VFORK) || number == CALL_CLONE3;
}

int64_t linux_call_make(struct process *p, uint64_t number, const uint64_t argument[6])
{
    if (number < CALLS && calls[number] != NULL)
        return calls[number](p, argument);
    process_count_unknown(p, number);
    if (makes_thread(number) && p->thread_call == 0)
        p->thread_call = (uint32_t)number;
    return -LINUX_ENOSYS;
}

/*
 * What the entry of the instruction SYSCALL calls (kernel/cpu/syscall_instruction.asm): the account, the events, the
 * call.  Interrupts are off from SYSCALL on and up to IRETQ, but for the call itself: that time is masked time of the
 * kernel's, as in any section with interrupts off, because a tick that comes then is late.
 */

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
    f->rax = (uint64_t)linux_call_make(current->process, (uint32_t)f->rax, argument);
    irq_disable();
}

void syscall_instruction(struct frame *f)
{
    const uint64_t number = event_number((uint32_t)f->rax); /* as Linux, which ignores the upper half */

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
