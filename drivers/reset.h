/* SPDX-License-Identifier: MIT */
/* Ending the image: the exits of the emulators, and a reset of the board. */
#pragma once

#include <stdbool.h>

/*
 * End QEMU through isa-debug-exit at port 0xf4, with status 33 after success and 35 after failure.
 * Returns where there is no such device.
 */
void reset_exit_qemu(bool success);

/* End Bochs through its port 0x8900; the exit status cannot be chosen.  Returns where there is no such port. */
void reset_exit_bochs(void);

/* Reset the board: chipset port 0xcf9, then the keyboard controller. May return. */
void reset_board(void);
