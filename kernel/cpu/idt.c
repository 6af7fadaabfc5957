/* SPDX-License-Identifier: MIT */
/*
 * The interrupt descriptor table.  Interrupts and exceptions enter with interrupts off.  The two
 * gates that programs call leave them on: ring 1 cannot switch them on again after an interrupt
 * gate (docs/ACCOUNTING.md).
 */
#include "kernel/cpu/idt.h"

#include "kernel/abi/syscall_numbers.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/irq.h"

#define GATE_INTERRUPT 0x8e
#define GATE_INTERRUPT_USER 0xee /* the same, which ring 3 may call */
#define GATE_TRAP_USER 0xef /* trap gate, which ring 3 may call */
#define STUB_BYTES     16   /* kernel/cpu/vectors.asm */

#define VECTOR_INTERRUPTS    32 /* below are the exceptions */

struct gate {
    uint16_t offset_low, selector;
    uint8_t ist, type;
    uint16_t offset_middle;
    uint32_t offset_high, reserved;
};

static volatile uint64_t idt[256][2] __attribute__((aligned(16)));

extern const uint8_t vector_stubs[], intercept_stubs[];
extern void tick_entry(void), own_tick_entry(void), tick_entry_kept(void), nmi_entry_kept(void), syscall_entry(void),
            supervisor_entry(void);
extern void ignore_entry(void), nmi_entry(void), nmi_entry_checked(void), debug_entry(void), tick_exit_entry(void),
            plain_exit_entry(void), stage_return(void);
extern void syscall_entry_logged(void), supervisor_entry_logged(void);
extern void syscall_entry_traced(void), supervisor_entry_traced(void);
extern void syscall_entry_both(void), supervisor_entry_both(void);
extern void syscall_entry_counted(void), supervisor_entry_counted(void);
extern void syscall_entry_logged_counted(void), supervisor_entry_logged_counted(void);

/*
 * All entries are in the image, so that the upper halves of their addresses are equal.  The store
 * of the lower half therefore changes a gate at once: an NMI finds the old gate or the new one.
 */
static void set_gate(unsigned vector, uint64_t entry, uint16_t selector, uint8_t type,
                     uint8_t ist)
{
    const struct gate made = {
        .offset_low = (uint16_t)entry,
        .offset_middle = (uint16_t)(entry >> 16),
        .offset_high = (uint32_t)(entry >> 32),
        .selector = selector,
        .type = type,
        .ist = ist,
    };
    uint64_t half[2];

    _Static_assert(sizeof half == sizeof made, "a gate has two halves");
    __builtin_memcpy(half, &made, sizeof half);
    idt[vector][1] = half[1];
    idt[vector][0] = half[0];
}

static uint64_t common_entry(unsigned vector)
{
    return (uint64_t)vector_stubs + vector * STUB_BYTES;
}

uint64_t tick_rbp;         /* legend in idt.h */
irq_tick_handler *own_tick; /* read by kernel/cpu/vectors.asm, as the next */
uint64_t own_tick_vector;  /* 0: none; interrupts off, as the next */
static bool tick_is_own, kept, common_ticks, intercepted[256];

/* Without a monitor that intercepts. */
static uint64_t usual_entry(unsigned vector)
{
    return vector == own_tick_vector && !kept && !common_ticks ? (uint64_t)own_tick_entry : common_entry(vector);
}

static void set_interrupt(unsigned vector, uint64_t entry)
{
    tick_is_own &= vector != TICK_VECTOR;
    set_gate(vector, entry, SEL_KERNEL_CODE, GATE_INTERRUPT, 0);
}

static void set_usual(unsigned vector)
{
    if (vector != 0 && !intercepted[vector])
        set_interrupt(vector, usual_entry(vector));
}

void idt_set_common(unsigned vector)
{
    set_interrupt(vector, common_entry(vector));
}

void idt_set_intercepted(unsigned vector, bool on)
{
    intercepted[vector] = on;
    set_interrupt(vector, on ? (uint64_t)intercept_stubs + (vector - VECTOR_INTERRUPTS) * STUB_BYTES
                             : usual_entry(vector));
}

void idt_set_own_tick(unsigned vector, irq_tick_handler *handler)
{
    const unsigned before = (unsigned)own_tick_vector;

    own_tick_vector = vector;
    own_tick = handler;
    if (before != vector)
        set_usual(before);
    set_usual(vector);
}

unsigned idt_own_tick(void)
{
    return (unsigned)own_tick_vector;
}

void idt_set_ticks_common(void)
{
    common_ticks = true;
    idt_set_common(TICK_VECTOR);
}

void idt_set_tick(void)
{
    if (own_tick_vector == TICK_VECTOR)
        own_tick_vector = 0;
    if (common_ticks) {
        idt_set_common(TICK_VECTOR);
        return;
    }
    tick_is_own = true;
    set_gate(TICK_VECTOR, kept ? (uint64_t)tick_entry_kept : (uint64_t)tick_entry, SEL_KERNEL_CODE, GATE_INTERRUPT,
             0);
}

