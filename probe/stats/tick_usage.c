/* SPDX-License-Identifier: MIT */
/* Tick counters as they are told, and load averages. */
#include "probe/stats/tick_usage.h"

#include <stddef.h>

#define SECOND_NS 1000000000u
#define UNIT_NS   (SECOND_NS / TICK_USAGE_HZ)

#define MEMBER(name) (offsetof(struct wire_procstat, name) / sizeof(uint64_t))

_Static_assert(MEMBER(user) + TICK_IRQ == MEMBER(irq) && MEMBER(user) + TICK_IDLE == MEMBER(idle),
               "fields are in the order of modes");
_Static_assert(MEMBER(load1) + LOAD_AVERAGES - 1 == MEMBER(load15), "averages are in their order");

const uint64_t *tick_usage_of(const struct wire_procstat *p)
{
    return (const uint64_t *)p + MEMBER(user);
}

const uint64_t *load_averages_of(const struct wire_procstat *p)
{
    return (const uint64_t *)p + MEMBER(load1);
}

const char *tick_mode_name(enum tick_mode mode)
{
    static const char *const name[TICK_MODES] = {
        [TICK_USER] = "user", [TICK_NICE] = "nice", [TICK_SYSTEM] = "system", [TICK_IDLE] = "idle",
        [TICK_IOWAIT] = "iowait", [TICK_IRQ] = "irq",
    };

    return name[mode];
}

const char *tick_usage_file(unsigned file)
{
    static const char *const name[TICK_USAGE_FILES] = { "/proc/stat", "/proc/loadavg", "/proc/PID/stat" };

    return name[file];
}

/* n / UNIT_NS by bytes: a 32-bit kernel has no 64-bit division. */
static uint64_t units_of(uint64_t n)
{
    uint64_t units = 0;
    uint32_t left = 0;

    for (int shift = 56; shift >= 0; shift -= 8) {
        left = left << 8 | (uint32_t)(n >> shift & 0xff);
        units = units << 8 | left / UNIT_NS;
        left %= UNIT_NS;
    }
    return units;
}

uint64_t tick_usage_told(uint64_t ticks, uint64_t hz)
{
    const uint32_t tick_ns = SECOND_NS / (uint32_t)hz;

    if (tick_ns % UNIT_NS == 0)
        return ticks * (tick_ns / UNIT_NS);
    return units_of(ticks * tick_ns);
}

uint64_t tick_usage_sum(const uint64_t ticks[TICK_MODES])
{
    uint64_t sum = 0;

    for (unsigned mode = 0; mode < TICK_MODES; mode++)
        sum += ticks[mode];
    return sum;
}

uint64_t load_average_next(uint64_t average, uint64_t weight, uint64_t active)
{
    return (average * weight + active * LOAD_ONE * (LOAD_ONE - weight) + LOAD_ONE / 2) / LOAD_ONE;
}

void load_average_print(struct text_buf *b, uint64_t average)
{
    const uint64_t rounded = average + LOAD_ONE / 200, part = rounded % LOAD_ONE * 100 / LOAD_ONE;

    buf_parts(b, DECIMAL(rounded / LOAD_ONE), part < 10 ? ".0" : ".", DECIMAL(part));
}
