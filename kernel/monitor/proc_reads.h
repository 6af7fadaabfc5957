/* SPDX-License-Identifier: MIT */
/*
 * monitor=procstat: what the readings of its texts cost (kernel/monitor/proc_files.c): by file, from before the text
 * is made until it is in the task's memory, with the interrupts that came meanwhile,
 * which the shortest reading has not.
 */
#pragma once

#include <stdint.h>

#include "kernel/abi/syscall_numbers.h"
#include "probe/stream/wire.h"

/* The file was read, from `begin` until now, TSC.  Interrupts off. */
void proc_reads_count(enum proc_kind kind, uint64_t begin, uint64_t bytes);

/* A window begins; it is closed.  Interrupts off, or the tick that closes a window. */
void proc_reads_begin(void);
void proc_reads_close(void);

/* As they were closed: files that were read, `*at` and the following; NULL: no more.  Task PROBE. */
const void *proc_reads_next(uint32_t *at);
