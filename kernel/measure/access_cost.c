/* SPDX-License-Identifier: MIT */
/*
 * Accesses in a row between two readings of the clock, less two readings with nothing between.  Each access
 * is one instruction of straight code, because a loop round it would be measured too.
 */
#include "kernel/measure/access_cost.h"

#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "kernel/measure/one_shot.h"

#define ATTEMPTS 16  /* the shortest is used: an SMI lengthens some */
#define ACCESSES 16u /* between two readings */
#define EACH(instruction) ".rept 16\n\t" instruction "\n\t.endr"
_Static_assert(ACCESSES == 16, "EACH() says so");

static uint64_t time_port_reads(const volatile uint32_t *unused)
{
    const uint64_t begin = rdtsc();
    uint8_t mask;

    (void)unused;
    __asm__ volatile(EACH("inb %1, %0") : "=a"(mask) : "i"(PIC_MASTER_MASK));
    return rdtsc() - begin;
}

/* The mask that is there already is written: nothing changes. */
static uint64_t time_port_writes(const volatile uint32_t *unused)
{
    const uint8_t mask = inb(PIC_MASTER_MASK);
    const uint64_t begin = rdtsc();

    (void)unused;
    __asm__ volatile(EACH("outb %0, %1") : : "a"(mask), "i"(PIC_MASTER_MASK));
    return rdtsc() - begin;
}

static uint64_t time_memory_reads(const volatile uint32_t *device)
{
    const uint64_t begin = rdtsc();
    uint32_t value;

    __asm__ volatile(EACH("movl (%1), %0") : "=&r"(value) : "r"(device) : "memory");
    return rdtsc() - begin;
}

static uint64_t time_msr_reads(const volatile uint32_t *unused)
{
    const uint64_t begin = rdtsc();
    uint32_t low, high;

    (void)unused;
    __asm__ volatile(EACH("rdmsr") : "=a"(low), "=d"(high) : "c"(lapic_harmless_msr()));
    return rdtsc() - begin;
}

static uint64_t each(uint64_t (*time)(const volatile uint32_t *device), const volatile uint32_t *device)
{
    const uint64_t grain = clock_grain();
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < ATTEMPTS; i++) {
        const uint64_t took = time(device);

        least = took < least ? took : least;
    }
    return least > grain ? (least - grain + ACCESSES / 2) / ACCESSES : 0;
}

/* A register of the local APIC, as it is reached. */
static uint64_t each_of_lapic(void)
{
    return each(lapic_in_x2apic_mode() ? time_msr_reads : time_memory_reads, lapic_harmless());
}

void access_cost_measure(struct access_cost *cost)
{
    cost->port_read = each(time_port_reads, 0);
    cost->port_write = each(time_port_writes, 0);
    cost->lapic = lapic_in_use() ? each_of_lapic() : 0;
}
