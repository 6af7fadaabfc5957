/* SPDX-License-Identifier: MIT */
/* The choice of the system clock. */
#include "kernel/measure/reference.h"
#include "kernel/tick/clock_choice.h"

#include "drivers/lapic.h"
#include "kernel/io/log.h"
#include "kernel/io/shutdown.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/timer.h"
#include "kernel/source/source_hpet.h"
#include "probe/config/config.h"

#define ALARM_MS 41u /* as that of the 8254 */

/* The whole configuration must agree with the RTC as system clock. */
static void take_rtc(const char *reason)
{
    struct config c = *run_config();
    struct refusal why;

    if (config_given(&c, CONFIG_CLOCK))
        fatal("clock=", DECIMAL(c.clock), ": ", reason, ": clock=rtc does without");
    c.clock = CLOCK_RTC;
    run_state_set_config(&c);
    log_line(LOG_NOTE, reason, ": clock=rtc");
    if (!config_check(&c, &why))
        fatal_refusal(&why);
}

static void hpet_alarm(void)
{
    source_hpet_alarm(ALARM_MS);
}

/* What ends a HLT in which the timer stops: the 8254, unless another stands for it. */
static void choose_alarm(void)
{
    if (reference_tick() == TICK_HPET)
        clock_lapic_alarm_by(hpet_alarm, source_hpet_alarm_off);
}

static bool try_lapic(const struct calibration *c, struct refusal *why)
{
    const uint32_t hz = (uint32_t)run_config()->clock;
    char text[REFUSAL_TEXT];

    choose_alarm();
    timer_choose(&clock_deadline, hz);
    if (timer_calibrate(&c->rate, why))
        return true;
    if (lapic_has_deadline())
        log_line(LOG_NOTE, "the system clock: ", refusal_text(why, text), ": it is used by its counter");
    timer_choose(&clock_lapic, hz);
    return timer_calibrate(&c->rate, why);
}

static void use_rtc(const struct calibration *c)
{
    struct refusal why;

    timer_choose(&clock_rtc, 0);
    if (!timer_calibrate(&c->rate, &why))
        fatal("the system clock: ", refusal_text(&why, (char[REFUSAL_TEXT]){ 0 }));
    log_line(LOG_NOTE, "the system clock is the RTC at ", DECIMAL(timer_hz()),
             " Hz: sleeps are rounded up to its ticks");
}

void clock_choose(const struct calibration *c)
{
    char text[REFUSAL_TEXT];
    struct refusal why;

    if (run_config()->clock != CLOCK_RTC && !lapic_in_use())
        take_rtc("this CPU has no local APIC");
    if (run_config()->clock != CLOCK_RTC && reference_tick() == TICK_LAPIC)
        take_rtc("the local APIC's timer is the only one that can tick");
    if (run_config()->clock != CLOCK_RTC) {
        if (try_lapic(c, &why))
            return;
        if (config_given(run_config(), CONFIG_CLOCK))
            fatal("the system clock: ", refusal_text(&why, text));
        take_rtc(refusal_text(&why, text));
    }
    use_rtc(c);
}
