/* SPDX-License-Identifier: MIT */
/* Names of Linux's system calls, also of those that are not there: for messages. */
#pragma once

#include <stdint.h>

/* "" where no call of Linux 6.1 has this number.  Any context. */
const char *linux_call_name(uint64_t number);
