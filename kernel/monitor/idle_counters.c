/* SPDX-License-Identifier: MIT */
/* monitor=idle: the counters CNT1 and CNT2 of Thurner's Figure 5, by windows. */
#include "kernel/monitor/software_monitors.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/idle.h"
#include "kernel/source/sampler.h"
#include "probe/stats/monitor_print.h"

static struct wire_idle closed; /* written by a tick that closes, or by PROBE */

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
    closed.begin = now - run_state->start;
    idle_counters_use(MONITOR_IDLE, true);
}

static void end(void)
{
    idle_counters_use(MONITOR_IDLE, false);
}

static void close(uint64_t now)
{
    const struct idle_counters c = idle_read(now - account.nmi_time);

    closed.end = now - run_state->start;
    closed.idle = c.time;
    closed.io = c.io;
    closed.halts = c.halts;
}

static void put_lines(monitor_line *line)
{
    const struct idle_load l = idle_between(0, &closed);
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    idle_load_print(&b, &l, tick_facts.calibration.rate.clock_hz, tick_facts.calibration.empty_interrupt);
    line(0, text);
}

const struct software_monitor monitor_idle = {
    .word = MONITOR_IDLE, .begin = begin, .end = end, .close = close, .type = WIRE_IDLE, .head = &closed,
    .put_lines = put_lines,
};
