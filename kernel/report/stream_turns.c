/* SPDX-License-Identifier: MIT */
/* What is due when on the line, beside the samples (stream_turns.h). */
#include "kernel/report/stream_turns.h"

#define LONGEST (STREAM_TURN / 2) /* between two snapshots */

void stream_turns_begin(struct stream_turns *t)
{
    /* Seconds apart from one another, so that no second has much more than the others. */
    *t = (struct stream_turns){
        .since = { [STREAM_WHOLE] = STREAM_TURN, [STREAM_HELLO] = STREAM_TURN - 2,
                   [STREAM_PROGRAMS] = STREAM_TURN - 4,
                   [STREAM_NAMES] = STREAM_TURN - 5, [STREAM_DELTA] = STREAM_TURN },
    };
}

void stream_turns_second(struct stream_turns *t)
{
    for (unsigned i = 0; i < STREAM_TURNS; i++)
        t->since[i]++;
}

uint32_t stream_turns_interval(const struct stream_turns *t)
{
    const uint32_t *const b = t->bytes;
    const uint64_t once = (uint64_t)b[STREAM_WHOLE] + b[STREAM_HELLO] + b[STREAM_NAMES] + b[STREAM_PROGRAMS];

    for (uint32_t interval = 1; interval < LONGEST; interval *= 2)
        if (once + (STREAM_TURN / interval - 1) * (uint64_t)b[STREAM_DELTA] <= STREAM_TURN * STREAM_BUDGET)
            return interval;
    return LONGEST;
}

bool stream_turns_due(const struct stream_turns *t, enum stream_turn what)
{
    return t->since[what] >= (what == STREAM_DELTA ? stream_turns_interval(t) : STREAM_TURN);
}

void stream_turns_sent(struct stream_turns *t, enum stream_turn what, uint64_t bytes)
{
    t->since[what] = 0;
    t->bytes[what] = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
    if (what == STREAM_WHOLE)
        t->since[STREAM_DELTA] = 0;
}
