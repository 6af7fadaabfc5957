/* SPDX-License-Identifier: MIT */
/* Which stubs of system calls and services are in force, for calls to come and for those under way. */
#include "kernel/cpu/call_stubs.h"

#include "kernel/cpu/frame.h"
#include "kernel/cpu/idt.h"

#define VARIANTS 6

/* Where the handlers return to in each variant: the order of the stubs in kernel/cpu/call_stubs.inc. */
extern const struct {
    uint64_t syscall, service;
} call_returns[VARIANTS];

static unsigned syscalls, services; /* the variants in force; interrupts off */

void call_stubs_set(bool logged, enum call_events of_syscalls, enum call_events of_services)
{
    syscalls = logged + 2 * of_syscalls;
    services = logged + 2 * of_services;
    idt_set_calls(syscalls, services);
}

static bool is_return_of_syscall(uint64_t address)
{
    for (unsigned i = 0; i < VARIANTS; i++)
        if (address == call_returns[i].syscall)
            return true;
    return false;
}

static bool is_return_of_service(uint64_t address)
{
    for (unsigned i = 0; i < VARIANTS; i++)
        if (address == call_returns[i].service)
            return true;
    return false;
}

/*
 * The number of the call is in frame.rax until its handler has returned; a stub that takes events
 * finds it in frame.error.
 */
void call_stubs_redirect(uint64_t stack0, uint64_t stack1)
{
    struct frame *const f = (struct frame *)stack0 - 1;
    uint64_t *const of_syscall = (uint64_t *)f - 1;
    /* above it: 11 registers, the cell, rcx, rbx, rdx, rax, and what the CPU pushed */
    uint64_t *const of_service = (uint64_t *)stack1 - 1 - 11 - 5 - sizeof(struct cpu_frame) / 8;

    if (is_return_of_syscall(*of_syscall)) {
        *of_syscall = call_returns[syscalls].syscall;
        f->error = f->rax;
    }
    if (is_return_of_service(*of_service))
        *of_service = call_returns[services].service;
}
