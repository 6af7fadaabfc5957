/* SPDX-License-Identifier: MIT */
/* The names of the processor's exceptions.  Intel SDM 3A, table 6-1. */
#pragma once

#include <stdint.h>

/* The cause in words, e.g. "page fault"; never NULL.  Any context. */
const char *exception_name(uint32_t vector);
