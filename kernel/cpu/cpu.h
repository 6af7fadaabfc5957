/* SPDX-License-Identifier: MIT */
/* The CPU's own tables and features: segments, task state, protections, identity. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"

/* Selectors: ring 1 and ring 3 have a code and a data segment each. */
#define SEL_KERNEL_CODE     0x08
#define SEL_KERNEL_DATA     0x10
#define SEL_SUPERVISOR_CODE (0x18 | 1)
#define SEL_SUPERVISOR_DATA (0x20 | 1)
#define SEL_USER_CODE       (0x28 | 3)
#define SEL_USER_DATA       (0x30 | 3)

/* Interrupt stacks of the TSS, for vectors that may come while the stack in use is invalid. */
#define IST_DOUBLE_FAULT  1
#define IST_NMI           2
#define IST_MACHINE_CHECK 3
#define IST_DEBUG         4
#define IST_STACKS        4

/*
 * The NMI's stacks, used in turn: the first instruction of the entry moves the TSS' pointer to
 * the next one, so that an NMI before the last one's return has a stack of its own.  Adding to
 * the second byte of the pointer wraps around by itself.
 */
#define NMI_STACK  4096u
#define NMI_STACKS 16u
_Static_assert(NMI_STACK * NMI_STACKS == 0x10000, "the second byte goes round");

/* 64-bit task state segment, SDM 3A figure 7-11. */
struct tss {
    uint32_t reserved0;
    uint64_t rsp[3];
    uint64_t reserved1;
    uint64_t ist[7];
    uint64_t reserved2;
    uint16_t reserved3, io_map;
} __attribute__((packed));

extern struct tss tss; /* stacks: changed at each switch, interrupts off; IST_NMI: by the NMI */

struct cpu_features {
    bool nx, smep, smap, umip, rdrand, invariant_tsc, arat, x2apic, mce, mca, pat, syscall;
    bool vectors; /* FXSAVE, SSE and SSE2 */
    char brand[49];
    char hypervisor[13]; /* how it calls itself, printable characters; empty: there is none */
    bool steady_tsc;     /* the TSC keeps its rate: the CPU promises it, or it is an emulator's that is known to */
};

extern struct cpu_features cpu; /* set once, by cpu_init */

/* CPUID: EAX, EBX, ECX and EDX of a leaf and its subleaf.  Any context. */
void cpu_identify(uint32_t leaf, uint32_t sub, uint32_t r[4]);

/* The features, GDT, TSS and IDT; the first of what is done to the CPU.  Once, interrupts off. */
void cpu_init(void);

/* Set the stacks for entries into ring 0 and ring 1.  Interrupts off. */
void cpu_set_stacks(uint64_t ring0, uint64_t ring1);

/* An unpredictable number by RDRAND; false where the CPU has none.  Any context. */
bool cpu_random(uint64_t *number);

/* The frame at the top of the NMI stack that `rsp` points into; NULL where it is in none.  Any context. */
struct cpu_frame *cpu_nmi_frame(uint64_t rsp);

static inline void cpu_interrupts_off(void)
{
    __asm__ volatile("cli" : : : "memory");
}

static inline void cpu_interrupts_on(void)
{
    __asm__ volatile("sti" : : : "memory");
}

/* Let pending interrupts in; the instruction after STI is not interrupted yet.  Interrupts off, before and after. */
static inline void cpu_take_pending(void)
{
    cpu_interrupts_on();
    __asm__ volatile("nop\n\tnop");
    cpu_interrupts_off();
}

static inline uint64_t cpu_flags(void)
{
    uint64_t flags;

    __asm__ volatile("pushfq\n\tpop %0" : "=r"(flags));
    return flags;
}

/* Reading a model-specific register that may not exist: its exception is caught. */

/* Read it; false where the processor refuses.  CPL 0, after cpu_init(), not within an exception. */
bool msr_read_guarded(uint32_t msr, uint64_t *value);

/* Have the refused instruction go on behind itself: false where the exception is another's.  Exception context. */
bool msr_guard_recover(struct frame *f);
