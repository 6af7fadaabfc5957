/* SPDX-License-Identifier: MIT */
/*
 * Finds what the plugin interface does not tell and QEMU's own symbols do: virtual time, the guest's memory, the
 * ring.  Debian's QEMU exports its symbols; another build may not.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct qemu {
    const int64_t *bias;  /* virtual time less that of the instructions, ns; NULL: not known */
    const int16_t *shift; /* an instruction takes 2^shift ns */
    const int *icount;    /* 1: -icount with a fixed shift */
    void *(*cpu)(int index);
    int (*read)(void *cpu, uint64_t address, void *to, uint64_t bytes, bool write);
    void (*dump)(void *cpu, FILE *to, int flags);
};

/* Look for the symbols; members of what is missing are NULL. */
void qemu_find(struct qemu *q);

/* What is missing for each: a sentence without the full stop, or NULL.  Of the clock once the machine runs. */
const char *qemu_lacks_clock(const struct qemu *q);
const char *qemu_lacks_memory(const struct qemu *q);
const char *qemu_lacks_ring(const struct qemu *q);

/* Virtual time after so many instructions, ns.  In a callback of an execution. */
static inline uint64_t qemu_time(const struct qemu *q, uint64_t executed)
{
    return (executed << *q->shift) + (uint64_t)*q->bias;
}

/* The ring (CPL) of the processor, -1: not known.  In a callback of a translation too: a block has one ring. */
int qemu_ring(const struct qemu *q);

/* Read the guest's memory at a virtual address; false where nothing is mapped.  In a callback of an access. */
bool qemu_read(const struct qemu *q, uint64_t address, void *to, size_t bytes);
