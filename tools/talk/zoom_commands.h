/* SPDX-License-Identifier: MIT */
/*
 * Makes the commands by which a host has an image count hits in a range of addresses, and put back what it
 * counted before.
 */
#pragma once

#include <stdint.h>

#include "probe/command/rx_demux.h"
#include "probe/core/mode.h"

/* All addresses that code of this mode can have, [*low, *high). */
void zoom_addresses(enum mode mode, uint64_t *low, uint64_t *high);

/* Watch this range of a task, "*" for all, and nothing else. */
void zoom_watch_command(char line[COMMAND_LINE], const char *task, enum mode mode, uint64_t low, uint64_t high);

/* Restore the monitors of a run with these words; a region that does not fit into a command is left out. */
void zoom_restore_command(char line[COMMAND_LINE], const char *words);
