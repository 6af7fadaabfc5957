/* SPDX-License-Identifier: MIT */
/* Whether configuration words make sense together: one timer has one owner, and what is looked at is there. */
#include "probe/config/config.h"

#include "probe/core/schedule.h"
#include "probe/text/text_span.h"

static uint32_t clock_rate(const struct config *w)
{
    return w->clock == CLOCK_RTC ? CLOCK_RTC_HZ : (uint32_t)w->clock;
}

/* One timer has one owner: the words of a source and of the system clock. */
static void agree_timer(const struct config *w, uint64_t tick, struct text_buf *out)
{
    if (tick == TICK_LAPIC && w->clock != CLOCK_RTC) {
        buf_text(out, "tick=lapic takes the timer that the system clock has: it needs clock=rtc");
    } else if (tick == TICK_RTC && w->clock == CLOCK_RTC) {
        buf_text(out, "tick=rtc and clock=rtc both want the one RTC");
    } else if (tick == TICK_CLOCK && w->second_tick == TICK_AUTO && config_given(w, "rate") && w->rate != clock_rate(w)) {
        buf_text(out, "tick=clock ticks as the system clock does, at ");
        buf_number(out, clock_rate(w));
        buf_text(out, " Hz: rate=");
        buf_number(out, w->rate);
        buf_text(out, " is another");
    }
}

/* Sources that are one device have the same number. */
static unsigned device_of(uint64_t tick)
{
    return tick == TICK_PIT_PERIODIC ? TICK_PIT : tick == TICK_SLU_TIMEOUT ? TICK_SLU : (unsigned)tick;
}

/* Two sources side by side: each has a device, and each a handler that can wait for the other's. */
static void agree_sources(const struct config *w, struct text_buf *out)
{
    if (w->second_tick == TICK_NONE)
        buf_text(out, "tick= has a source beside none");
    else if (device_of(w->tick) == device_of(w->second_tick))
        buf_text(out, "tick= has two sources that are one device");
    else if (w->delivery == DELIVERY_NMI)
        buf_text(out, "delivery=nmi is for one source alone, for an NMI waits for no other handler");
    else if (w->monitor & MONITOR_SAMPLES)
        buf_text(out, "monitor=samples tells the ticks of one source alone");
    else if (w->account == CONFIG_ACCOUNT_LOG)
        buf_text(out, "account=log is for one source alone");
    else
        agree_timer(w, w->second_tick, out);
}

/* What precision= looks at must be there: totals, and intervals on them. */
static void agree_precision(const struct config *w, struct text_buf *out)
{
    if (w->tick == TICK_NONE || !(w->monitor & MONITOR_SYSTEM)) {
        buf_text(out, "precision= looks at the totals of monitor=system, and there are none");
    } else if (policy_named(config_value_name(w, "interval"))->pairing == PAIR_NEVER) {
        buf_text(out, "precision= needs an interval, and interval=");
        buf_text(out, config_value_name(w, "interval"));
        buf_text(out, " gives none");
    }
}

static bool comes_as_nmi(uint64_t tick)
{
    return tick == TICK_AUTO || tick == TICK_PIT || tick == TICK_SLU || tick == TICK_SLU_TIMEOUT;
}

bool config_check(const struct config *w, char *sentence)
{
    struct text_buf out = {.text = sentence, .size = CONFIG_MESSAGE};
    const bool wanted = w->monitor & MONITOR_REGION;

    sentence[0] = '\0';
    if (wanted && w->regions == 0)
        buf_text(&out, "monitor= has region, and no region= says which");
    else if (!wanted && w->regions != 0)
        buf_text(&out, "region= is given, and monitor= has no region");
    else if (w->monitor & MONITOR_SAMPLES && w->output == OUTPUT_TEXT)
        buf_text(&out, "monitor= has samples, which need output=frames");
    else if (w->account == CONFIG_ACCOUNT_LOG && w->output == OUTPUT_TEXT)
        buf_text(&out, "account=log needs output=frames");
    else if (w->account == CONFIG_ACCOUNT_LOG && w->delivery == DELIVERY_NMI)
        buf_text(&out, "account=log needs delivery=irq: an NMI changes no cell, so that no tick is in the log");
    else if (w->sched == SCHED_DECAY && (w->tick == TICK_NONE || !(w->monitor & MONITOR_SYSTEM)))
        buf_text(&out, "sched=decay charges by the samples of monitor=system, and there are none");
    else if (w->delivery == DELIVERY_NMI && !comes_as_nmi(w->tick))
        buf_text(&out, "delivery=nmi is for tick=pit, slu or slu-timeout");
    else
        agree_timer(w, w->tick, &out);
    if (!*sentence && w->second_tick != TICK_AUTO)
        agree_sources(w, &out);
    if (!*sentence && w->windows > 1 &&
        ((w->tick != TICK_AUTO && w->tick != TICK_PIT) || w->second_tick != TICK_AUTO || config_via_nmi(w)))
        buf_text(&out, "windows= is for tick=pit delivery=irq");
    if (!*sentence && w->precision != 0)
        agree_precision(w, &out);
    return !*sentence;
}

bool config_via_nmi(const struct config *w)
{
    return w->delivery == DELIVERY_NMI;
}