static void set_calls(void (*syscall)(void), void (*supervisor)(void))
{
    set_gate(SYSCALL_VECTOR, (uint64_t)syscall, SEL_KERNEL_CODE, GATE_TRAP_USER, 0);
    set_gate(SUPERVISOR_VECTOR, (uint64_t)supervisor, SEL_SUPERVISOR_CODE, GATE_TRAP_USER, 0);
}

void idt_init(void)
{
    struct {
        uint16_t limit;
        uint64_t base;
    } __attribute__((packed)) idtr = { sizeof idt - 1, (uint64_t)idt };

    for (unsigned vector = 0; vector < 256; vector++)
        idt_set_common(vector);
    set_gate(VECTOR_DOUBLE_FAULT, common_entry(VECTOR_DOUBLE_FAULT), SEL_KERNEL_CODE, GATE_INTERRUPT,
             IST_DOUBLE_FAULT);
    set_gate(VECTOR_MACHINE_CHECK, common_entry(VECTOR_MACHINE_CHECK), SEL_KERNEL_CODE, GATE_INTERRUPT,
             IST_MACHINE_CHECK);
    set_gate(VECTOR_DEBUG, (uint64_t)debug_entry, SEL_KERNEL_CODE, GATE_INTERRUPT, IST_DEBUG);
    idt_set_nmi(false);
    idt_set_tick();
    set_calls(syscall_entry, supervisor_entry);
    __asm__ volatile("lidt %0" : : "m"(idtr));
}

void idt_set_stage(bool open)
{
    idt_set_common(TICK_EXIT_VECTOR);
    idt_set_common(PLAIN_EXIT_VECTOR);
    idt_set_common(STAGE_RETURN_VECTOR);
    if (!open)
        return;
    set_gate(TICK_EXIT_VECTOR, (uint64_t)tick_exit_entry, SEL_KERNEL_CODE, GATE_INTERRUPT, 0);
    set_gate(PLAIN_EXIT_VECTOR, (uint64_t)plain_exit_entry, SEL_KERNEL_CODE, GATE_INTERRUPT, 0);
    set_gate(STAGE_RETURN_VECTOR, (uint64_t)stage_return, SEL_KERNEL_CODE, GATE_INTERRUPT_USER, 0);
}

static bool nmi_ticks, stack_checked; /* interrupts off */

static uint64_t nmi_way(void)
{
    if (!nmi_ticks)
        return common_entry(VECTOR_NMI);
    if (kept)
        return (uint64_t)nmi_entry_kept; /* it checks too */
    return (uint64_t)(stack_checked ? nmi_entry_checked : nmi_entry);
}

void idt_set_nmi(bool ticks)
{
    nmi_ticks = ticks;
    set_gate(VECTOR_NMI, nmi_way(), SEL_KERNEL_CODE, GATE_INTERRUPT, IST_NMI);
}

void idt_check_stack_at_nmi(void)
{
    stack_checked = true;
    idt_set_nmi(nmi_ticks);
}

void idt_keep_rbp(bool on)
{
    kept = on;
    if (tick_is_own)
        idt_set_tick();
    idt_set_own_tick((unsigned)own_tick_vector, own_tick);
    idt_set_nmi(nmi_ticks);
}

void idt_set_calls(unsigned of_syscalls, unsigned of_services)
{
    static void (*const syscalls[])(void) = {
        syscall_entry, syscall_entry_logged, syscall_entry_traced, syscall_entry_both, syscall_entry_counted,
        syscall_entry_logged_counted,
    };
    static void (*const services[])(void) = {
        supervisor_entry, supervisor_entry_logged, supervisor_entry_traced, supervisor_entry_both,
        supervisor_entry_counted, supervisor_entry_logged_counted,
    };

    set_calls(syscalls[of_syscalls], services[of_services]);
}

void idt_ignore_all(void)
{
    for (unsigned vector = VECTOR_INTERRUPTS; vector < 256; vector++)
        set_gate(vector, (uint64_t)ignore_entry, SEL_KERNEL_CODE, GATE_INTERRUPT, 0);
}

/* The names of the processor's exceptions.  Intel SDM 3A, table 6-1. */

#define NAMES 22

static const char *const names[NAMES] = {
    "divide error", "debug exception", "non-maskable interrupt", "breakpoint",
    "overflow", "bound range exceeded", "invalid opcode", "device not available",
    "double fault", "coprocessor segment overrun", "invalid TSS",
    "segment not present", "stack fault", "general protection", "page fault",
    "reserved", "x87 error", "alignment check", "machine check", "SIMD error",
    "virtualization exception", "control protection",
};

const char *exception_name(uint32_t vector)
{
    return vector < NAMES ? names[vector] : "reserved";
}
