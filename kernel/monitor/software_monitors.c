/* SPDX-License-Identifier: MIT */
/* The table of the software monitors, what windows call of them, and their reports. */
#include "kernel/monitor/software_monitors.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/window.h"
#include "probe/stats/monitor_print.h"

static const struct software_monitor *const monitors[] = {
#define ENTRY(NAME, name, accounted) &monitor_##name,
    CONFIG_MONITORS(MONITOR_NONE, MONITOR_NONE, ENTRY) &monitor_user_stacks,
#undef ENTRY
};

#define MONITORS (sizeof monitors / sizeof monitors[0])

static uint64_t on; /* words of those that count; interrupts off, as the next, which end with NULL */
static void (*watchers[MONITORS + 1])(const struct sample *s, enum delay delay);

static void watch(const struct sample *s, enum delay delay)
{
    for (unsigned i = 0; watchers[i] != 0; i++)
        watchers[i](s, delay);
}

static void list_watchers(uint64_t wanted)
{
    unsigned n = 0;

    for (unsigned i = 0; i < MONITORS; i++)
        if (wanted & monitors[i]->word && monitors[i]->sample != 0)
            watchers[n++] = monitors[i]->sample;
    watchers[n] = 0;
}

static void begin(uint64_t now)
{
    const uint64_t wanted = config_monitors(run_config());

    for (unsigned i = 0; i < MONITORS; i++)
        if (monitors[i]->any_window != 0)
            monitors[i]->any_window(now);
    for (unsigned i = 0; i < MONITORS; i++) {
        if (on & monitors[i]->word && monitors[i]->end != 0)
            monitors[i]->end();
        if (wanted & monitors[i]->word)
            monitors[i]->begin(now);
    }
    list_watchers(wanted);
    on = wanted;
}

static void close(uint64_t now)
{
    for (unsigned i = 0; i < MONITORS; i++)
        if (on & monitors[i]->word)
            monitors[i]->close(now);
}

static void put_frames(const struct software_monitor *m, const struct monitor_turn *t)
{
    if (m->put_frames != 0)
        m->put_frames(t);
    else
        frame_tx_record(m->type, m->head, t->serial, m->rows);
}

static void put_lines(const struct software_monitor *m, monitor_line *line)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    if (m->put_lines != 0)
        m->put_lines(line);
    else if (record_line_print(&b, m->type, 0, m->head, tick_facts.calibration.rate.clock_hz))
        line(0, text);
}

void software_monitors_report(struct monitor_turn turn, monitor_line *line)
{
    turn.counting = on;
    for (unsigned i = 0; i < MONITORS; i++) {
        if (!(on & monitors[i]->word))
            continue;
        if (run_in_frames())
            put_frames(monitors[i], &turn);
        else
            put_lines(monitors[i], line);
    }
}

void software_monitors_take_samples(void)
{
    probe.watch = watch;
}

void software_monitors_init(void)
{
    static const struct window_watch windows = { .begin = begin, .close = close };

    window_watch_by(&windows);
}

void software_monitors_settle(void)
{
    if (!config_via_nmi(run_config()))
        return;
    irq_disable();
    close(rdtsc());
    irq_enable();
}
