/* SPDX-License-Identifier: MIT */
/*
 * Read before each file of the drivers in build/uncured.elf: the image's own
 * sources, less the one access to hardware that the stages of tests/qemu/hostile.py name at
 * UNCURED_WORD.  So each cure is shown to be needed, and the sources know nothing
 * of it.  A letter and a number there leave the arming of a device out from that
 * time on (tests/qemu/silent.py): it interrupts no more.  "o": of the PIT, that one only; "q": likewise, on a
 * machine whose clocks were found so uncertain that 40 ms are in time.  "k": of the local APIC's timer.  "s" and "t"
 * with a number: the clock of one-shots runs so many times its declared error too fast, too slow
 * (tests/qemu/clock_error.py).  "irq8" leaves that line of the 8259 masked, as on a board that does not connect it
 * (tests/qemu/cost.py).  "starve" is told below.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"
#include "drivers/pic.h"
#include "drivers/pit_regs.h"
#include "drivers/rtc.h"
#include "kernel/boot_info.h"
#include "kernel/cpu/control_registers.h"
#include "kernel/cpu/cpu.h"
#include "kernel/lib/string.h"
#include "uart/uart_regs.h"

#define UNCURED_WORD 0x7000 /* physical; eight bytes, zero at the end */
#define UNCURED_COM1 0x3f8
#define UNCURED_COM2 0x2f8
#define UNCURED_RTC_B 0x0b
#define UNCURED_RTC_B_PERIODIC (1 << 6)

/* Device registers, as drivers/ have them in their own files. */
#define UNCURED_PIC_MASTER_DATA 0x21
#define UNCURED_PIC_SLAVE       0xa0
#define UNCURED_PIC_SLAVE_DATA  0xa1
#define UNCURED_IRQ8_OPEN       0xfe /* no line but this one; no initialisation command has this value */
#define UNCURED_ICW1            0x10
/* ICW4, as kernel/firmware/hw_takeover.c has it written; no mask has this value */
#define UNCURED_AEOI            0x03
#define UNCURED_AUTOMATIC       0x02
#define UNCURED_PAT             0x277u
#define UNCURED_LAPIC           0xfee00000u
#define UNCURED_LAPIC_TPR       0x080
#define UNCURED_LAPIC_EOI       0x0b0
#define UNCURED_LAPIC_SVR       0x0f0
#define UNCURED_LAPIC_ISR       0x100
#define UNCURED_LAPIC_ISR_LAST  0x170
#define UNCURED_LAPIC_ICR       0x300
#define UNCURED_ICR_INIT        0x500u
#define UNCURED_ICR_DELIVERY    0x700u
#define UNCURED_LAPIC_TIMER     0x320
#define UNCURED_LAPIC_LINT0     0x350
#define UNCURED_LAPIC_INITIAL   0x380
#define UNCURED_LVT_MASKED      (1u << 16)
#define UNCURED_IOAPIC_WINDOW   0xfec00010u
#define UNCURED_HPET_CONFIG     0xfed00010u
#define UNCURED_PCI_ADDRESS     0xcf8
#define UNCURED_PCI_DATA        0xcfc
#define UNCURED_PCI_REGISTER    0xffu
#define UNCURED_PCI_COMMAND     0x04
#define UNCURED_PCI_MASTER      (1u << 2)
#define UNCURED_HPET_COUNTER    0xfed000f0u
#define UNCURED_HPET_COMPARATOR 0xfed00108u /* the first; others are 0x20 apart */
#define UNCURED_HPET_END        0xfed00200u
#define UNCURED_STARVED         30000000u /* of the TSC: of QEMU's, 45 ticks of those that are measured */
#define UNCURED_HPET_MISSES     16u    /* one of so many */
#define UNCURED_HPET_SOON       50000u /* counts: half a millisecond of QEMU's */

