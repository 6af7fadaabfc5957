/* SPDX-License-Identifier: MIT */
/* Whether configuration words make sense together: one timer has one owner, and what is looked at is there. */
#include "probe/config/config.h"

static uint32_t clock_rate(const struct config *c)
{
    return c->clock == CLOCK_RTC ? CLOCK_RTC_HZ : (uint32_t)c->clock;
}

/* One timer has one owner: a source or the system clock. */
static bool check_timer(const struct config *c, uint64_t tick, struct refusal *why)
{
    if (tick == TICK_LAPIC && c->clock != CLOCK_RTC)
        return REFUSE(why, "tick=lapic takes the timer that the system clock has: it needs clock=rtc");
    if (tick == TICK_RTC && c->clock == CLOCK_RTC)
        return REFUSE(why, "tick=rtc and clock=rtc both want the one RTC");
    if (tick == TICK_CLOCK && c->second_tick == TICK_AUTO && config_given(c, CONFIG_RATE) && c->rate != clock_rate(c))
        return REFUSE_WITH(why, "tick=clock ticks as the system clock does, at %1 Hz: rate=%2 is another",
                           REFUSAL_NUMBER(clock_rate(c)), REFUSAL_NUMBER(c->rate));
    return true;
}

/* Sources that are one device have the same number. */
static uint64_t device_of(uint64_t tick)
{
    return tick == TICK_PIT_PERIODIC ? TICK_PIT : tick == TICK_SLU_TIMEOUT ? TICK_SLU : tick;
}

static bool check_second_tick(const struct config *c, struct refusal *why)
{
    if (c->second_tick == TICK_NONE)
        return REFUSE(why, "tick= has a source beside none");
    if (device_of(c->tick) == device_of(c->second_tick))
        return REFUSE(why, "tick= has two sources that are one device");
    if (config_via_nmi(c))
        return REFUSE(why, "delivery=nmi is for one source alone, for an NMI waits for no other handler");
    if (c->monitor & MONITOR_SAMPLES)
        return REFUSE(why, "monitor=samples tells the ticks of one source alone");
    if (c->account == CONFIG_ACCOUNT_LOG)
        return REFUSE(why, "account=log is for one source alone");
    return check_timer(c, c->second_tick, why);
}

/* precision= needs totals, and confidence intervals of them. */
static bool check_precision(const struct config *c, struct refusal *why)
{
    const struct policy *const policy = interval_policies[c->interval];

    if (c->tick == TICK_NONE || !(c->monitor & MONITOR_SYSTEM))
        return REFUSE(why, "precision= looks at the totals of monitor=system, and there are none");
    if (policy->pairing == PAIR_NEVER)
        return REFUSE_WITH(why, "precision= needs an interval, and interval=%1 gives none",
                           REFUSAL_STRING(policy->name));
    return true;
}

/* Monitors that count by the account's clock. */
static bool check_accounted(const struct config *c, struct refusal *why)
{
    static const struct {
        uint64_t monitor;
        const char *name;
        bool accounted;
    } monitors[] = {
#define MONITOR(NAME, name, accounted) {MONITOR_##NAME, #name, accounted},
        CONFIG_MONITORS(MONITOR, MONITOR, MONITOR)
    };

    for (size_t i = 0; i < sizeof(monitors) / sizeof(monitors[0]); i++)
        if (monitors[i].accounted && c->monitor & monitors[i].monitor && c->account == CONFIG_ACCOUNT_OFF)
            return REFUSE_WITH(why, "monitor= has %1, which counts by the account's clock: it needs "
                                    "account=on or log", REFUSAL_STRING(monitors[i].name));
    return true;
}

static bool check_monitors(const struct config *c, struct refusal *why)
{
    const bool watched = c->monitor & MONITOR_REGION;

    if (watched && c->regions == 0)
        return REFUSE(why, "monitor= has region, and no region= says which");
    if (!watched && c->regions != 0)
        return REFUSE(why, "region= is given, and monitor= has no region");
    if (c->monitor & MONITOR_SAMPLES && c->output == OUTPUT_TEXT)
        return REFUSE(why, "monitor= has samples, which need output=frames");
    if (c->monitor & MONITOR_ACCT && c->output == OUTPUT_TEXT)
        return REFUSE(why, "monitor= has acct, which needs output=frames");
    if (c->monitor & MONITOR_WATCHED && c->tick == TICK_NONE)
        return REFUSE_WITH(why, "monitor= has %1, which looks at each sample, and tick=none gives none",
                           REFUSAL_STRING(c->monitor & MONITOR_CALLERS ? "callers" : "profil"));
    if (c->stack != 0 && (!(c->monitor & MONITOR_SAMPLES) || c->tick == TICK_NONE))
        return REFUSE(why, "stack= looks for the callers of raw samples: it needs monitor=samples and ticks");
    if (c->stack != 0 && c->second_tick != TICK_AUTO)
        return REFUSE(why, "stack= is for one source alone: a walk would delay the other one's ticks");
    return check_accounted(c, why);
}

/* Events, and states, which follow from them, have the account's times, and no cell changes at an NMI. */
static bool check_traced(const struct config *c, const char *what, struct refusal *why)
{
    if (c->account == CONFIG_ACCOUNT_OFF)
        return REFUSE_WITH(why, "monitor= has %1, whose times are the account's: they need account=on or log",
                           REFUSAL_STRING(what));
    if (config_via_nmi(c))
        return REFUSE_WITH(why, "monitor= has %1, which need delivery=irq: an NMI changes no cell",
                           REFUSAL_STRING(what));
    if (c->second_tick != TICK_AUTO)
        return REFUSE_WITH(why, "monitor= has %1, which are for one source alone", REFUSAL_STRING(what));
    return true;
}

