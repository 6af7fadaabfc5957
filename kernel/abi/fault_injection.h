/* SPDX-License-Identifier: MIT */
/*
 * Makes a fault of each kind, for the tests of fault handling; the same code at ring 3, 1
 * and 0.  It returns only where that ring may do what was tried.
 */
#pragma once

#include <stdint.h>

#include "kernel/abi/syscall_numbers.h"

#define INJECT_NOWHERE   0x0000123456789000ull /* no task has a page there */
#define INJECT_KERNEL    0xffffffff80100000ull /* the image's first page */
#define INJECT_USER_STACK 0x00007fffffffefe0ull /* kernel/mm/paging.h: near USER_STACK_TOP */
#define INJECT_USER_CODE  0x0000000000401000ull /* where ld puts a program's code */
#define INJECT_NO_STACK  0x00000000dead0000ull

static __attribute__((noinline, unused)) uint64_t inject_fault_recursion(volatile uint64_t *deeper)
{
    volatile uint64_t here[64];

    if (deeper == 0) /* never; but a compiler rejects a recursion that is certainly endless */
        return 0;
    here[0] = (uint64_t)deeper;
    here[1] = inject_fault_recursion(here);
    return here[0] + here[1];
}

static inline void inject_fault(enum fault_kind kind)
{
    static uint8_t data[16]; /* zeros: if they were executed, they would fault, too */
    volatile uint64_t *bad = (volatile uint64_t *)INJECT_NOWHERE;

    switch (kind) {
    case FAULT_BAD_READ:
        (void)*bad;
        break;
    case FAULT_BAD_WRITE:
        __asm__ volatile("movb $0, 0(%%rip)" : : : "memory");
        break;
    case FAULT_EXECUTE_DATA:
        __asm__ volatile("call *%0" : : "r"(data) : "memory");
        break;
    case FAULT_KERNEL_READ:
        (void)*(volatile uint64_t *)INJECT_KERNEL;
        break;
    case FAULT_PRIVILEGED:
        __asm__ volatile("cli");
        break;
    case FAULT_PORT:
        __asm__ volatile("inb $0x40, %%al" : : : "eax");
        break;
    case FAULT_DIVIDE:
        __asm__ volatile("xorl %%ecx, %%ecx\n\tdivl %%ecx" : : : "eax", "ecx", "edx");
        break;
    case FAULT_OPCODE:
        __asm__ volatile("ud2");
        break;
    case FAULT_RECURSION:
        inject_fault_recursion(bad);
        break;
    case FAULT_STACK:
        __asm__ volatile("movq %0, %%rsp\n\tpushq %%rax" : : "i"(INJECT_NO_STACK) : "memory");
        break;
    case FAULT_DESCRIPTOR:
        __asm__ volatile("sgdt -16(%%rsp)" : : : "memory");
        break;
    case FAULT_SYSCALL:
        __asm__ volatile("syscall" : : : "rcx", "r11", "memory");
        break;
    case FAULT_SYSENTER:
        __asm__ volatile("sysenter" : : : "memory");
        break;
    case FAULT_XGETBV:
        __asm__ volatile("xorl %%ecx, %%ecx\n\txgetbv" : : : "eax", "ecx", "edx");
        break;
    case FAULT_USER_READ:
        (void)*(volatile uint64_t *)INJECT_USER_STACK;
        break;
    case FAULT_USER_EXECUTE:
        __asm__ volatile("call *%0" : : "r"(INJECT_USER_CODE) : "memory");
        break;
    case FAULT_KINDS:
        break;
    }
}
