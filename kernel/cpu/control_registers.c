/* SPDX-License-Identifier: MIT */
/* The value of each register, and why its other bits are off.  docs/DESIGN.md, "What the processor is left with". */
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

/* As after a reset, but entry 4, which a framebuffer has (kernel/mm/paging.c): write-combining. */
#define MSR_PAT   0x277u
#define PAT_USED  0x0007040100070406ull

/*
 * Registers that some processors have, and that are 0 after a reset.  PT, PEBS and branch traces write into memory at
 * an address that firmware chose, counters and IBS interrupt, XSS and CET belong to what is off, and bases and
 * TSC_AUX are seen by ring 3: a null selector need not clear a base (AMD's APM 2, 4.5.3).
 */
static const uint32_t unused_msrs[] = {
    0x1d9,      /* DEBUGCTL: LBR, BTF, BTS */
    0x38f,      /* PERF_GLOBAL_CTRL */
    0x3f1,      /* PEBS_ENABLE */
    0x570,      /* RTIT_CTL: PT */
    0x6a0,      /* U_CET */
    0x6a2,      /* S_CET */
    0xda0,      /* XSS */
    0xc0000083, /* CSTAR: no code of ring 3 is of 32 bits */
    0xc0000100, /* FS_BASE */
    0xc0000101, /* GS_BASE */
    0xc0000102, /* KERNEL_GS_BASE */
    0xc0000103, /* TSC_AUX */
    0xc0011030, /* IBS_FETCH_CTL */
    0xc0011033, /* IBS_OP_CTL */
};

static uint64_t bit_if(bool there, uint64_t bit)
{
    return there ? bit : 0;
}

static uint64_t cr4_used(void)
{
    return CR4_PAE | CR4_OSFXSR | CR4_OSXMMEXCPT | bit_if(cpu.mce, CR4_MCE) | bit_if(cpu.umip, CR4_UMIP) |
           bit_if(cpu.smep, CR4_SMEP) | bit_if(cpu.smap, CR4_SMAP) | (cpu_read_cr4() & CR4_LA57);
}

/* Of memory that no cache holds any more, and before any page is mapped by another entry than the first. */
static void write_pat(void)
{
    if (!cpu.pat)
        return;
    cpu_write_back_caches();
    wrmsr(MSR_PAT, PAT_USED);
    cpu_flush_translations();
}

static void clear_msrs(void)
{
    uint64_t found;

    for (unsigned i = 0; i < sizeof unused_msrs / sizeof unused_msrs[0]; i++)
        if (msr_read_guarded(unused_msrs[i], &found) && found != 0)
            wrmsr(unused_msrs[i], 0);
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
    write_pat();
    clear_msrs();
}
