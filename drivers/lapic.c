/* SPDX-License-Identifier: MIT */
/* The local APIC.  Intel SDM 3A, chapter 11. */
#include "drivers/lapic.h"

#include "drivers/io.h"

#define MSR_APIC_BASE   0x1b
#define MSR_ARCH_CAPABILITIES    0x10a /* bit 21: the next MSR exists */
#define MSR_XAPIC_DISABLE_STATUS 0xbd  /* bit 0: locked */
#define MSR_TSC_DEADLINE         0x6e0
/* the register at offset 0 in x2APIC mode; each 16 bytes of offset are one MSR */
#define MSR_X2APIC               0x800
#define BASE_ENABLE     (1ull << 11)
#define BASE_X2APIC     (1ull << 10)
#define BASE_BSP        (1ull << 8)  /* this processor is the one that firmware started */
#define BASE_ADDRESS    0xffffff000ull

#define REG_ID          0x020
#define REG_TPR         0x080
#define REG_EOI         0x0b0
#define REG_SVR         0x0f0
#define REG_ISR         0x100 /* eight registers, 0x10 apart */
#define REG_IRR         0x200
#define REG_LVT_CMCI    0x2f0
#define REG_ICR_LOW     0x300
#define REG_LVT_TIMER   0x320
#define REG_LVT_THERMAL 0x330
#define REG_LVT_PMC     0x340
#define REG_LVT_LINT0   0x350
#define REG_LVT_LINT1   0x360
#define REG_LVT_ERROR   0x370
#define REG_INITIAL     0x380
#define REG_CURRENT     0x390
#define REG_DIVIDE      0x3e0
#define REG_VERSION     0x030

#define SVR_ENABLE      (1u << 8)
#define LVT_MASKED      (1u << 16)
#define LVT_NMI         (4u << 8)
#define LVT_EXTINT      (7u << 8)
#define LVT_DEADLINE    (2u << 17)
#define DIVIDE_BY_1     0xb
#define ICR_ASSERT      (1u << 14)
#define ICR_SELF        (1u << 18)
#define ICR_OTHERS      (3u << 18)
#define ICR_INIT        (5u << 8)
#define ICR_PENDING     (1u << 12)
#define ICR_TRIES       100000 /* reads of a register: a tenth of a second and more, where some 20 us do */

#define ID_BROADCAST    0xffu /* the highest one of eight bits: all local APICs */

static uint64_t base; /* where its registers are mapped; 0: they are MSRs; set once, by lapic_init, as the next */
static bool in_use;

/*
 * In x2APIC mode an access is no access of memory, and a WRMSR does not serialize (SDM 11.12.3).  Nothing here relies
 * on more than the order of one processor's own accesses: who receives an interrupt that is sent here is this
 * processor, which sees its own stores in order, or one that starts anew by INIT and reads nothing of ours.
 */
static uint32_t reg_read(uint32_t reg)
{
    return base != 0 ? mmio_read32(base + reg) : (uint32_t)rdmsr(MSR_X2APIC + (reg >> 4));
}

static void reg_write(uint32_t reg, uint32_t value)
{
    if (__builtin_expect(base != 0, 1))
        mmio_write32(base + reg, value);
    else
        wrmsr(MSR_X2APIC + (reg >> 4), value);
}

bool lapic_present(void)
{
    return cpuid(1, 0).edx >> 9 & 1;
}

bool lapic_has_deadline(void)
{
    return cpuid(1, 0).ecx >> 24 & 1;
}

/*
 * Whether firmware has locked it in x2APIC mode (SDM 3A, "Legacy xAPIC disable status"):
 * to leave it would be a fault.
 */
static bool is_locked(void)
{
    return rdmsr(MSR_APIC_BASE) & BASE_X2APIC && cpuid(0, 0).eax >= 7 && cpuid(7, 0).edx >> 29 & 1 &&
           rdmsr(MSR_ARCH_CAPABILITIES) >> 21 & 1 && rdmsr(MSR_XAPIC_DISABLE_STATUS) & 1;
}

/* To leave x2APIC mode, the APIC must be disabled first (SDM 11.12.5). */
static void leave_x2apic(void)
{
    const uint64_t msr = rdmsr(MSR_APIC_BASE);

    if (msr & BASE_X2APIC)
        wrmsr(MSR_APIC_BASE, msr & ~(BASE_X2APIC | BASE_ENABLE));
    wrmsr(MSR_APIC_BASE, (msr & ~BASE_X2APIC) | BASE_ENABLE);
}

bool lapic_in_use(void)
{
    return in_use;
}

bool lapic_in_x2apic_mode(void)
{
    return in_use && base == 0;
}