/* A state lasts: it is told by its length. */
static bool check_states(const struct config *c, struct refusal *why)
{
    if (!check_traced(c, "states", why))
        return false;
    if (c->output == OUTPUT_TEXT)
        return REFUSE(why, "monitor= has states, which need output=frames");
    if (c->buffer == BUFFER_COUNT)
        return REFUSE(why, "monitor= has states, which follow from recorded events: buffer=count records none");
    if (c->stamp == STAMP_OFF)
        return REFUSE(why, "monitor= has states, which have lengths: stamp=off leaves none");
    return true;
}

static bool check_events(const struct config *c, struct refusal *why)
{
    if (!check_traced(c, "events", why))
        return false;
    if (c->output == OUTPUT_TEXT && c->buffer != BUFFER_COUNT && c->buffer != BUFFER_OVERWRITE)
        return REFUSE(why, "monitor= has events: output=text shows buffer=count or overwrite, output=frames any");
    return true;
}

/* Rules are about events, about a buffer that is there, and about shares that are sampled. */
static bool check_rules(const struct config *c, struct refusal *why)
{
    const unsigned actions = rule_specs_actions(&c->when), kept = ACTION_FREEZE | ACTION_WRITE;
    bool shares = false;

    if (!(c->monitor & MONITOR_EVENTS))
        return REFUSE(why, "when= is given, and monitor= has no events");
    for (uint32_t i = 0; i < c->when.count; i++)
        shares |= c->when.spec[i].rule.classes == 0;
    if (actions & kept && c->buffer == BUFFER_COUNT)
        return REFUSE(why, "when= freezes or writes the buffer, and buffer=count has none");
    if (actions & ACTION_FREEZE && c->buffer != BUFFER_OVERWRITE)
        return REFUSE(why, "when= has freeze, which is for buffer=overwrite");
    if (shares && (c->tick == TICK_NONE || !(c->monitor & MONITOR_SYSTEM)))
        return REFUSE(why, "when= has a share of monitor=system, and there are none");
    if (shares && interval_policies[c->interval]->pairing == PAIR_NEVER)
        return REFUSE_WITH(why, "when= has a share, whose lower limit interval=%1 does not give",
                           REFUSAL_STRING(interval_policies[c->interval]->name));
    return true;
}

/* The monitor stops the clock; nobody else may count on its ticks. */
static bool check_nohz(const struct config *c, struct refusal *why)
{
    if (!(c->monitor & MONITOR_PROCSTAT))
        return REFUSE(why, "nohz=on is given, and monitor= has no procstat, which stops the clock");
    if (c->clock == CLOCK_RTC)
        return REFUSE(why, "nohz=on needs a system clock that can be stopped: clock=rtc ticks by itself");
    if (c->tick == TICK_CLOCK || c->second_tick == TICK_CLOCK)
        return REFUSE(why, "nohz=on and tick=clock: a sampler whose ticks stop while the processor is idle");
    if (device_of(c->tick) == TICK_SLU || device_of(c->second_tick) == TICK_SLU)
        return REFUSE(why, "nohz=on and tick=slu or slu-timeout: the clock's ticks restart a UART that has lost "
                           "its interrupt");
    if (c->sched != SCHED_RR)
        return REFUSE(why, "nohz=on and sched=decay, which counts the clock's ticks");
    return true;
}

static bool check_log(const struct config *c, struct refusal *why)
{
    if (c->output == OUTPUT_TEXT)
        return REFUSE(why, "account=log needs output=frames");
    if (config_via_nmi(c))
        return REFUSE(why, "account=log needs delivery=irq: an NMI changes no cell, so that no tick is in the log");
    return true;
}

static bool comes_as_nmi(uint64_t tick)
{
    return tick == TICK_AUTO || tick == TICK_PIT || tick == TICK_HPET || tick == TICK_SLU || tick == TICK_SLU_TIMEOUT;
}

bool config_check(const struct config *c, struct refusal *why)
{
    const bool pit_irq = (c->tick == TICK_AUTO || c->tick == TICK_PIT) && c->second_tick == TICK_AUTO &&
                         !config_via_nmi(c);

    if (!config_fits(c))
        return REFUSE_WITH(why, "all words together are longer than %1 characters", REFUSAL_NUMBER(CONFIG_LINE - 2));
    if (!check_monitors(c, why) || (c->account == CONFIG_ACCOUNT_LOG && !check_log(c, why)))
        return false;
    if (c->monitor & MONITOR_EVENTS && !check_events(c, why))
        return false;
    if (c->monitor & MONITOR_STATES && !check_states(c, why))
        return false;
    if (c->nohz == NOHZ_ON && !check_nohz(c, why))
        return false;
    if (c->when.count != 0 && !check_rules(c, why))
        return false;
    if (c->sched != SCHED_RR && (c->tick == TICK_NONE || !(c->monitor & MONITOR_SYSTEM)))
        return REFUSE(why, "sched=decay charges by the samples of monitor=system, and there are none");
    if (config_via_nmi(c) && !comes_as_nmi(c->tick))
        return REFUSE(why, "delivery=nmi is for tick=pit, hpet, slu or slu-timeout");
    if (!check_timer(c, c->tick, why) || (c->second_tick != TICK_AUTO && !check_second_tick(c, why)))
        return false;
    if (c->windows > 1 && !pit_irq)
        return REFUSE(why, "windows= is for tick=pit delivery=irq");
    return c->precision == 0 || check_precision(c, why);
}
