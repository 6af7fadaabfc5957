/* SPDX-License-Identifier: MIT */
/*
 * The table as text on the serial line.  Floating point: task PROBE only, whose
 * registers sched_switch keeps.
 */
#include "kernel/display.h"

#include "kernel/options.h"
#include "kernel/serial.h"
#include "kernel/text.h"
#include "kernel/tick.h"
#include "probe/estimator.h"
#include "probe/table.h"

static void put(const char *text)
{
    serial_write_patiently((const uint8_t *)text, (uint32_t)text_length(text));
}

static void put_line(void *context, const char *text)
{
    (void)context;
    put(text);
    put("\r\n");
}

void display_text(struct snapshot *s)
{
    const struct display_facts *f = &display_facts;
    const struct table_options o = {
        .estimator = estimator_of_run(&options.words, f->source.mean, f->cost.minimum),
        .excess_per_tick = (f->source.mean >> 16) * f->source.clock_65536 >> 16,
        .stub = f->calibration.stub,
        .unmasked = words_unmasked(&options.words),
        .exact = s->exact,
    };

    table_sort(s);
    if (probe.monitors & PROBE_SYSTEM || probe.monitors == 0)
        table_print(s, &o, put_line, 0);
    for (uint32_t i = 0; i < s->regions; i++) {
        put_line(0, "");
        display_histogram(s, i, put_line);
    }
}