static inline bool uncured(const char *word)
{
    const volatile char *told = (const volatile char *)(DIRECT_BASE + UNCURED_WORD);

    while (*word != '\0' && *told == *word) {
        told++;
        word++;
    }
    return *told == *word;
}

/* The number at UNCURED_WORD behind this letter; 0: there is none. */
static inline uint32_t uncured_number(char letter)
{
    const volatile char *told = (const volatile char *)(DIRECT_BASE + UNCURED_WORD);
    uint32_t from = 0;

    if (*told++ != letter)
        return 0;
    while (*told >= '0' && *told <= '9')
        from = from * 10 + (uint32_t)(*told++ - '0');
    return *told == '\0' ? from : 0;
}

/* Whether this arming, `so_many` before it, of the device of this letter is left out. */
static inline bool uncured_silent(char letter, uint32_t so_many)
{
    const uint32_t from = uncured_number(letter);

    return from != 0 && so_many + 1 >= from;
}

/* What these compute is made wrong on its way to them, by uncured.c. */
#define source_pit_set_clock   uncured_true_clock
#define one_shot_tick_set_rate uncured_wrong_rate

/* One count of all files. */
extern uint32_t uncured_pit_writes, uncured_hpet_arms, uncured_lapic_arms, uncured_rtc_arms, uncured_com2_bytes;
extern uint8_t uncured_rtc_register;

static inline bool uncured_arming(uint16_t port, uint8_t value)
{
    uint32_t so_many;

    switch (port) {
    case PIT_COUNTER0: /* two bytes a count */
        so_many = uncured_pit_writes++ / 2;
        return uncured_silent('p', so_many) || uncured_number('o') == so_many + 1 ||
               uncured_number('q') == so_many + 1;
    case RTC_INDEX:
        uncured_rtc_register = value;
        return false;
    case RTC_DATA:
        return uncured_rtc_register == UNCURED_RTC_B && value & UNCURED_RTC_B_PERIODIC &&
               uncured_silent('r', uncured_rtc_arms++);
    default:
        return false;
    }
}

/* A byte to COM2, whose interrupt is the tick; set-up writes the divisor there. */
static inline bool uncured_com2(uint16_t port)
{
    return port == UNCURED_COM2 && !(inb(UNCURED_COM2 + UART_LCR) & UART_LCR_DLAB) &&
           uncured_silent('u', uncured_com2_bytes++);
}

static inline bool uncured_port(uint16_t port, uint8_t value)
{
    if (uncured_arming(port, value) || uncured_com2(port))
        return true;
    switch (port) {
    case PIC_MASTER_COMMAND:
    case UNCURED_PIC_SLAVE:
        return value & UNCURED_ICW1 && uncured("icw1");
    case UNCURED_PIC_MASTER_DATA:
    case UNCURED_PIC_SLAVE_DATA:
        return (value == 0xff && uncured("mask")) ||
               (value == UNCURED_IRQ8_OPEN && port == UNCURED_PIC_SLAVE_DATA && uncured("irq8"));
    case PIT_CONTROL: /* a command to latch has no access bits */
        return value & PIT_ACCESS_LOHI && uncured("pit");
    case UNCURED_COM1 + UART_FCR:
        return uncured("fifo");
    default:
        return false;
    }
}

static uint8_t uncured_lcr, uncured_mcr; /* as they were found */
static bool uncured_dlab, uncured_sent;  /* now; a byte was sent */

/* What the image can do to COM1 where a cure is missing: bits found set stay so. */
static inline bool uncured_com1(uint16_t port, uint8_t *value)
{
    static bool found;

    if (!found) {
        found = true;
        uncured_lcr = inb(UNCURED_COM1 + UART_LCR);
        uncured_mcr = inb(UNCURED_COM1 + UART_MCR);
        uncured_dlab = uncured_lcr & UART_LCR_DLAB;
    }
    switch (port - UNCURED_COM1) {
    case UART_LCR:
        if (uncured("dlab"))
            *value |= uncured_lcr & UART_LCR_DLAB;
        uncured_dlab = *value & UART_LCR_DLAB;
        return false;
    case UART_MCR:
        if (uncured("loop"))
            *value |= uncured_mcr & UART_MCR_LOOP;
        return false;
    case UART_THR:
    case UART_IER: /* or the two halves of the divisor */
        uncured_sent = uncured_sent || (port == UNCURED_COM1 && !uncured_dlab);
        return uncured_dlab && uncured("divisor");
    default:
        return false;
    }
}

