/* SPDX-License-Identifier: MIT */
/*
 * The keyboard controller of a PC, the 8042, or what firmware emulates at its ports.  IBM PS/2 Hardware Interface
 * Technical Reference, "Keyboard and Auxiliary Device Controller".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Have the keyboard send scan codes of set 1 and no interrupt, and the mouse nothing; false where there is no
 * controller, or one that takes no command.  Each wait is bounded, and all together are.  Interrupts off.
 */
bool i8042_init(void);

/* The next scan code; false where none waits.  Any context, one at a time. */
bool i8042_read(uint8_t *code);
