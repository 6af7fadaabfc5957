/* SPDX-License-Identifier: MIT */
/* The table of the tick sources: tick=auto chooses the first that works. */
#include "kernel/source/source.h"

#include "kernel/lib/string.h"

#define HANDLER_SHARE 2u /* a handler may take half of the time between two ticks */

static const struct source *const sources[] = {
    &source_pit, &source_lapic, &source_rtc, &source_pit_periodic, &source_clock,
    &source_slu, &source_slu_timeout,
};

/* Those that can come as NMI. */
static const struct source *const nmi_sources[] = {
    &source_pit_nmi, &source_slu, &source_slu_timeout,
};

#define SOURCES     (sizeof sources / sizeof sources[0])
#define NMI_SOURCES (sizeof nmi_sources / sizeof nmi_sources[0])

const struct source *source_at(unsigned index)
{
    return index < SOURCES ? sources[index] : 0;
}

const struct source *source_nmi_at(unsigned index)
{
    return index < NMI_SOURCES ? nmi_sources[index] : 0;
}

const struct source *source_named(const char *name)
{
    for (unsigned i = 0; i < SOURCES; i++)
        if (string_equal(sources[i]->name, name))
            return sources[i];
    return 0;
}

bool source_check_load(const struct source_facts *f, const struct source_request *r, const char *cure, struct refusal *why)
{
    const uint64_t period = source_period(f);

    if (r->handler <= period / HANDLER_SHARE)
        return true;
    return REFUSE_WITH(why, "the handler of a tick takes %1 of the time between two: ask for %2",
                       REFUSAL_MILLI(r->handler * 1000 / period), REFUSAL_STRING(cure));
}
