/* SPDX-License-Identifier: MIT */
/* The value of each register, and why its other bits are off. */
#include "kernel/cpu/control_registers.h"

#include "drivers/io.h"
#include "kernel/cpu/cpu.h"

#define RFLAGS_FIXED 2ull /* with NT, the first IRETQ would be refused */

/* CD and NW are on after a reset, EM and TS refuse SSE, AM lets ring 3 fault on purpose. */
#define CR0_PE (1ull << 0)
#define CR0_MP (1ull << 1)
#define CR0_ET (1ull << 4)
#define CR0_NE (1ull << 5)
#define CR0_WP (1ull << 16)
#define CR0_PG (1ull << 31)
#define CR0_USED (CR0_PE | CR0_MP | CR0_ET | CR0_NE | CR0_WP | CR0_PG)

/*
 * OSXSAVE would let ring 3 use registers that no task switch saves; TSD and PCE restrict or
 * permit clocks and counters; PCIDE and PGE keep translations that are changed here; FSGSBASE,
 * PKE, PKS, CET and VMXE are not used.
 */
#define CR4_PAE        (1ull << 5)
#define CR4_MCE        (1ull << 6)
#define CR4_OSFXSR     (1ull << 9)
#define CR4_OSXMMEXCPT (1ull << 10)
#define CR4_UMIP       (1ull << 11)
#define CR4_LA57       (1ull << 12) /* cannot be changed in long mode */
#define CR4_SMEP       (1ull << 20)
#define CR4_SMAP       (1ull << 21)

/* SCE would let ring 3 enter ring 0 by SYSCALL, at an address that firmware has set. */
#define EFER_LME (1ull << 8)
#define EFER_LMA (1ull << 10)
#define EFER_NXE (1ull << 11)

static uint64_t bit_if(bool there, uint64_t bit)
{
    return there ? bit : 0;
}

static uint64_t cr4_used(void)
{
    return CR4_PAE | CR4_OSFXSR | CR4_OSXMMEXCPT | bit_if(cpu.mce, CR4_MCE) | bit_if(cpu.umip, CR4_UMIP) |
           bit_if(cpu.smep, CR4_SMEP) | bit_if(cpu.smap, CR4_SMAP) | (cpu_read_cr4() & CR4_LA57);
}

void control_registers_init(void)
{
    cpu_write_flags(RFLAGS_FIXED);
    cpu_clear_breakpoints();
    cpu_clear_ldt();
    wrmsr(MSR_SYSENTER_CS, 0);
    wrmsr(MSR_EFER, EFER_LME | EFER_LMA | bit_if(cpu.nx, EFER_NXE));
    cpu_write_cr4(cr4_used()); /* CET before WP may change */
    cpu_write_cr0(CR0_USED);
}
