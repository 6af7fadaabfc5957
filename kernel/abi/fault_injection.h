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
#define INJECT_LDT        0x0000000000400000ull /* where bad firmware laid one: under all of a program */
#define INJECT_KERNEL_CODE 8                    /* kernel/cpu/cpu.h: SEL_KERNEL_CODE */
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

/* The code behind the gate goes back at once, and has had ring 0. */
static __attribute__((noinline, unused)) void inject_call_gate(void)
{
    static struct {
        uint16_t low, selector, kind, middle;
        uint32_t high, zero;
    } gate __attribute__((aligned(16))); /* Intel SDM 3A, 5.8.3.1 */
    const struct __attribute__((packed)) {
        uint32_t unused;
        uint16_t selector;
    } place = { 0, (uint16_t)(((uint64_t)&gate - INJECT_LDT) | 7) };
    uint64_t code;

    __asm__ volatile("leaq 1f(%%rip), %0\n\tjmp 2f\n1:\tlretq\n2:" : "=r"(code));
    gate.low = (uint16_t)code;
    gate.selector = INJECT_KERNEL_CODE;
    gate.kind = 0xec00; /* present, of level 3, a gate of 64 bits */
    gate.middle = (uint16_t)(code >> 16);
    gate.high = (uint32_t)(code >> 32);
    __asm__ volatile("lcall *%0" : : "m"(place) : "memory");
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
    case FAULT_CALL_GATE:
        inject_call_gate();
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
