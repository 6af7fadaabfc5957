/* SPDX-License-Identifier: MIT */
/*
 * The keyboard, where there is a screen and no line: what is typed comes as if the line had received it.  The system
 * clock looks for it, a hundred times a second, for a keyboard that firmware emulates need not interrupt.
 */
#pragma once

#include <stdbool.h>

/* Set it up, and have it looked for; false where there is none.  Once, after timer_calibrate(); interrupts off. */
bool keyboard_start(void);