static unsigned uncured_latched; /* bytes that a latch of our own lets us read */

static inline void uncured_outb(uint16_t port, uint8_t value)
{
    if (uncured_port(port, value))
        return;
    if (port == UNCURED_PIC_MASTER_DATA && value == UNCURED_AEOI && uncured("aeoi"))
        value &= (uint8_t)~UNCURED_AUTOMATIC; /* a chip that cannot end interrupts itself */
    if ((port & ~7) == UNCURED_COM1 && uncured_com1(port, &value))
        return;
    if (port == PIT_CONTROL && !(value & PIT_ACCESS_LOHI))
        uncured_latched = 2;
    outb(port, value);
}

/* A write of a command register without bus mastering */
static inline void uncured_outl(uint16_t port, uint32_t value)
{
    if (port == UNCURED_PCI_DATA && (inl(UNCURED_PCI_ADDRESS) & UNCURED_PCI_REGISTER) == UNCURED_PCI_COMMAND &&
        !(value & UNCURED_PCI_MASTER) && uncured("master"))
        return;
    outl(port, value);
}

static inline uint8_t uncured_inb(uint16_t port)
{
    if (port == UNCURED_COM1 && !uncured_sent && uncured("fifo"))
        return 0;
    if (port == PIT_COUNTER0 && uncured("unlatch")) {
        if (uncured_latched == 0)
            return 0;
        uncured_latched--;
    }
    return inb(port);
}

static inline uint32_t uncured_mmio_read32(uint64_t address)
{
    const uint32_t reg = (uint32_t)address - UNCURED_LAPIC;

    if (reg >= UNCURED_LAPIC_ISR && reg <= UNCURED_LAPIC_ISR_LAST && uncured("eoi"))
        return 0;
    return mmio_read32(address);
}

/*
 * "hmiss": a comparator is written when its time has passed, and the HPET, which compares for equality alone,
 * misses it.
 */
static inline bool uncured_hpet(uint32_t value)
{
    const bool misses = uncured_hpet_arms % UNCURED_HPET_MISSES == 0 && uncured("hmiss");
    const uint64_t counter = DIRECT_BASE + UNCURED_HPET_COUNTER;

    if (uncured_silent('h', uncured_hpet_arms++))
        return true;
    if (!misses || value - mmio_read32(counter) > UNCURED_HPET_SOON)
        return false;
    while ((int32_t)(value - mmio_read32(counter)) >= 0)
        continue;
    return true;
}

static inline bool uncured_lapic_arming(uint32_t so_many)
{
    return uncured_silent('l', so_many) || uncured_number('k') == so_many + 1;
}

static inline bool uncured_mmio(uint32_t address, uint32_t value)
{
    if (address >= UNCURED_HPET_COMPARATOR && address < UNCURED_HPET_END && (address & 0x1f) == 8)
        return uncured_hpet(value);
    switch (address) {
    case UNCURED_LAPIC + UNCURED_LAPIC_TPR:
        return uncured("tpr");
    case UNCURED_LAPIC + UNCURED_LAPIC_SVR:
        return uncured("svr");
    case UNCURED_LAPIC + UNCURED_LAPIC_ICR:
        return (value & UNCURED_ICR_DELIVERY) == UNCURED_ICR_INIT && uncured("init");
    case UNCURED_LAPIC + UNCURED_LAPIC_TIMER:
        return value & UNCURED_LVT_MASKED && uncured("timer");
    case UNCURED_LAPIC + UNCURED_LAPIC_INITIAL:
        return value == 0 ? uncured("timer") : uncured_lapic_arming(uncured_lapic_arms++);
    case UNCURED_LAPIC + UNCURED_LAPIC_LINT0:
        return uncured("lint0");
    case UNCURED_IOAPIC_WINDOW:
        return uncured("ioapic");
    case UNCURED_HPET_CONFIG:
        return uncured("hpet");
    default:
        return false;
    }
}

