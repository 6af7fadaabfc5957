/* SPDX-License-Identifier: MIT */
/* The machine-check architecture: the errors that the hardware itself reports.  Intel SDM 3B, chapter 16. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Clear "machine check in progress": where firmware left that bit set, the next machine check
 * would shut the processor down without a message.  The banks stay as firmware has enabled
 * them: it knows the errata of its chip.  Once, after CPUID was read.
 */
void machine_check_init(void);

struct machine_check {
    uint64_t status, address, misc; /* as the bank has them; address and misc 0 where it has none */
};

#define MACHINE_CHECK_BANKS 32u /* at most */

/* Read a bank; false where it holds no error, or does not exist.  CPL 0. */
bool machine_check_read(uint32_t bank, struct machine_check *to);
