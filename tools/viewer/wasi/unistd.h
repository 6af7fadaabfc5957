/* SPDX-License-Identifier: MIT */
/* Adds what WASI lacks of POSIX to its own header. */
#pragma once

#include_next <unistd.h>

#define SEEK_HOLE 4 /* no file has one: lseek(2) refuses it */

pid_t getpid(void);
