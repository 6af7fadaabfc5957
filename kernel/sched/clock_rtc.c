/* SPDX-License-Identifier: MIT */
/*
 * The system clock by the real-time clock at 128 Hz, where there is no local APIC or
 * where its timer is a tick source.  Sleeps end at ticks.
 */
#include "drivers/pic.h"
#include "drivers/rtc.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/period_meter.h"
#include "probe/config/config.h"

#define LOOK_HZ 1024u /* the rate of the measurement: the same crystal, divided less */

static struct period_meter beat; /* calibrate() and the handler */

static void start(void)
{
    rtc_start_periodic(CLOCK_RTC_HZ);
}

/* Whatever firmware did to the index: 128 times a second four port accesses cost nothing that matters. */
static bool acknowledge(uint64_t now)
{
    if (rtc_acknowledge_anywhere())
        period_meter_note(&beat, now);
    pic_eoi(RTC_IRQ);
    return beat.open;
}

static bool calibrate(const struct timer_rate *rate, uint64_t *period, struct refusal *why)
{
    const struct period_request asked = {
        "the RTC's interrupt (IRQ 8)", *period / (LOOK_HZ / CLOCK_RTC_HZ), rate->clock_hz,
    };
    bool works;

    rtc_start_periodic(LOOK_HZ);
    pic_unmask(RTC_IRQ);
    works = period_meter_measure(&beat, &asked, why);
    rtc_stop();
    if (works)
        *period = period_meter_mean(&beat) * (LOOK_HZ / CLOCK_RTC_HZ);
    return works;
}

const struct clock clock_rtc = {
    .vector = PIC_SLAVE_VECTOR, .hz = CLOCK_RTC_HZ,
    .name = "the RTC", .calibrate = calibrate, .start = start, .stop = rtc_stop, .acknowledge = acknowledge,
};
