/* SPDX-License-Identifier: MIT */
/*
 * The table as text on the serial line.  Floating point: task PROBE only, whose
 * registers sched_switch keeps.
 */
#include "kernel/display.h"

#include "kernel/beside.h"
#include "kernel/options.h"
#include "kernel/sentence.h"
#include "kernel/serial.h"
#include "kernel/text.h"
#include "kernel/tick.h"
#include "probe/alias.h"
#include "probe/estimator.h"
#include "probe/table.h"

static void put(const char *text)
{
    serial_write_patiently((const uint8_t *)text, (uint32_t)text_length(text));
}

void display_line(void *context, const char *text)
{
    (void)context;
    put(text);
    put("\r\n");
}

static struct table_options options_of(const struct lane *lane, const struct snapshot *s)
{
    return (struct table_options){
        .estimator = estimator_of_run(lane->words, lane->facts->mean, lane->minimum),
        .excess_per_tick = (lane->facts->mean >> 16) * lane->facts->clock_65536 >> 16,
        .clock_hz = display_facts.calibration.rate.clock_hz,
        .stub = display_facts.calibration.stub,
        .unmasked = words_unmasked(lane->words),
        .exact = s->exact,
    };
}

static void put_table(const struct lane *lane, struct snapshot *s, void (*line)(void *context, const char *text))
{
    const struct table_options o = options_of(lane, s);

    table_sort(s);
    table_print(s, &o, line, 0);
}

void display_table(struct snapshot *s, void (*line)(void *context, const char *text))
{
    const struct lane lane = lane_at(0);

    put_table(&lane, s, line);
}

static void put_lane(const struct lane *lane, struct snapshot *s, void (*line)(void *context, const char *text))
{
    if (lane->probe->monitors & PROBE_SYSTEM || lane->probe->monitors == 0)
        put_table(lane, s, line);
    for (uint32_t i = 0; i < s->regions; i++) {
        line(0, "");
        display_histogram(s, i, &(struct display_view){ .min = 0 }, line);
    }
}

static void put_alias(const struct snapshot *s, void (*line)(void *context, const char *text))
{
    struct table_options o[LANES];
    struct alias_side side[LANES];
    struct alias alias;

    for (unsigned i = 0; i < LANES; i++) {
        const struct lane lane = lane_at(i);

        o[i] = options_of(&lane, &s[i]);
        side[i] = (struct alias_side){ lane.source->name, &s[i], &o[i] };
    }
    alias_compare(&alias, side);
    alias_print(&alias, side, line, 0);
}

void display_text(struct snapshot *s, void (*line)(void *context, const char *text))
{
    for (unsigned i = 0; i < lanes(); i++) {
        const struct lane lane = lane_at(i);

        if (i != 0)
            line(0, "");
        if (lanes() > 1)
            line(0, sentence("tick=", lane.source->name, ": ", lane.source->what));
        put_lane(&lane, &s[i], line);
    }
    if (lanes() > 1) {
        line(0, "");
        put_alias(s, line);
    }
}
