/* SPDX-License-Identifier: MIT */
/*
 * The kernel stack after an entry from an outer or the same ring: built by
 * kernel/cpu/vectors.asm, read by C.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the CPU pushes at an interrupt in 64-bit mode. */
struct cpu_frame {
    uint64_t rip, cs, rflags, rsp, ss;
};

struct frame {
    /* pushed by the stub, last first */
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rcx, rbx;
    uint64_t *cell; /* the cell that was interrupted: charged again after the exit */
    uint64_t tsc;   /* the account's clock at the entry (probe/core/account.h) */
    uint64_t rdx, rax;
    uint64_t vector;
    /* pushed by the CPU for some exceptions, else by the stub: 0; of an interrupt in_interrupt as it was */
    uint64_t error;
    /* pushed by the CPU */
    uint64_t rip, cs, rflags, rsp, ss;
};

_Static_assert(offsetof(struct frame, cell) == 13 * 8, "kernel/cpu/vectors.asm pushes this");
_Static_assert(offsetof(struct frame, tsc) == 14 * 8, "kernel/cpu/vectors.asm pushes this");
_Static_assert(offsetof(struct frame, vector) == 17 * 8, "kernel/cpu/vectors.asm pushes this");
_Static_assert(offsetof(struct frame, rip) == 19 * 8, "the CPU pushes this");
_Static_assert(sizeof(struct frame) == 24 * 8, "the CPU pushes five");

#define RFLAGS_IF (1u << 9)
#define RFLAGS_AC (1u << 18)

/* Ring of the interrupted code, 0 .. 3, from its saved CS. */
static inline unsigned frame_ring(uint64_t cs)
{
    return cs & 3;
}

/* The frame of which the CPU pushed this part: of an interrupt through the common entry. */
static inline const struct frame *frame_whole(const struct cpu_frame *f)
{
    return (const struct frame *)((const uint8_t *)f - offsetof(struct frame, rip));
}

/* Whether the interrupt came into a handler of another one: the stub pushed what in_interrupt was. */
static inline bool frame_in_handler(const struct frame *f)
{
    return f->error != 0;
}

/* The part of a frame that the CPU pushed. */
static inline const struct cpu_frame *frame_cpu(const struct frame *f)
{
    return (const struct cpu_frame *)&f->rip;
}
