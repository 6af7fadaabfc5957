/* SPDX-License-Identifier: MIT */
/* A guest's table of entry stubs. */
#include "tools/hwmon/stubs.h"

#include <stdlib.h>
#include <string.h>

#define VECTORS 256u
#define MOST    4096u /* bytes of a stub */

const char *stubs_set(struct stubs *s, const struct names *names, const char *text)
{
    const char *const colon = strrchr(text, ':');
    char address[256] = "", *end;

    if (colon == NULL || (size_t)(colon - text) >= sizeof address)
        return "it is not ADDRESS:BYTES";
    memcpy(address, text, (size_t)(colon - text));
    s->bytes = strtoull(colon + 1, &end, 0);
    if (*end != '\0' || s->bytes == 0 || s->bytes > MOST)
        return "a stub has 1 to 4096 bytes";
    return names_address(names, address, &s->first) ? NULL : "no file has this name, and it is no address";
}

unsigned stubs_vector(const struct stubs *s, uint64_t address)
{
    const uint64_t at = address - s->first;

    return s->bytes != 0 && at % s->bytes == 0 && at / s->bytes < VECTORS ? (unsigned)(at / s->bytes) + 1 : 0;
}
