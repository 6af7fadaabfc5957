/* SPDX-License-Identifier: MIT */
/* A guest's table of entry stubs, one a vector, from vector 0 on: the address of an entry tells its vector. */
#pragma once

#include <stdint.h>

#include "tools/hwmon/names.h"

struct stubs {
    uint64_t first;
    uint64_t bytes; /* of a stub; 0: there is no table */
};

/* ADDRESS:BYTES.  NULL, or what is wrong with it. */
const char *stubs_set(struct stubs *s, const struct names *names, const char *text);

/* The vector of the stub that begins at this address, plus 1; 0: none does. */
unsigned stubs_vector(const struct stubs *s, uint64_t address);
