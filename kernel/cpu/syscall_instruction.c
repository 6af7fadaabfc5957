/* SPDX-License-Identifier: MIT */
/* The registers of the instruction SYSCALL. */
#include "kernel/cpu/syscall_instruction.h"

#include "drivers/io.h"
#include "kernel/cpu/control_registers.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/idt.h"

#define MSR_STAR    0xc0000081
#define MSR_LSTAR   0xc0000082
#define MSR_FMASK   0xc0000084
#define MSR_FS_BASE 0xc0000100
#define MSR_GS_BASE 0xc0000101
#define EFER_SCE    1ull

#define RFLAGS_TF (1u << 8)
#define RFLAGS_DF (1u << 10)
#define RFLAGS_NT (1u << 14)

#define STAR_KERNEL 32 /* the shift of the selector of CS; SS is the next one */

_Static_assert(SEL_KERNEL_DATA == SEL_KERNEL_CODE + 8, "SYSCALL takes SS from behind CS");

extern void syscall_instruction_entry(void);

void syscall_instruction_init(void)
{
    wrmsr(MSR_STAR, (uint64_t)SEL_KERNEL_CODE << STAR_KERNEL);
    wrmsr(MSR_LSTAR, (uint64_t)syscall_instruction_entry);
    wrmsr(MSR_FMASK, RFLAGS_IF | RFLAGS_TF | RFLAGS_DF | RFLAGS_NT | RFLAGS_AC);
    idt_check_stack_at_nmi();
}

void syscall_instruction_allow(bool allowed)
{
    const uint64_t others = rdmsr(MSR_EFER) & ~EFER_SCE;

    wrmsr(MSR_EFER, others | (allowed ? EFER_SCE : 0));
}

void syscall_instruction_set_bases(uint64_t fs, uint64_t gs)
{
    wrmsr(MSR_FS_BASE, fs);
    wrmsr(MSR_GS_BASE, gs);
}

/* The steps of a system call. */

syscall_step *syscall_way;                  /* legend in syscall_way.h */
static syscall_step *steps[SYSCALL_PLACES]; /* interrupts off */

static syscall_step *first_from(unsigned place)
{
    while (place < SYSCALL_DISPATCH && steps[place] == 0)
        place++;
    return steps[place];
}

void syscall_way_set(enum syscall_place place, syscall_step *step)
{
    steps[place] = step;
    syscall_way = first_from(0);
}

void syscall_way_on(enum syscall_place place, struct frame *f)
{
    first_from(place + 1)(f);
}
