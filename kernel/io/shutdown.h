/* SPDX-License-Identifier: MIT */
/* The end of the image, in the way that exit= says. */
#ifndef KERNEL_IO_SHUTDOWN_H
#define KERNEL_IO_SHUTDOWN_H

#include <stdbool.h>

/*
 * Send what is left of the stream; then halt, reset the board, or end the emulator, QEMU
 * with this status.  Any context.
 */
_Noreturn void shutdown(bool success);

#endif
