/* SPDX-License-Identifier: MIT */
/* The names of the processor's exceptions.  Intel SDM 3A, table 6-1. */
#include "kernel/cpu/exception_names.h"

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
