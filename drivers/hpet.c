/* SPDX-License-Identifier: MIT */
/* The HPET's registers.  IA-PC HPET specification 1.0a, 2.3. */
#include "drivers/hpet.h"

#define CAPABILITIES  0x000
#define PERIOD        0x004 /* of a count, fs */
#define CONFIGURATION 0x010
#define STATUS        0x020
#define ROUTES        0x004 /* these three behind HPET_TIMER() */
#define MESSAGE_DATA  0x010
#define MESSAGE_ADDRESS 0x014

#define CAP_TIMERS(c) (((c) >> 8 & 31) + 1)
#define CAP_REVISION  0xffu
#define PERIOD_MOST   100000000u /* 100 ns, by the specification */
#define PERIOD_LEAST  1000000u   /* 1 ns: no bus is faster */
#define FS_A_SECOND   1000000000000000ull

#define CONFIG_ENABLE (1u << 0)
#define CONFIG_LEGACY (1u << 1)

#define TIMER_LEVEL    (1u << 1)
#define TIMER_ENABLE   (1u << 2)
#define TIMER_PERIODIC (1u << 3)
#define TIMER_32       (1u << 8)
#define TIMER_ROUTE    9
#define TIMER_ROUTES   (31u << TIMER_ROUTE)
#define TIMER_MESSAGE  (1u << 14)
#define TIMER_HAS_MESSAGES (1u << 15)

#define ROOM_FIRST 64u /* counts: 4 us at 14.3 MHz */
#define ROOM_LAST  (1u << 20)

uint64_t hpet_base; /* legends in hpet.h */
uint32_t hpet_due[HPET_TIMERS_MOST];
static uint64_t hz_milli; /* set once, as the next; 0: there is none */
static unsigned timers;
static uint64_t missed;   /* interrupts off */

static uint32_t reg_read(uint32_t reg)
{
    return mmio_read32(hpet_base + reg);
}

static void reg_write(uint32_t reg, uint32_t value)
{
    mmio_write32(hpet_base + reg, value);
}

static void configure(unsigned timer, uint32_t bits)
{
    const uint32_t kept = reg_read(HPET_TIMER(timer)) &
                          ~(TIMER_LEVEL | TIMER_ENABLE | TIMER_PERIODIC | TIMER_ROUTES | TIMER_MESSAGE);

    reg_write(HPET_TIMER(timer), kept | TIMER_32 | bits);
}

bool hpet_init(uint64_t base)
{
    uint32_t capabilities, period, configuration;

    hpet_base = base;
    capabilities = reg_read(CAPABILITIES);
    period = reg_read(PERIOD);
    configuration = reg_read(CONFIGURATION);
    if (capabilities == 0xffffffff || (capabilities & CAP_REVISION) == 0 || period < PERIOD_LEAST ||
        period > PERIOD_MOST)
        return false;
    reg_write(CONFIGURATION, (configuration & ~CONFIG_LEGACY) | CONFIG_ENABLE);
    timers = CAP_TIMERS(capabilities);
    for (unsigned t = 0; t < timers; t++)
        hpet_stop(t);
    hz_milli = FS_A_SECOND * 1000 / period;
    return true;
}

bool hpet_in_use(void)
{
    return hz_milli != 0;
}

uint64_t hpet_hz_milli(void)
{
    return hz_milli;
}

unsigned hpet_timers(void)
{
    return timers;
}

uint32_t hpet_routes(unsigned timer)
{
    return reg_read(HPET_TIMER(timer) + ROUTES);
}

bool hpet_has_messages(unsigned timer)
{
    return reg_read(HPET_TIMER(timer)) & TIMER_HAS_MESSAGES;
}

void hpet_route(unsigned timer, unsigned gsi)
{
    configure(timer, gsi << TIMER_ROUTE | TIMER_ENABLE);
}

void hpet_route_message(unsigned timer, uint32_t address, uint32_t data)
{
    reg_write(HPET_TIMER(timer) + MESSAGE_DATA, data);
    reg_write(HPET_TIMER(timer) + MESSAGE_ADDRESS, address);
    configure(timer, TIMER_MESSAGE | TIMER_ENABLE);
}

/* A bit of the status that firmware left set keeps a line active that triggers by level. */
void hpet_stop(unsigned timer)
{
    configure(timer, 0);
    reg_write(STATUS, 1u << timer);
}

void hpet_replace_legacy(bool on)
{
    const uint32_t configuration = reg_read(CONFIGURATION) & ~CONFIG_LEGACY;

    reg_write(CONFIGURATION, configuration | (on ? CONFIG_LEGACY : 0));
}

uint64_t hpet_missed(void)
{
    return missed;
}

uint32_t hpet_arm_again(unsigned timer, uint64_t *clock)
{
    int32_t left = 0;

    missed++;
    for (uint32_t room = ROOM_FIRST; room <= ROOM_LAST; room *= 2) {
        hpet_due[timer] = hpet_count() + room;
        reg_write(HPET_TIMER(timer) + HPET_COMPARATOR, hpet_due[timer]);
        left = hpet_left(timer);
        *clock = rdtsc();
        if (left > HPET_GUARD)
            break;
    }
    return left > 0 ? (uint32_t)left : 0;
}