/*
 * "vanish" leaves nothing out: after each interrupt of the local APIC, as an 8259
 * would whose requests vanished, it raises IRQ 7 and IRQ 15 that are not in service.
 */
static inline void uncured_mmio_write32(uint64_t address, uint32_t value)
{
    if (uncured_mmio((uint32_t)address, value))
        return;
    mmio_write32(address, value);
    if ((uint32_t)address == UNCURED_LAPIC + UNCURED_LAPIC_EOI && uncured("vanish"))
        __asm__ volatile("int %0\n\tint %1" : : "i"(PIC_MASTER_VECTOR + 7), "i"(PIC_SLAVE_VECTOR + 7)
                         : "memory");
}

/* Of a register that is not written whole the bits that were found stay. */
static inline void uncured_write_cr0(uint64_t value)
{
    uint64_t found;

    __asm__ volatile("mov %%cr0, %0" : "=r"(found));
    cpu_write_cr0(uncured("cr0") ? value | found : value);
}

static inline void uncured_write_cr4(uint64_t value)
{
    cpu_write_cr4(uncured("cr4") ? value | cpu_read_cr4() : value);
}

static inline void uncured_clear_breakpoints(void)
{
    if (!uncured("dr7"))
        cpu_clear_breakpoints();
}

static inline void uncured_clear_ldt(void)
{
    if (!uncured("ldt"))
        cpu_clear_ldt();
}

static inline void uncured_write_flags(uint64_t value)
{
    if (!uncured("flags"))
        cpu_write_flags(value);
}

static inline void uncured_wrmsr(uint32_t msr, uint64_t value)
{
    if ((msr == MSR_SYSENTER_CS && uncured("sysent")) || ((value == 0 || msr == UNCURED_PAT) && uncured("msrs")))
        return;
    wrmsr(msr, msr == MSR_EFER && uncured("efer") ? value | rdmsr(msr) : value);
}

/*
 * The drain is the take-over's.  "starve": the loop that watches the first ticks has its turn late, as where a
 * hypervisor takes the processor.
 */
static inline void uncured_interrupts_on(const char *file)
{
    if (!string_equal(file, "kernel/firmware/hw_takeover.c") || !uncured("drain"))
        cpu_interrupts_on();
    if (string_equal(file, "kernel/tick/handler_cost.c") && uncured("starve"))
        for (const uint64_t from = rdtsc(); rdtsc() - from < UNCURED_STARVED;)
            continue;
}

#define outb(port, value)            uncured_outb(port, value)
#define outb_low_high(port, value)   (uncured_outb(port, (uint8_t)(value)), \
                                      uncured_outb(port, (uint8_t)((value) >> 8)))
#define inb(port)                    uncured_inb(port)
#define outl(port, value)            uncured_outl(port, value)
#define mmio_read32(address)         uncured_mmio_read32(address)
#define mmio_write32(address, value) uncured_mmio_write32(address, value)
#define wrmsr(msr, value)            uncured_wrmsr(msr, value)
#define cpu_write_cr0(value)         uncured_write_cr0(value)
#define cpu_write_cr4(value)         uncured_write_cr4(value)
#define cpu_clear_breakpoints()      uncured_clear_breakpoints()
#define cpu_clear_ldt()              uncured_clear_ldt()
#define cpu_write_flags(value)       uncured_write_flags(value)
#define cpu_interrupts_on()          uncured_interrupts_on(__FILE__)
