/* SPDX-License-Identifier: MIT */
/* Execution counts of blocks and routines, and the routines that never ran. */
#pragma once

#include <stdio.h>

#include "tools/hwmon/block.h"
#include "tools/hwmon/names.h"

/*
 * Write, a line each:
 *
 *   block ADDRESS RING INSTRUCTIONS TIMES NAME    a block that was translated
 *   routine NAME ENTRIES INSTRUCTIONS             executed, by its name
 *   never NAME LOW HIGH                           no instruction of it was executed
 */
void block_report(FILE *file, const struct block_table *t, const struct names *n);
