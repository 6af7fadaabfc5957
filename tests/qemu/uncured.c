/* SPDX-License-Identifier: MIT */
/* Keeps what the files of build/uncured.elf count together, and makes their clocks wrong (tests/qemu/uncured.h). */
#include <stdint.h>

#include "kernel/measure/yardstick.h"
#include "kernel/source/one_shot_tick.h"
#include "kernel/source/source_pit.h"

#define ERRORS 8u /* a one-shot may be so long that its clock is off by an eighth of what makes a tick late */
#define NOISY_FAST 64u      /* a part by which the TSC seems to be faster */
#define NOISY_COUNTS 47727u /* 40 ms */

uint32_t uncured_pit_writes, uncured_hpet_arms, uncured_lapic_arms, uncured_rtc_arms, uncured_com2_bytes;
uint8_t uncured_rtc_register;

static uint64_t wrong(uint64_t rate, uint64_t error)
{
    return rate + uncured_number('s') * error - uncured_number('t') * error;
}

/* The declared error of a rate whose one-shots may be so long: an eighth of `slack` over `longest`. */
static uint64_t error_of(uint64_t rate, uint64_t slack, uint64_t longest)
{
    return rate * slack / (ERRORS * longest);
}

#undef source_pit_set_clock
void source_pit_set_clock(const struct source_pit_clock *c);

void source_pit_set_clock(const struct source_pit_clock *c)
{
    struct source_pit_clock other = *c;

    other.per_65536 = wrong(c->per_65536, error_of(c->per_65536, c->late, c->longest));
    if (uncured_number('q') != 0) {
        other.per_65536 += c->per_65536 / NOISY_FAST;
        other.behind = NOISY_COUNTS;
        other.late = NOISY_COUNTS * c->per_65536 >> 16;
    }
    uncured_true_clock(&other);
}

#undef one_shot_tick_set_rate
bool one_shot_tick_set_rate(const struct one_shot_tick *t, struct source_facts *f, uint32_t rate, uint64_t most,
                            struct refusal *why);

bool uncured_wrong_rate(const struct one_shot_tick *t, struct source_facts *f, uint32_t rate, uint64_t most,
                        struct refusal *why)
{
    struct one_shot_tick *const own = (struct one_shot_tick *)(uintptr_t)t;
    const uint64_t error = t->longest != 0 ? error_of(t->factor, t->slack, t->longest) /* the HPET knows it later: */
                                           : t->factor * yardstick_error_ppm(YARDSTICK_HPET) / 1000000;
    static uint64_t factor;

    factor = factor != 0 ? factor : wrong(t->factor, error);
    own->factor = factor;
    one_shot_tick_set_factor(own);
    return one_shot_tick_set_rate(t, f, rate, most, why);
}