/* Whether any of 256 bits is set. */
static bool any(uint32_t first)
{
    uint32_t bits = 0;

    for (uint32_t word = 0; word < 8; word++)
        bits |= reg_read(first + 0x10 * word);
    return bits != 0;
}

bool lapic_eoi_all(void)
{
    for (int i = 0; i < 256 && any(REG_ISR); i++)
        lapic_eoi();
    return !any(REG_IRR);
}

bool lapic_init(uint64_t direct_map)
{
    static const uint16_t optional[] = { REG_LVT_ERROR, REG_LVT_PMC, REG_LVT_THERMAL };
    uint32_t last;

    if (!is_locked()) {
        leave_x2apic();
        if (!(rdmsr(MSR_APIC_BASE) & BASE_ENABLE))
            return false;
        base = direct_map + (rdmsr(MSR_APIC_BASE) & BASE_ADDRESS);
    }
    in_use = true;
    reg_write(REG_SVR, SVR_ENABLE | LAPIC_SPURIOUS_VECTOR);
    reg_write(REG_LVT_TIMER, LVT_MASKED | LAPIC_TIMER_VECTOR);
    reg_write(REG_INITIAL, 0);
    last = reg_read(REG_VERSION) >> 16 & 0xff; /* number of LVT entries minus one */
    for (uint32_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
        if (last >= 3 + i)
            reg_write(optional[i], LVT_MASKED);
    if (last >= 6)
        reg_write(REG_LVT_CMCI, LVT_MASKED);
    reg_write(REG_LVT_LINT0, LVT_EXTINT);
    reg_write(REG_LVT_LINT1, LVT_NMI);
    reg_write(REG_TPR, 0);
    lapic_eoi_all();
    reg_write(REG_DIVIDE, DIVIDE_BY_1);
    return true;
}

static bool icr_is_idle(uint64_t at)
{
    for (int i = 0; i < ICR_TRIES; i++)
        if (!(mmio_read32(at + REG_ICR_LOW) & ICR_PENDING))
            return true;
    return false;
}

bool lapic_init_others(uint64_t direct_map)
{
    const uint64_t msr = rdmsr(MSR_APIC_BASE), at = direct_map + (msr & BASE_ADDRESS);

    if (!(msr & BASE_ENABLE) || !(msr & BASE_BSP))
        return false;
    if (msr & BASE_X2APIC) { /* there is no status to wait for (SDM 11.12.9) */
        wrmsr(MSR_X2APIC + (REG_ICR_LOW >> 4), ICR_OTHERS | ICR_ASSERT | ICR_INIT);
        return true;
    }
    if (!icr_is_idle(at))
        return false;
    mmio_write32(at + REG_ICR_LOW, ICR_OTHERS | ICR_ASSERT | ICR_INIT);
    return icr_is_idle(at);
}

void lapic_timer_arm(uint32_t count)
{
    reg_write(REG_INITIAL, count);
}

uint32_t lapic_timer_count(void)
{
    return reg_read(REG_CURRENT);
}

/*
 * As memory, the timer's entry may be written after a WRMSR that follows: a deadline that came first would be ignored
 * (SDM 11.5.4.1).  By MSRs the two are in order.
 */
void lapic_timer_use(enum lapic_timer how)
{
    static const uint32_t modes[] = {
        [LAPIC_TIMER_OFF] = LVT_MASKED, [LAPIC_TIMER_COUNT] = 0, [LAPIC_TIMER_DEADLINE] = LVT_DEADLINE,
    };

    reg_write(REG_LVT_TIMER, modes[how] | LAPIC_TIMER_VECTOR);
    if (how == LAPIC_TIMER_DEADLINE)
        __asm__ volatile("mfence" : : : "memory");
}

void lapic_deadline_arm(uint64_t deadline)
{
    wrmsr(MSR_TSC_DEADLINE, deadline);
}

uint64_t lapic_deadline(void)
{
    return rdmsr(MSR_TSC_DEADLINE);
}

const volatile uint32_t *lapic_harmless(void)
{
    return base != 0 ? (const volatile uint32_t *)(base + REG_ID) : 0;
}

uint32_t lapic_harmless_msr(void)
{
    return MSR_X2APIC + (REG_ID >> 4);
}

uint32_t lapic_id(void)
{
    return base != 0 ? reg_read(REG_ID) >> 24 : reg_read(REG_ID);
}

bool lapic_takes_messages(void)
{
    return in_use && lapic_id() < ID_BROADCAST;
}

void lapic_eoi(void)
{
    reg_write(REG_EOI, 0);
}

void lapic_interrupt_self(uint8_t vector)
{
    reg_write(REG_ICR_LOW, ICR_SELF | ICR_ASSERT | vector);
}
