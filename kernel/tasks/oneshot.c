/* SPDX-License-Identifier: MIT */
/* A program that works so many units at ring 3, half as many at ring 1 and at ring 0, and ends. */
#include "kernel/abi/calls.h"

int main(uint64_t argument)
{
    spin(argument);
    serve(SVC_WORK, argument / 2);
    call(SYS_WORK, argument / 2, 0);
    return 0;
}
