/* SPDX-License-Identifier: MIT */
/* The CPU's own tables and features.  Intel SDM 3A, chapters 2, 3, 5, 6, 7. */
#include "kernel/cpu/cpu.h"

#include <stddef.h>

#include "drivers/io.h"
#include "kernel/cpu/idt.h"
#include "kernel/lib/string.h"

#define ECX_HYPERVISOR  (1u << 31)
#define LEAF_HYPERVISOR 0x40000000u
#define QEMU_TCG        "TCGTCGTCGTCG"

#define FEATURE_FXSR  24 /* leaf 1, EDX: the first of three */
#define FXSR_SSE_SSE2 7u

#define IST_STACK 8192
#define NMI_TOP   (NMI_STACK - 16) /* the same in each: only the second byte of the pointer changes */

struct table_register {
    uint16_t limit;
    uint64_t base;
} __attribute__((packed));

#define CODE64(ring) (0x00af9b000000ffffull | (uint64_t)(ring) << 45)
#define DATA(ring)   (0x00cf93000000ffffull | (uint64_t)(ring) << 45)

struct cpu_features cpu;

struct tss tss; /* legend in cpu.h */
extern uint8_t nmi_stack[NMI_STACKS][NMI_STACK]; /* linker.ld */
static uint8_t ist_stack[IST_STACKS][IST_STACK] __attribute__((aligned(16)));
static uint64_t gdt[] = {
    0, CODE64(0), DATA(0), CODE64(1), DATA(1), CODE64(3), DATA(3),
    0, 0, /* TSS, filled in by load_segments() */
};
#define SEL_TSS 0x38

extern uint8_t *smap_sites[], *smap_sites_end[]; /* linker.ld: CLEAR_AC in vectors.asm */

void cpu_identify(uint32_t leaf, uint32_t sub, uint32_t r[4])
{
    const struct cpuid found = cpuid(leaf, sub);

    r[0] = found.eax;
    r[1] = found.ebx;
    r[2] = found.ecx;
    r[3] = found.edx;
}

static void read_brand(uint32_t highest)
{
    static const char unnamed[] = "unnamed CPU";
    uint32_t r[4];
    char *to = cpu.brand;

    if (highest < 0x80000004) {
        for (size_t i = 0; i < sizeof unnamed; i++)
            cpu.brand[i] = unnamed[i];
        return;
    }
    for (uint32_t leaf = 0x80000002; leaf <= 0x80000004; leaf++) {
        cpu_identify(leaf, 0, r);
        for (int i = 0; i < 16; i++)
            *to++ = (char)(r[i / 4] >> (i % 4 * 8));
    }
}

/* CPUID says whether there is one, and its name: twelve characters, which may be anything. */
static void read_hypervisor(void)
{
    uint32_t r[4];

    cpu_identify(1, 0, r);
    if (!(r[2] & ECX_HYPERVISOR))
        return;
    cpu_identify(LEAF_HYPERVISOR, 0, r);
    for (unsigned i = 0; i < sizeof cpu.hypervisor - 1; i++) {
        const char c = (char)(r[1 + i / 4] >> 8 * (i % 4));

        cpu.hypervisor[i] = c > ' ' && c <= '~' ? c : '?';
    }
}

static void find_features(void)
{
    uint32_t r[4], basic, extended;

    cpu_identify(0, 0, r);
    basic = r[0];
    cpu_identify(1, 0, r);
    cpu.rdrand = r[2] >> 30 & 1;
    cpu.x2apic = r[2] >> 21 & 1;
    cpu.mce = r[3] >> 7 & 1;
    cpu.mca = r[3] >> 14 & 1;
    cpu.pat = r[3] >> 16 & 1;
    cpu.vectors = (r[3] >> FEATURE_FXSR & FXSR_SSE_SSE2) == FXSR_SSE_SSE2;
    if (basic >= 6) {
        cpu_identify(6, 0, r);
        cpu.arat = r[0] >> 2 & 1;
    }
    if (basic >= 7) {
        cpu_identify(7, 0, r);
        cpu.smep = r[1] >> 7 & 1;
        cpu.smap = r[1] >> 20 & 1;
        cpu.umip = r[2] >> 2 & 1;
    }
    cpu_identify(0x80000000, 0, r);
    extended = r[0];
    cpu_identify(0x80000001, 0, r);
    cpu.nx = r[3] >> 20 & 1;
    cpu.syscall = r[3] >> 11 & 1;
    if (extended >= 0x80000007) {
        cpu_identify(0x80000007, 0, r);
        cpu.invariant_tsc = r[3] >> 8 & 1;
    }
    read_hypervisor();
    cpu.steady_tsc = cpu.invariant_tsc || string_equal(cpu.hypervisor, QEMU_TCG);
    read_brand(extended);
}

