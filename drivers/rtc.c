/* SPDX-License-Identifier: MIT */
/* The periodic interrupt of the real-time clock.  Motorola MC146818A data sheet. */
#include "drivers/rtc.h"

#define REG_A         0x0a
#define REG_B         0x0b
#define A_CRYSTAL     (2u << 4) /* the divider runs from 32.768 kHz */
#define REG_D         0x0d
#define A_UPDATING    (1u << 7)
#define A_SELECT      0x0f      /* period: 2^(n - 1) clocks of the crystal */
#define D_VALID       (1u << 7) /* the other bits of register D are always 0 */
#define B_PERIODIC    (1u << 6)
#define B_INTERRUPTS  (7u << 4) /* periodic, alarm, update ended */

static uint8_t reg_read(uint8_t reg)
{
    uint8_t value;

    outb(RTC_INDEX, reg);
    value = inb(RTC_DATA);
    outb(RTC_INDEX, RTC_REG_C); /* where rtc_acknowledge() expects it */
    return value;
}

static void reg_write(uint8_t reg, uint8_t value)
{
    outb(RTC_INDEX, reg);
    outb(RTC_DATA, value);
    outb(RTC_INDEX, RTC_REG_C);
}

void rtc_start_periodic(uint32_t hz)
{
    uint8_t select = 1;

    while (select < A_SELECT && RTC_HZ_BASE >> (select - 1) > hz)
        select++;
    rtc_stop();
    reg_write(REG_A, (uint8_t)(A_CRYSTAL | select));
    reg_write(REG_B, (uint8_t)(reg_read(REG_B) | B_PERIODIC));
}

void rtc_stop(void)
{
    reg_write(REG_B, (uint8_t)(reg_read(REG_B) & ~B_INTERRUPTS));
    rtc_acknowledge_anywhere();
}

bool rtc_acknowledge_anywhere(void)
{
    bool periodic = false;
    uint8_t flags = RTC_C_REQUEST;

    for (unsigned i = 0; i < RTC_READINGS && flags & RTC_C_REQUEST; i++) {
        outb(RTC_INDEX, RTC_REG_C);
        flags = inb(RTC_DATA);
        periodic = periodic || flags & RTC_C_PERIODIC;
    }
    return periodic;
}

bool rtc_answers(void)
{
    return reg_read(REG_A) != 0xff && (reg_read(REG_D) & ~D_VALID) == 0;
}

bool rtc_has_power(void)
{
    return reg_read(REG_D) & D_VALID;
}

bool rtc_is_updating(void)
{
    return reg_read(REG_A) & A_UPDATING;
}
