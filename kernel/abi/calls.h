/* SPDX-License-Identifier: MIT */
/* What a user program does: system calls, supervisor services, and work (kernel/abi/spin_loop.h). */
#pragma once

#include <stdint.h>

#include "kernel/abi/spin_loop.h"
#include "kernel/abi/syscall_numbers.h"

static inline uint64_t call(uint64_t number, uint64_t first, uint64_t second)
{
    __asm__ volatile("int %3"
                     : "+a"(number)
                     : "D"(first), "S"(second), "i"(SYSCALL_VECTOR)
                     : "memory");
    return number;
}

static inline uint64_t serve(uint64_t service, uint64_t argument)
{
    __asm__ volatile("int %2"
                     : "+a"(service)
                     : "D"(argument), "i"(SUPERVISOR_VECTOR)
                     : "memory");
    return service;
}
