/* SPDX-License-Identifier: MIT */
/* The loop and its gaps, as hwlatdetect of rt-tests looks for them. */
#include "kernel/survey/survey_parts.h"

#include <stdbool.h>

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "probe/core/order_statistics.h"

#define TURNS     16u      /* median turns: an ordinary turn is not that long, whatever misses a cache */
#define MICRO     1000000u

void gap_watch_begin(struct gap_watch *w, uint64_t clock_hz)
{
    uint64_t last = rdtsc();

    for (unsigned i = 0; i < TIME_LIST; i++) {
        const uint64_t now = rdtsc();

        time_list[i] = now - last;
        last = now;
    }
    w->round = order_statistics_of(time_list, TIME_LIST).median;
    w->threshold = TURNS * w->round > clock_hz / MICRO ? TURNS * w->round : clock_hz / MICRO;
    w->begin = w->end = w->watched = w->slices = w->ticks = 0;
    w->disturb_at = UINT64_MAX;
    gap_log_begin(&w->log, clock_hz);
}

/* A turn took long.  Ticks that come as NMI have told the account what they took of it: that is no gap. */
static void note(struct gap_watch *w, uint64_t now, uint64_t took, uint64_t ticks)
{
    const uint64_t usual = w->round + ticks;

    w->ticks += ticks != 0;
    if (took > usual && took - ticks > w->threshold)
        gap_log_add(&w->log, &(struct gap){ now, took - usual });
}

/*
 * The loop itself: nothing but what it must do.  Returns the clock at its end,
 * and in *took a turn that was too long, else 0.
 */
static __attribute__((noinline)) uint64_t run_until(uint64_t last, uint64_t goal, uint64_t threshold, uint64_t *took)
{
    uint64_t now;

    *took = 0;
    while (last < goal) {
        now = rdtsc();
        if (now - last > threshold) {
            *took = now - last;
            return now;
        }
        last = now;
    }
    return last;
}

static void watch(struct gap_watch *w, uint64_t begin, uint64_t stop)
{
    uint64_t last = begin, ticks = account.nmi_time, took;

    while (last < stop) {
        const uint64_t before = last;

        if (last >= w->disturb_at)
            w->disturb_at = w->disturb(last);
        last = run_until(last, stop < w->disturb_at ? stop : w->disturb_at, w->threshold, &took);
        w->watched += last - before;
        if (took == 0)
            continue;
        note(w, last, took, account.nmi_time - ticks);
        ticks = account.nmi_time;
        w->end = last;
        last = rdtsc(); /* what it takes to note a gap is not watched */
    }
    w->end = last;
}

void gap_watch_slice(struct gap_watch *w, uint64_t clocks)
{
    uint64_t begin;

    irq_disable();
    begin = rdtsc();
    if (w->begin == 0)
        w->begin = begin;
    watch(w, begin, begin + clocks);
    w->slices++;
    irq_enable();
}
