/* SPDX-License-Identifier: MIT */
/*
 * Declares rates of a serial line that have no name in termios(3): Linux takes any number of bits per second
 * (ioctl_tty(2), TCSETS2 with BOTHER).  The header that has it cannot stand beside <termios.h>.
 */
#pragma once

#include <stdbool.h>

#define LINE_RATE_LEAST 50
#define LINE_RATE_MOST  16000000

/* The rate at which an open line sends, bits per second; 0: it has none, or is no line. */
unsigned long line_rate(int line);

/*
 * Set the rate of an open line, both ways.  False, with errno set, if it cannot be set or is not
 * within 2.5 % of what was asked, which is where a frame of ten bits begins to fail.
 */
bool line_rate_set(int line, unsigned long baud);
