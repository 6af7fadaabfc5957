/* SPDX-License-Identifier: MIT */
/*
 * Declares the logic analyser: a ring of executed addresses, which stops some time after a trigger.  It records
 * blocks; the instructions follow from how many were executed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/hwmon/block.h"
#include "tools/hwmon/names.h"

enum trigger { TRIGGER_NONE, TRIGGER_AT, TRIGGER_STORE, TRIGGER_PORT };

struct analyser_entry {
    const struct block *block;
    uint64_t executed; /* instructions before it */
};

struct analyser {
    enum trigger trigger;
    uint64_t address;        /* of TRIGGER_AT and TRIGGER_STORE */
    int port;                /* of TRIGGER_PORT, -1: any */
    uint64_t nth;            /* it is the n-th time that counts, from 1 */
    uint64_t before, after;  /* instructions to be kept */
    uint64_t times;          /* how often the trigger's condition held */
    uint64_t triggered;      /* instructions executed by then; 0: not yet */
    struct analyser_entry *ring;
    size_t size;             /* entries in it */
    uint64_t put;            /* entries since the start */
    bool stopped;
};

/* `trigger`: at:ADDRESS, store:ADDRESS, port, port:NUMBER, or NULL.  False: it is none of these. */
bool analyser_begin(struct analyser *a, const struct names *names, const char *trigger);

/*
 * Whether an instruction is IN or OUT of the trigger's port: a port in DX is not known, and is none but for `port`.
 */
bool analyser_is_port(const struct analyser *a, const struct insn *i);

/* A block begins. */
void analyser_block(struct analyser *a, const struct block *b, uint64_t executed);

/* The trigger's condition holds. */
void analyser_hit(struct analyser *a, uint64_t executed);

/* Write a line for each instruction kept: its number from the trigger, address, ring, code, name. */
void analyser_report(FILE *file, const struct analyser *a, const struct names *names, uint64_t executed);
