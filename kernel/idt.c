/* SPDX-License-Identifier: MIT */
/*
 * The interrupt descriptor table.  Interrupts and exceptions come in with
 * interrupts off.  The two gates that programs call leave them on: into ring 1
 * an interrupt gate would lose them for good (docs/ACCOUNTING.md).
 */
#include "kernel/idt.h"

#include <stdint.h>

#include "kernel/cpu.h"
#include "kernel/interrupt.h"
#include "kernel/syscall_numbers.h"

#define GATE_INTERRUPT 0x8e
#define GATE_TRAP_USER 0xef /* trap gate that ring 3 may call */
#define STUB_BYTES     16   /* kernel/vectors.asm */

#define VECTOR_INTERRUPTS    32 /* below are the exceptions */
#define VECTOR_NMI           2
#define VECTOR_DOUBLE_FAULT  8
#define VECTOR_MACHINE_CHECK 18

struct gate {
    uint16_t offset_low, selector;
    uint8_t ist, type;
    uint16_t offset_middle;
    uint32_t offset_high, reserved;
};

static struct gate idt[256] __attribute__((aligned(16)));

extern const uint8_t vector_stubs[];
extern void tick_entry(void), syscall_entry(void), supervisor_entry(void);
extern void ignore_entry(void), nmi_entry(void);
extern void syscall_entry_logged(void), supervisor_entry_logged(void);

static void set_gate(unsigned vector, uint64_t entry, uint16_t selector, uint8_t type,
                     uint8_t ist)
{
    idt[vector] = (struct gate){
        .offset_low = (uint16_t)entry,
        .offset_middle = (uint16_t)(entry >> 16),
        .offset_high = (uint32_t)(entry >> 32),
        .selector = selector,
        .type = type,
        .ist = ist,
    };
}

void idt_common(unsigned vector)
{
    set_gate(vector, (uint64_t)vector_stubs + vector * STUB_BYTES, SEL_KERNEL_CODE,
             GATE_INTERRUPT, 0);
}

void idt_tick(void)
{
    set_gate(TICK_VECTOR, (uint64_t)tick_entry, SEL_KERNEL_CODE, GATE_INTERRUPT, 0);
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
        idt_common(vector);
    idt[VECTOR_DOUBLE_FAULT].ist = IST_DOUBLE_FAULT;
    idt[VECTOR_NMI].ist = IST_NMI;
    idt[VECTOR_MACHINE_CHECK].ist = IST_MACHINE_CHECK;
    idt_tick();
    set_calls(syscall_entry, supervisor_entry);
    __asm__ volatile("lidt %0" : : "m"(idtr));
}

void idt_nmi(void)
{
    set_gate(VECTOR_NMI, (uint64_t)nmi_entry, SEL_KERNEL_CODE, GATE_INTERRUPT, IST_NMI);
}

void idt_logged(void)
{
    set_calls(syscall_entry_logged, supervisor_entry_logged);
}

void idt_ignore(void)
{
    for (unsigned vector = VECTOR_INTERRUPTS; vector < 256; vector++)
        set_gate(vector, (uint64_t)ignore_entry, SEL_KERNEL_CODE, GATE_INTERRUPT, 0);
}
