/* SPDX-License-Identifier: MIT */
/* Opens a timeline by a command's options; says at the end what is missing in it. */
#include "tools/input/timeline_input.h"

#include <inttypes.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/saturate.h"
#include "tools/stream/stream_reader.h"

#undef OPTION_INPUT
#define OPTION_INPUT struct timeline_input

static const struct option_row rows[] = {
    REPORT_EPOCH("epoch", epoch, REPORT_EPOCH_WHAT),
    {"from", 0, "SECONDS", "from this time on, in seconds since the image started", SET_SECONDS(from_seconds)},
    {"to", 0, "SECONDS", "up to this time", SET_SECONDS(to_seconds)},
    {0},
};

static void check(void *input, struct argp_state *state)
{
    const struct timeline_input *in = input;

    if (in->from_seconds > 0.0 && in->to_seconds > 0.0 && in->from_seconds >= in->to_seconds)
        argp_error(state, "--from must be below --to");
}

const struct option_set timeline_options = {.rows = rows, .arguments = &stream_argument, .check = check};

int timeline_command(const struct subcommand *c, void *arguments)
{
    struct timeline_input *in = arguments;
    int code;

    if (!timeline_input_open(in))
        return EXIT_NO_DATA;
    code = c->run(arguments);
    timeline_close(in->timeline);
    return code;
}

bool timeline_input_open(struct timeline_input *in)
{
    const struct timeline_request request = {.epoch = in->epoch, .follow = in->follow};

    in->timeline = timeline_open(in->path, &request);
    if (!in->timeline)
        return false;
    in->hz = (double)timeline_epoch(in->timeline)->hello.clock_hz;
    if (!(in->hz > 0.0)) {
        cli_error("%s: no HELLO frame arrived: the rate of its clock is not known", in->path);
        timeline_close(in->timeline);
        return false;
    }
    in->from = in->from_seconds == 0.0 ? INT64_MIN : saturate_round(in->from_seconds * in->hz);
    in->to = in->to_seconds == 0.0 ? INT64_MAX : saturate_round(in->to_seconds * in->hz);
    return true;
}

bool timeline_input_within(struct timeline_input *in, int64_t begin, int64_t end)
{
    if (in->from_seconds == 0.0)
        in->from = begin;
    if (in->to_seconds == 0.0)
        in->to = end;
    if (in->from < in->to)
        return true;
    cli_error("%s has nothing at these times: it tells of %.6f to %.6f s", in->path, timeline_seconds(in, begin),
              timeline_seconds(in, end));
    return false;
}

bool timeline_input_limits(struct timeline_input *in)
{
    int64_t begin, end;

    if (in->from_seconds > 0.0 && in->to_seconds > 0.0)
        return true;
    timeline_limits(in->timeline, &begin, &end);
    if (begin > end) {
        cli_error("%s holds no log of changes, events or classes of states: boot the image with account=log, "
                  "monitor=events or monitor=states", in->path);
        return false;
    }
    return timeline_input_within(in, begin, end) && timeline_rewind(in->timeline);
}

bool timeline_input_next(const struct timeline_input *in, struct timeline_item *item)
{
    while (timeline_next(in->timeline, item))
        if (timeline_item_begin(item) >= in->from && timeline_item_end(item) <= in->to)
            return true;
    return false;
}

double timeline_seconds(const struct timeline_input *in, int64_t time)
{
    return (double)time / in->hz;
}

static bool warn_gaps(const struct timeline_input *in)
{
    const struct timeline_counts *counts = timeline_counts(in->timeline);
    bool any = false;

    for (unsigned cause = 0; cause < GAP_CAUSES; cause++) {
        if (!counts->gaps[cause])
            continue;
        cli_error("%s: %" PRIu64 " entries are missing in %" PRIu64 " gaps: %s", in->path, counts->missing[cause],
                  counts->gaps[cause], gap_cause_text(cause));
        any |= cause != GAP_PAUSED;
    }
    if (counts->late)
        cli_error("%s: %" PRIu64 " entries came again or too late, and are left out", in->path, counts->late);
    return any || counts->late;
}

int timeline_input_report(const struct timeline_input *in)
{
    const struct timeline *t = in->timeline;
    int code = report_verdict(in->path, timeline_stream(t), timeline_model(t), timeline_epoch(t));

    if (warn_gaps(in) && code == EXIT_OK)
        code = EXIT_DAMAGED;
    return code;
}
