/* SPDX-License-Identifier: MIT */
/* A program that makes one fault, at ring 3, 1 or 0. */
#include "kernel/abi/calls.h"
#include "kernel/abi/fault_injection.h"

#define WAIT_US 20000
#define FLAG_AC (1u << 18)

/* It keeps clear of the red zone, 128 bytes below the stack pointer. */
static void set_ac(void)
{
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
                     "pushfq\n\t"
                     "orl %0, (%%rsp)\n\t"
                     "popfq\n\t"
                     "leaq 128(%%rsp), %%rsp"
                     : : "i"(FLAG_AC) : "memory", "cc");
}

int main(uint64_t argument)
{
    const uint64_t kind = argument & 0xff;

    call(SYS_SLEEP, WAIT_US, 0);
    if (argument & CULPRIT_AC)
        set_ac();
    if (argument & CULPRIT_RING1)
        serve(SVC_FAULT, kind);
    else if (argument & CULPRIT_RING0)
        call(SYS_FAULT, kind, 0);
    else
        inject_fault((enum fault_kind)kind);
    return 0; /* without a fault the task ends without a record, which the tests detect */
}
