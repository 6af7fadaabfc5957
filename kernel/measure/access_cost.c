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
#include "probe/core/timed.h"

#define ROW 16u /* accesses between two readings: their mean knows parts of a clock unit, and no worst */
#define TIMES(instruction) ".rept %c[times]\n\t" instruction "\n\t.endr"
#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t read_port(unsigned times)
{
    const uint64_t begin = rdtsc();
    uint8_t mask;

    __asm__ volatile(TIMES("inb %[port], %0") : "=a"(mask) : [port] "i"(PIC_MASTER_MASK), [times] "i"(times));
    return rdtsc() - begin;
}

/* The mask that is there already is written: nothing changes. */
INLINE uint64_t write_port(unsigned times)
{
    const uint8_t mask = inb(PIC_MASTER_MASK);
    const uint64_t begin = rdtsc();

    __asm__ volatile(TIMES("outb %0, %[port]") : : "a"(mask), [port] "i"(PIC_MASTER_MASK), [times] "i"(times));
    return rdtsc() - begin;
}

INLINE uint64_t read_memory(const volatile uint32_t *device, unsigned times)
{
    const uint64_t begin = rdtsc();
    uint32_t value;

    __asm__ volatile(TIMES("movl (%1), %0") : "=&r"(value) : "r"(device), [times] "i"(times) : "memory");
    return rdtsc() - begin;
}

INLINE uint64_t read_msr(uint32_t msr, unsigned times)
{
    const uint64_t begin = rdtsc();
    uint32_t low, high;

    __asm__ volatile(TIMES("rdmsr") : "=a"(low), "=d"(high) : "c"(msr), [times] "i"(times));
    return rdtsc() - begin;
}

/* A register of the local APIC, as it is reached. */
INLINE uint64_t read_lapic(unsigned times)
{
    return lapic_in_x2apic_mode() ? read_msr(lapic_harmless_msr(), times) : read_memory(lapic_harmless(), times);
}

#define EITHER(access) static uint64_t access##_times(bool row) { return row ? access(ROW) : access(1); }
EITHER(read_port)
EITHER(write_port)
EITHER(read_lapic)

const struct access accesses[ACCESSES] = {
    [PORT_READ] = { "port read", read_port_times },
    [PORT_WRITE] = { "port write", write_port_times },
    [LAPIC_READ] = { "local APIC read", read_lapic_times },
};

static uint64_t each(const struct access *a)
{
    const uint64_t row = timed_beyond(TIMED_LEAST(a->take(true)), clock_grain());

    return row != 0 ? (row + ROW / 2) / ROW : 0;
}

void access_cost_measure(struct access_cost *cost)
{
    cost->port_read = each(&accesses[PORT_READ]);
    cost->port_write = each(&accesses[PORT_WRITE]);
    cost->lapic = lapic_in_use() ? each(&accesses[LAPIC_READ]) : 0;
}
