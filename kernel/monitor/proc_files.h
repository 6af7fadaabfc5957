/* SPDX-License-Identifier: MIT */
/*
 * What a task reads of the tick counters: the texts of /proc/stat, /proc/loadavg and /proc/PID/stat as Linux
 * 2.6.2x to 3.x writes them, fields in their places, those that there are not 0 (proc(5)).  PID is the task's number.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernel/abi/syscall_numbers.h"

/*
 * Write the text of a file, enum proc_file or PROC_PID plus a number, to an address of the running task; its length,
 * without an end.  0: there is no such file, no such task, monitor=procstat is off, or the task could not write
 * there.  Task context, interrupts on.
 */
size_t proc_file_read(uint64_t file, uint64_t address);
