/* SPDX-License-Identifier: MIT */
/* Checks what is asked of a tick source that repeats one interval. */
#include "kernel/source/source.h"

#define HANDLER_SHARE 2u /* a handler may take half of the time between two ticks */

bool source_check_load(const struct source_facts *f, const struct source_request *r, const char *cure,
                       struct refusal *why)
{
    const uint64_t period = source_period(f);

    if (r->handler <= period / HANDLER_SHARE)
        return true;
    return REFUSE_WITH(why, "the handler of a tick takes %1 of the time between two: ask for %2",
                       REFUSAL_MILLI(r->handler * 1000 / period), REFUSAL_STRING(cure));
}
