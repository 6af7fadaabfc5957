/* SPDX-License-Identifier: MIT */
/* Descriptors of a process.  All of it: in a system call of the process. */
#pragma once

#include <stdint.h>

#include "kernel/process/process.h"

/* The lowest free descriptor from `least` on becomes this file: its number, or the error EMFILE. */
int64_t descriptor_open(struct process *p, const struct process_file *f, uint64_t least);

/* What can be read, and what can be written; NULL: it is not open, or cannot be. */
static inline struct process_file *descriptor_input(const struct process *p, uint64_t descriptor)
{
    struct process_file *const f = process_file_open(p, descriptor);

    return f != 0 && (f->kind == PROCESS_FILE_INPUT || f->kind == PROCESS_FILE_NULL) ? f : 0;
}

static inline struct process_file *descriptor_output(const struct process *p, uint64_t descriptor)
{
    struct process_file *const f = process_file_open(p, descriptor);

    return f != 0 && (f->kind == PROCESS_FILE_OUTPUT || f->kind == PROCESS_FILE_NULL) ? f : 0;
}
