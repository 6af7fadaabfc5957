/* SPDX-License-Identifier: MIT */
/*
 * A task's memory, read and written for it at addresses that it gave.  Each page is looked up in the
 * task's tables and accessed through the direct map: no address faults the kernel.  Nothing is counted here.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Copy bytes out of a space, or into it.  False, and nothing was copied, where a byte is outside of the
 * tasks' half, is not mapped, or the task itself could not read it, or write it.  Any context in which
 * nobody changes the space.
 */
bool user_memory_read(uint64_t space, void *to, uint64_t address, uint64_t bytes);
bool user_memory_write(uint64_t space, uint64_t address, const void *from, uint64_t bytes);

/* The kernel's address of bytes within one page that the task can write; NULL else.  The same contexts. */
void *user_memory_writable(uint64_t space, uint64_t address, uint64_t bytes);
