/* SPDX-License-Identifier: MIT */
/*
 * The pages of a process: mapped at first touch, changed and freed with its ranges; its memory as calls read and
 * write it.  Addresses may be anything.  The process' own task, or before it runs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/process/process.h"

/*
 * Addresses that a program may have: the first page faults, so that NULL does;
 * behind the last page no SYSCALL can return.
 */
#define PROCESS_LOW  0x10000ull
#define PROCESS_HIGH 0x00007ffffffff000ull

#define PROCESS_BYTES_MAX (1ull << 40) /* of all ranges */

/*
 * A touch of this address: map its page where its range allows the access and it has no page yet.  False where it
 * does not, or there is no memory.  In the page fault of the process too, interrupts off.
 */
bool process_touch(struct process *p, uint64_t address, uint32_t access);

/* Whether [from, to) lies in what a program may have, is not empty, and of whole pages. */
bool process_is_range(uint64_t from, uint64_t to);

/*
 * Regions come, go and change, with their pages; the range is one of process_is_range().  False: no room in the list.
 */
bool process_map(struct process *p, uint64_t from, uint64_t to, uint32_t access);
bool process_unmap(struct process *p, uint64_t from, uint64_t to);
bool process_protect(struct process *p, uint64_t from, uint64_t to, uint32_t access);

/* What is there of [from, to) is zeros again, from its next touch on. */
void process_empty(struct process *p, uint64_t from, uint64_t to);

/* Bytes into a mapped range, whatever its access: the loader's way.  False: out of memory. */
bool process_fill(struct process *p, uint64_t address, const void *from, uint64_t bytes);

/*
 * Copy out of its memory, or into it, as the program itself could.  False: it could not;
 * then a part may have been written.
 */
bool process_read(struct process *p, void *to, uint64_t address, uint64_t bytes);
bool process_write(struct process *p, uint64_t address, const void *from, uint64_t bytes);
