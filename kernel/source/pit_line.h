/* SPDX-License-Identifier: MIT */
/*
 * The interrupt line of the PIT's counter 0, where its ticks are no NMIs: through the 8259, which brings IRQ 0 before
 * all other lines.  Where the chip ends its interrupts itself (AEOI) the tick needs no command, which on a board is a
 * port access of 0.5 to 1.5 us.  Intel 8259A data sheet, 231468, "Automatic end of interrupt".
 */
#pragma once

#include <stdbool.h>

#include "drivers/pic.h"

#define PIT_IRQ    0u
#define PIT_PROOFS 8u /* one-shots that must all arrive */

/*
 * Try which end of interrupt the 8259 takes: automatic if as many shots as PIT_PROOFS arrive one after the other,
 * else by command.  `arrives` fires one shot, waits for it within bounds, and says whether it came.  False if IRQ 0
 * does not arrive either way.  The line is open afterwards.  Once, at the start, before another line of the 8259 is
 * open; interrupts off.
 */
bool pit_line_choose(bool (*arrives)(void));

/*
 * Open the line, before its one-shot is armed, or close it: a request that is pending then is let in, and its handler
 * must ignore it.  Interrupts off; both let pending ones in.
 */
void pit_line_open(void);
void pit_line_close(void);

/* How its interrupt ends and why, for the machine report.  Any context. */
const char *pit_line_way(void);
