/* SPDX-License-Identifier: MIT */
/* A program that reports as fast as it can, for ever. */
#include "kernel/abi/calls.h"

int main(void)
{
    for (uint64_t number = 1;; number++)
        call(SYS_REPORT, number, 0);
}
