/* SPDX-License-Identifier: MIT */
/* monitor=idle. */
#include "kernel/monitor/idle_counters.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/source/sampler.h"

static struct idle_window closed; /* written by a tick that closes, or by PROBE */

/*
 * What ticks took so far: exact where the account is kept, else the handler as it was measured at
 * the start, for each tick.  The account's clock stands still while an NMI's handler runs, unless
 * there is no account.
 */
static uint64_t ticks_time(void)
{
    if (account_on && config_via_nmi(run_config()))
        return 0;
    if (account_on)
        return probe_monitor_time(&probe);
    return samplers_handler_time();
}

void idle_counters_use(uint64_t word, bool on)
{
    static uint64_t users; /* words of those that use it; interrupts off */

    users = on ? users | word : users & ~word;
    idle_count(users != 0 ? ticks_time : 0);
}

static void begin(uint64_t now)
{
    closed.begin = now;
    idle_counters_use(MONITOR_IDLE, true);
}

static void end(void)
{
    idle_counters_use(MONITOR_IDLE, false);
}

static void close(uint64_t now)
{
    closed.end = now;
    closed.counters = idle_read(now - account.nmi_time);
}

const struct software_monitor monitor_idle = {
    .word = MONITOR_IDLE, .begin = begin, .end = end, .close = close,
};

const struct idle_window *idle_counters_closed(void)
{
    return &closed;
}
