/* SPDX-License-Identifier: MIT */
/*
 * System calls and supervisor services: one table each, called by the stubs in
 * kernel/cpu/vectors.asm.  Both run with interrupts on.
 */
#include "kernel/abi/fault_injection.h"
#include "kernel/abi/spin_loop.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/sched/grants.h"
#include "kernel/sched/syscalls.h"
#include "kernel/sched/task.h"
#include "kernel/trap/dispatch.h"

static syscall *const calls[SYSCALLS] = {
#define CALL(NAME, name) [SYS_##NAME] = sys_##name,
    SYSCALLS_EACH(CALL)
#undef CALL
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
    f->rax = is_granted(f->rax, SYSCALLS, 0) ? calls[f->rax](f->rdi, f->rsi) : syscall_deny();
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
    return is_granted(service, SERVICES, GRANT_SERVICES) ? services[service](argument) : syscall_deny();
}
