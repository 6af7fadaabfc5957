/* SPDX-License-Identifier: MIT */
/*
 * Read before drivers/lapic.c in build/x2apic.elf: a processor whose firmware left the local APIC in x2APIC mode and
 * locked it there.  Bochs has the mode and not the lock (IA32_XAPIC_DISABLE_STATUS).  What the lock makes a fault is
 * one here: to leave the mode, and any access of the APIC as memory.  With EARLY (build/x2apic-early.elf) a deadline
 * interrupts in half of its time, too, as on processors that do not know what firmware wrote into the TSC.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"

#define LOCKED_APIC_BASE         0x1bu
#define LOCKED_APIC_BASE_X2APIC  (1u << 10)
#define LOCKED_ARCH_CAPABILITIES 0x10au
#define LOCKED_DISABLE_STATUS    0xbdu
#define LOCKED_TSC_DEADLINE      0x6e0u

static inline struct cpuid locked_cpuid(uint32_t leaf, uint32_t sub)
{
    struct cpuid r = cpuid(leaf, sub);

    if (leaf == 7)
        r.edx |= 1u << 29; /* IA32_ARCH_CAPABILITIES exists */
    return r;
}

/* The first look finds what firmware left. */
static inline uint64_t locked_rdmsr(uint32_t msr)
{
    static bool entered;

    if (msr == LOCKED_ARCH_CAPABILITIES)
        return 1u << 21;
    if (msr == LOCKED_DISABLE_STATUS)
        return 1;
    if (msr == LOCKED_APIC_BASE && !entered)
        wrmsr(msr, rdmsr(msr) | LOCKED_APIC_BASE_X2APIC);
    entered = true;
    return rdmsr(msr);
}

static inline void locked_wrmsr(uint32_t msr, uint64_t value)
{
    if (msr == LOCKED_APIC_BASE && !(value & LOCKED_APIC_BASE_X2APIC))
        __builtin_trap();
#ifdef EARLY
    if (msr == LOCKED_TSC_DEADLINE && value > rdtsc())
        value -= (value - rdtsc()) / 2;
#endif
    wrmsr(msr, value);
}

#define cpuid(leaf, sub)             locked_cpuid(leaf, sub)
#define rdmsr(msr)                   locked_rdmsr(msr)
#define wrmsr(msr, value)            locked_wrmsr(msr, value)
#define mmio_read32(address)         (__builtin_trap(), (uint32_t)(address))
#define mmio_write32(address, value) ((void)(address), (void)(value), __builtin_trap())
