/* SPDX-License-Identifier: MIT */
/*
 * x86 instructions that access devices: ports, memory-mapped registers, model-specific registers,
 * the time-stamp counter; and what the processor says that it has.  Intel SDM volume 2.
 * Any context at CPL 0 (rdtsc at any CPL).
 */
#pragma once

#include <stdint.h>

static inline void outb(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

/* Two bytes to the same port: each tick writes a counter so, and the high one needs no shift in between. */
static inline void outb_low_high(uint16_t port, uint16_t value)
{
    __asm__ volatile("outb %%al, %1\n\tmovb %%ah, %%al\n\toutb %%al, %1" : "+a"(value) : "Nd"(port));
}

static inline uint8_t inb(uint16_t port)
{
    uint8_t value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline void outw(uint16_t port, uint16_t value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port));
}

static inline uint16_t inw(uint16_t port)
{
    uint16_t value;

    __asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline void outl(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port));
}

static inline uint32_t inl(uint16_t port)
{
    uint32_t value;

    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline uint32_t mmio_read32(uint64_t address)
{
    return *(volatile uint32_t *)(uintptr_t)address;
}

static inline void mmio_write32(uint64_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}

static inline uint64_t rdmsr(uint32_t msr)
{
    uint32_t low, high;

    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (uint64_t)high << 32 | low;
}

static inline void wrmsr(uint32_t msr, uint64_t value)
{
    __asm__ volatile("wrmsr"
                     : : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
                     : "memory");
}

struct cpuid {
    uint32_t eax, ebx, ecx, edx;
};

static inline struct cpuid cpuid(uint32_t leaf, uint32_t sub)
{
    struct cpuid r;

    __asm__ volatile("cpuid" : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx) : "0"(leaf), "2"(sub));
    return r;
}

/* RDTSC clears the high halves of both registers, so that shift and OR combine them. */
static inline uint64_t rdtsc(void)
{
    uint64_t clock;

    __asm__ volatile("rdtsc\n\tshlq $32, %%rdx\n\torq %%rdx, %0"
                     : "=a"(clock) : : "rdx", "cc", "memory");
    return clock;
}
