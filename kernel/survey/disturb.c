/* SPDX-License-Identifier: MIT */
/*
 * SMIs for the survey to find: some keep a period, others do not.  They are due by the clock, and raised by the loop
 * itself between two of its turns, as the only processor must.
 */
#include "kernel/load/smi.h"
#include "kernel/survey/survey_parts.h"
#include "probe/schedule/splitmix64.h"

#define LONG_US   312u
#define LONG_EACH 250000u /* us */
#define SHORT_US  30u
#define SHORT_EACH 40000u /* us, the mean: from none to twice that */
#define MICRO     1000000u

static struct {
    uint64_t us_q16;           /* clock units in a microsecond, 48.16; set once */
    uint64_t next_long, next_short, state;
    struct survey_disturbed sum;
} disturbance; /* interrupts off */

static uint64_t clocks_of(uint64_t us)
{
    return us * disturbance.us_q16 >> 16;
}

static void raise(uint64_t us)
{
    disturbance.sum.time = smi_raise(clocks_of(us));
    disturbance.sum.count++;
}

static uint64_t drawn(void)
{
    disturbance.state += SPLITMIX64_GAMMA;
    return clocks_of(2ull * SHORT_EACH) * (splitmix64_mix(disturbance.state) >> 48) >> 16;
}

static uint64_t disturb(uint64_t now)
{
    if (disturbance.next_long == 0)
        disturbance.next_long = disturbance.next_short = now;
    if (now >= disturbance.next_long) {
        raise(LONG_US);
        while (disturbance.next_long <= now)
            disturbance.next_long += clocks_of(LONG_EACH);
    } else if (now >= disturbance.next_short) {
        raise(SHORT_US);
        disturbance.next_short = now + drawn();
    }
    return disturbance.next_long < disturbance.next_short ? disturbance.next_long : disturbance.next_short;
}

void survey_disturb(struct gap_watch *w, uint64_t clock_hz)
{
    disturbance.us_q16 = (clock_hz << 16) / MICRO;
    w->disturb = disturb;
    w->disturb_at = 0;
}

struct survey_disturbed survey_disturbed(void)
{
    return disturbance.sum;
}
