/* SPDX-License-Identifier: MIT */
/* RDMSR of a register that does not exist raises #GP(0) (Intel SDM 2B, RDMSR): one instruction is allowed to. */
#include "kernel/cpu/msr_guard.h"

#define VECTOR_GENERAL_PROTECTION 13

extern const uint8_t msr_guard_read[], msr_guard_refused[]; /* kernel/cpu/msr_guard.asm */
extern uint64_t msr_guard_rdmsr(uint32_t msr, uint64_t *value);

bool msr_read_guarded(uint32_t msr, uint64_t *value)
{
    return msr_guard_rdmsr(msr, value);
}

bool msr_guard_recover(struct frame *f)
{
    if (f->vector != VECTOR_GENERAL_PROTECTION || f->rip != (uint64_t)msr_guard_read || frame_ring(f->cs) != 0)
        return false;
    f->rip = (uint64_t)msr_guard_refused;
    f->error = 0; /* frame_return restores in_interrupt from it: kernel/cpu/vectors.asm */
    return true;
}
