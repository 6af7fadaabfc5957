/* SPDX-License-Identifier: MIT */
/* The options --from and --to of a report on differences. */
#include "tools/base/moments.h"

#undef OPTION_INPUT
#define OPTION_INPUT struct moments

static const struct option_row rows[] = {
    {"from", 0, "S", "the difference from S seconds of the run on", SET_SECONDS(from)},
    {"to", 0, "S", "up to S seconds of the run", SET_SECONDS(to)},
    {0},
};

static void check(void *input, struct argp_state *state)
{
    const struct moments *m = input;

    if (m->to > 0 && m->from >= m->to)
        argp_error(state, "--from must be before --to");
}

const struct option_set moments_options = {.rows = rows, .check = check};

uint64_t moments_clock(double seconds, uint64_t begin, uint64_t hz, uint64_t otherwise)
{
    return seconds > 0 ? begin + (uint64_t)(seconds * (double)hz) : otherwise;
}
