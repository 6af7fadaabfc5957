/* SPDX-License-Identifier: MIT */
/* The options --from and --to of a report on differences. */
#include "tools/base/moments.h"

#include "tools/base/cli.h"

enum { OPTION_FROM = 0x600, OPTION_TO }; /* no option of a command has these numbers */

static const struct argp_option options[] = {
    {"from", OPTION_FROM, "S", 0, "the difference from S seconds of the run on", 0},
    {"to", OPTION_TO, "S", 0, "up to S seconds of the run", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct moments *m = state->input;

    switch (key) {
    case OPTION_FROM: m->from = cli_seconds(text, state); return 0;
    case OPTION_TO: m->to = cli_seconds(text, state); return 0;
    case ARGP_KEY_END:
        if (m->to > 0 && m->from >= m->to)
            argp_error(state, "--from must be before --to");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp moments_argp = {.options = options, .parser = parse};

uint64_t moments_clock(double seconds, uint64_t begin, uint64_t hz, uint64_t otherwise)
{
    return seconds > 0 ? begin + (uint64_t)(seconds * (double)hz) : otherwise;
}
