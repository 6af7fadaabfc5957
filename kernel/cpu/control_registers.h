/* SPDX-License-Identifier: MIT */
/*
 * The control registers: whatever firmware has left in them, they are written whole.  Intel SDM
 * 3A, sections 2.3, 2.5 and 11.12; 3B, section 17.2; SDM 4, table 2-2.  The accessors need CPL 0.
 */
#pragma once

#include <stdint.h>

#define MSR_SYSENTER_CS 0x174
#define MSR_EFER        0xc0000080

/*
 * Write RFLAGS, LDTR, CR0, CR4, EFER, SYSENTER_CS, PAT and the debug registers whole, with the bits that the image
 * uses and no other, whatever was found; and 0 to what it does not use.  Once, in long mode, interrupts off, after
 * cpu.h's features were read and the IDT was loaded.
 */
void control_registers_init(void);

static inline void cpu_write_cr0(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr0" : : "r"(value) : "memory");
}

static inline uint64_t cpu_read_cr4(void)
{
    uint64_t value;

    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    return value;
}

static inline void cpu_write_cr4(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr4" : : "r"(value) : "memory");
}

#define DR6_NONE 0xffff0ff0ull
#define DR7_NONE 0x400ull /* no breakpoint on; bit 10 is always set */

/* Breakpoints are disabled before their addresses change. */
static inline void cpu_clear_breakpoints(void)
{
    __asm__ volatile("mov %0, %%dr7" : : "r"(DR7_NONE) : "memory");
    __asm__ volatile("mov %0, %%dr6" : : "r"(DR6_NONE));
    __asm__ volatile("mov %0, %%dr0\n\tmov %0, %%dr1\n\tmov %0, %%dr2\n\tmov %0, %%dr3" : : "r"(0ull));
}

/* Firmware's LDT may lie where a task can write, and a gate in it leads to ring 0. */
static inline void cpu_clear_ldt(void)
{
    __asm__ volatile("lldt %w0" : : "r"(0));
}

static inline void cpu_write_back_caches(void)
{
    __asm__ volatile("wbinvd" : : : "memory");
}

/* Those of global pages too, if CR4.PGE is off since. */
static inline void cpu_flush_translations(void)
{
    uint64_t space;

    __asm__ volatile("mov %%cr3, %0\n\tmov %0, %%cr3" : "=r"(space) : : "memory");
}

static inline void cpu_write_flags(uint64_t value)
{
    __asm__ volatile("pushq %0\n\tpopfq" : : "r"(value) : "memory", "cc");
}