static void load_segments(void)
{
    const uint64_t base = (uint64_t)&tss;
    struct table_register gdtr = { sizeof gdt - 1, (uint64_t)gdt };

    gdt[SEL_TSS / 8] = (sizeof tss - 1) | (base & 0xffffff) << 16 | 0x89ull << 40 |
                       (base >> 24 & 0xff) << 56;
    gdt[SEL_TSS / 8 + 1] = base >> 32;
    for (int i = 0; i < IST_STACKS; i++)
        tss.ist[i] = (uint64_t)(ist_stack[i] + IST_STACK);
    tss.ist[IST_NMI - 1] = (uint64_t)nmi_stack[0] + NMI_TOP;
    tss.io_map = sizeof tss; /* past the limit: no port for ring 3 or ring 1 */
    __asm__ volatile("lgdt %0\n\t"
                     "pushq %1\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "lretq\n"
                     "1:\n\t"
                     "movl %2, %%eax\n\t"
                     "movl %%eax, %%ss\n\t"
                     "xorl %%eax, %%eax\n\t"
                     "movl %%eax, %%ds\n\t"
                     "movl %%eax, %%es\n\t"
                     "movl %%eax, %%fs\n\t"
                     "movl %%eax, %%gs\n\t"
                     "movw %3, %%ax\n\t"
                     "ltr %%ax"
                     : : "m"(gdtr), "i"(SEL_KERNEL_CODE), "i"(SEL_KERNEL_DATA), "i"(SEL_TSS)
                     : "rax", "memory");
}

/* Each CLEAR_AC site is a NOP of three bytes; with SMAP it is CLAC. Text is still writable. */
static void arm_clear_ac(void)
{
    static const uint8_t clac[] = { 0x0f, 0x01, 0xca };

    for (uint8_t **site = smap_sites; site < smap_sites_end; site++)
        for (size_t i = 0; i < sizeof clac; i++)
            (*site)[i] = clac[i];
}

void cpu_init(void)
{
    find_features();
    load_segments();
    idt_init();
    if (cpu.smap)
        arm_clear_ac();
}

void cpu_set_stacks(uint64_t ring0, uint64_t ring1)
{
    tss.rsp[0] = ring0;
    tss.rsp[1] = ring1;
}

struct cpu_frame *cpu_nmi_frame(uint64_t rsp)
{
    const uint64_t at = rsp - (uint64_t)nmi_stack;

    if (at >= NMI_STACKS * NMI_STACK)
        return 0;
    return (struct cpu_frame *)(nmi_stack[at / NMI_STACK] + NMI_TOP) - 1;
}

bool cpu_random(uint64_t *number)
{
    enum { TRIES = 10 }; /* by Intel, ten tries fail only where the source is broken */
    uint8_t ok = 0;

    if (!cpu.rdrand)
        return false;
    for (int i = 0; i < TRIES && !ok; i++)
        __asm__ volatile("rdrand %0\n\tsetc %1" : "=r"(*number), "=q"(ok) : : "cc");
    return ok;
}

/* RDMSR of a register that does not exist raises #GP(0) (Intel SDM 2B, RDMSR): one instruction is allowed to. */

#define VECTOR_GENERAL_PROTECTION 13

extern const uint8_t msr_guard_read[], msr_guard_refused[]; /* kernel/cpu/msr_guard.asm */
extern uint64_t msr_guard_rdmsr(uint32_t msr, uint64_t *value);

bool msr_read_guarded(uint32_t msr, uint64_t *value)
{
    return msr_guard_rdmsr(msr, value);
}

bool msr_guard_recover(struct frame *f)
{
    if (f->vector != VECTOR_GENERAL_PROTECTION || f->rip != (uint64_t)msr_guard_read || frame_ring(f->cs) != 0)
        return false;
    f->rip = (uint64_t)msr_guard_refused;
    f->error = 0; /* frame_return restores in_interrupt from it: kernel/cpu/vectors.asm */
    return true;
}
