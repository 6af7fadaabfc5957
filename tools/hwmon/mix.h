/* SPDX-License-Identifier: MIT */
/* Counts the mix of instructions: the static one, each instruction once, against the executed one. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/hwmon/block.h"

#define MNEMONIC_BYTES 24

struct mnemonic {
    char text[MNEMONIC_BYTES];
    uint64_t seen, executed; /* filled by mix_report() */
};

struct mix {
    struct mnemonic *mnemonic;
    size_t count;
};

/* The number of the mnemonic of a disassembled instruction ("rep stosb %al, (%rdi)": rep stosb). */
uint16_t mix_number(struct mix *m, const char *disassembled);

/*
 * Write a line for each mnemonic, the most executed first: mnemonic, instructions translated and
 * their percent, instructions executed and their percent.
 */
void mix_report(FILE *file, struct mix *m, const struct block_table *t);
