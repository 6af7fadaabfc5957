/* SPDX-License-Identifier: MIT */
/*
 * A program that makes system calls and services with random numbers and arguments,
 * all of them drawn from its argument, and ends.  Most of the calls that can sleep or
 * work for ever get small arguments, or each program would be over by its tenth call.
 */
#include "kernel/abi/calls.h"
#include "kernel/tasks/hostile/random_draws.h"

#define CALLS 400u
#define NUMBERS (SYSCALLS + 2u) /* a few past the last call */

#define LONG_CALLS                                                                              \
    (1ull << SYS_EXIT | 1ull << SYS_SLEEP | 1ull << SYS_WORK | 1ull << SYS_REST |               \
     1ull << SYS_MASK | 1ull << SYS_UNTIL | 1ull << SYS_TAKE | 1ull << SYS_SHADOW)
#define LONG_SERVICES (1ull << SVC_WORK | 1ull << SVC_FAULT | 1ull << SVC_SYNC)

static uint64_t any_number(uint64_t numbers)
{
    return below(16) != 0 ? below(numbers) : any_size();
}

/* Whether the number is one of `of`, and this is not the one time in 64 that it is made as it is. */
static int is_tame(uint64_t number, uint64_t of)
{
    return number < 64 && (of >> number & 1) && below(64) != 0;
}

static void call_any(void)
{
    const uint64_t number = any_number(NUMBERS);

    if (!is_tame(number, LONG_CALLS))
        call(number, any_size(), any_size());
    else if (number != SYS_EXIT && number != SYS_TAKE) /* who has a resource waits for it for ever */
        call(number, below(8), below(32) == 0);
}

static void serve_any(void)
{
    const uint64_t number = any_number(SERVICES + 2);

    if (!is_tame(number, LONG_SERVICES))
        serve(number, any_size());
    else if (number != SVC_FAULT)
        serve(number, below(8));
}

int main(uint64_t argument)
{
    draws = argument;
    for (unsigned i = 0; i < CALLS; i++) {
        if (below(4) != 0)
            call_any();
        else
            serve_any();
    }
    return 0;
}
