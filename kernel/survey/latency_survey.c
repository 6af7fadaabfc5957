/* SPDX-License-Identifier: MIT */
/*
 * Measures what accesses, interrupts and wakes take, and keeps the list of such times.  Accesses are timed one by
 * one, since the mean of a row of them knows no worst.  Interrupts are one-shots of the 8254: what a shot takes
 * beyond its counts, known to one count.
 */
#include "kernel/survey/survey_parts.h"

#include <stdbool.h>

#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/lib/string.h"
#include "kernel/measure/access_cost.h"
#include "kernel/measure/one_shot.h"
#include "kernel/source/source_pit.h"
#include "kernel/tick/costs.h"
#include "kernel/tick/window.h"
#include "probe/core/order_statistics.h"
#include "probe/core/timed.h"

#define IRQ_PIT      0
#define SHOTS        1000u
#define SHOT_COUNT   211u /* 0.18 ms: the shortest whose latency is measured at the start too */
#define SHOT_LENGTHS 16u
#define LONGEST_PART 4u   /* of a second: a shot that has not come by then is lost */

uint64_t time_list[TIME_LIST];

void time_list_add(struct survey *s, const char *name, unsigned count, uint64_t grain)
{
    const struct order_statistics o = order_statistics_of(time_list, count);

    if (s->times == SURVEY_TIMES)
        return;
    s->time[s->times++] = (struct wire_survey_times_row){
        .name = { name, string_length(name) }, .count = o.count, .median = timed_beyond(o.median, grain),
        .most = timed_beyond(o.most, grain), .worst = timed_beyond(o.worst, grain),
    };
}

static void time_accesses(struct survey *s, const struct access *a)
{
    const uint64_t grain = clock_grain();

    a->take(false);
    for (unsigned i = 0; i < TIME_LIST; i++)
        time_list[i] = a->take(false);
    time_list_add(s, a->name, TIME_LIST, grain);
}

/* Of running code, or out of HLT. */
static void time_shots(struct survey *s, const char *name, bool halted)
{
    struct one_shot_timer timer = {
        .name = "the 8254", .arm = source_pit_arm_once, .fired = &source_pit_fired,
        .counts_past = source_pit_fired_past,
        .longest = tick_facts.calibration.rate.clock_hz / LONGEST_PART, .shortest = SHOT_COUNT,
        .clocks_q24 = tick_facts.calibration.per_65536 << 8,
    };
    const struct one_shots_lengths lengths = one_shot_lengths(&timer, SHOT_LENGTHS);
    const struct one_shots shots = one_shots_of(&timer);

    time_list_add(s, name, one_shots_series(&shots, &lengths, halted, time_list, SHOTS), 0);
}

/* By IRQ, whatever delivers the run's ticks: an NMI needs no interrupts that are on. */
static void time_interrupts(struct survey *s)
{
    pit_init();
    pic_unmask(IRQ_PIT);
    time_shots(s, "interrupt to handler", false);
    time_shots(s, "wake from HLT", true);
    pit_init();
    pic_mask(IRQ_PIT);
}

void latency_survey(struct survey *s)
{
    const unsigned ticks = tick_facts.ticks ? handler_cost_series(time_list, TIME_LIST / 2) : 0;

    time_list_add(s, "tick", ticks, 0);
    time_interrupts(s);
    for (unsigned i = 0; i < ACCESSES; i++)
        if (i != LAPIC_READ || lapic_in_use())
            time_accesses(s, &accesses[i]);
}
