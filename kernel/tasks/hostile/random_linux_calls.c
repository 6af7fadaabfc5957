/* SPDX-License-Identifier: MIT */
/*
 * A program for Linux that makes system calls with random numbers and arguments, all of them drawn from its random
 * bytes, by SYSCALL, with a stack that is now and then another one, and ends.
 * The calls that wait, end it or write seldom run.
 */
#include <stdint.h>

#include "kernel/tasks/hostile/random_draws.h"

#define CALLS     400u
#define NUMBERS   340u /* a few past the last call */
#define GETRANDOM 318u

static uint64_t memory[64];

/* Numbers, and addresses of its own, near its stack, of the kernel and at the ends of its half. */
static uint64_t any_argument(void)
{
    const uint64_t at[] = {
        (uint64_t)memory, (uint64_t)memory, (uint64_t)&draws, (uint64_t)at, 0x400000, 0x200000000, 0x7ffffffff000,
        0x800000000000, 0xffff800000000000, 0xffffc00000010000, 0xffffffff80100000,
    };

    if (below(2) != 0)
        return any_size();
    return (at[below(sizeof at / sizeof at[0])] + (below(4) == 0 ? any_size() : 0)) &
           (below(2) != 0 ? ~0xfffull : ~0ull);
}

static uint64_t call_with(uint64_t number, const uint64_t a[6], uint64_t stack)
{
    register uint64_t r10 __asm__("r10") = a[3];
    register uint64_t r8 __asm__("r8") = a[4];
    register uint64_t r9 __asm__("r9") = a[5];
    register uint64_t kept __asm__("r12") = stack;

    __asm__ volatile("xchg %%rsp, %%r12\n\tsyscall\n\txchg %%rsp, %%r12"
                     : "+a"(number), "+r"(kept)
                     : "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return number;
}

static int is_tame(uint64_t number)
{
    static const uint16_t numbers[] = { 1, 20, 35, 60, 62, 200, 202, 230, 231, 234 };

    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (number == numbers[i])
            return below(64) != 0;
    return 0;
}

static void call_any(void)
{
    const uint64_t number = below(16) != 0 ? below(below(2) != 0 ? 22 : NUMBERS) : any_size();
    uint64_t a[6];

    for (unsigned i = 0; i < 6; i++)
        a[i] = below(3) == 0 ? below(8) : any_argument();
    if (!is_tame(number))
        call_with(number, a, below(4) == 0 ? any_argument() : (uint64_t)__builtin_frame_address(0) - 512);
}

int main(void)
{
    call_with(GETRANDOM, (const uint64_t[6]){ (uint64_t)&draws, sizeof draws },
              (uint64_t)__builtin_frame_address(0) - 512);
    for (unsigned i = 0; i < CALLS; i++)
        call_any();
    call_with(231, (const uint64_t[6]){ 0 }, (uint64_t)__builtin_frame_address(0) - 512);
    return 0;
}
