/* SPDX-License-Identifier: MIT */
/* Reads one run and makes its rows; has the options and messages for that. */
#include "tools/input/run_input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/suggest.h"
#include "tools/model/model_reader.h"
#include "tools/stream/stream_reader.h"

/* These differ from the option keys of the commands, which begin at 256. */
enum { KEY_TASK = 512, KEY_MODE, KEY_LOW, KEY_HIGH, KEY_STRICT };

#define MODE_CHOICES "user|supervisor|kernel|interrupt|all" /* in the order of enum mode */

static const struct argp_option options[] = {
    {"task", KEY_TASK, "NAME", 0, "select this task, or ANY (default: the busiest one)", 0},
    {"mode", KEY_MODE, MODE_CHOICES, 0, "select this mode, or all modes", 0},
    {"low", KEY_LOW, "ADDRESS", 0, "select addresses from this one on; 0... is octal, 0x... hexadecimal", 0},
    {"high", KEY_HIGH, "ADDRESS", 0, "select addresses below this one", 0},
    {"strict", KEY_STRICT, NULL, 0, "exit with 4 instead of 3 for damage, and with 4 if a file is not the one that "
                                    "ran",
     0},
    {0},
};

static void parse_mode(const char *text, struct argp_state *state, struct run_selection *q)
{
    const unsigned mode = suggest_choice(text, MODE_CHOICES, state);

    q->all_modes = mode == MODES;
    if (mode < MODES)
        q->mode = mode;
}

static uint64_t parse_address(const char *text, struct argp_state *state)
{
    char *end;
    uint64_t address;

    errno = 0;
    address = strtoull(text, &end, 0);
    if (end == text || *end || errno || *text == '-')
        argp_error(state, "'%s' is not an address", text);
    return address;
}

static void check_addresses(struct argp_state *state, struct run_selection *q)
{
    if (q->low && !q->high)
        q->high = UINT64_MAX;
    if ((q->low || q->high) && q->low >= q->high)
        argp_error(state, "--low must be below --high");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct run_selection *q = state->input;

    switch (key) {
    case KEY_TASK: q->task = text; return 0;
    case KEY_MODE: parse_mode(text, state, q); return 0;
    case KEY_LOW: q->low = parse_address(text, state); return 0;
    case KEY_HIGH: q->high = parse_address(text, state); return 0;
    case KEY_STRICT: q->strict = true; return 0;
    case ARGP_KEY_END: check_addresses(state, q); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp run_selection_argp = {.options = options, .parser = parse};

static bool read_stream(struct run_input *s)
{
    model_init(&s->model);
    s->read_well = model_read(s->path, &s->stream, &s->model);
    if ((!s->stream.stats.bytes && !s->read_well) || stream_has_no_frames(s->path, &s->stream))
        return false;
    s->epoch = report_epoch(s->path, &s->model, s->wanted);
    return s->epoch;
}

bool run_selection_resolve(const struct epoch *e, const struct run_selection *q, struct profile_request *to)
{
    *to = (struct profile_request){
        .mode = q->mode, .all_modes = q->all_modes, .low = q->low, .high = q->high,
    };
    if (q->task ? !profile_task(e, q->task, &to->task) : !profile_default_task(e, &to->task))
        return false;
    if (q->mode == MODES)
        to->mode = q->all_modes ? MODE_USER : profile_default_mode(e, to->task);
    return true;
}

bool run_input_has_hits(const char *path, const struct profile *p)
{
    const uint64_t elsewhere = p->below + p->above;

    if ((!p->request.low && !p->request.high) || !elsewhere || p->active.hits > elsewhere)
        return true;
    cli_error("%s: no hit of %s is at these addresses: %" PRIu64 " are below them, %" PRIu64 " above", path,
              p->request.task == ROW_ANY ? "any task" : p->task, p->below, p->above);
    return false;
}

bool run_input_open(struct run_input *s, const struct run_selection *q, enum breakdown_by by)
{
    struct profile_request request;

    if (!read_stream(s))
        return false;
    s->profiled = run_selection_resolve(s->epoch, q, &request) && profile_make(&s->profile, s->epoch, &request);
    if (!s->profiled) {
        cli_error("nothing can be told of %s", s->path);
        return false;
    }
    s->named_well = resolver_choose(&s->naming, s->epoch, request.task, true);
    s->broken_down = breakdown_make(&s->rows, &s->profile, &s->naming.symbols, by);
    return s->broken_down;
}

void run_input_free(struct run_input *s)
{
    if (s->broken_down)
        breakdown_free(&s->rows);
    if (s->profiled)
        profile_free(&s->profile);
    resolver_free(&s->naming);
    model_free(&s->model);
}

const char *run_input_label(const struct run_input *s)
{
    static char text[NAME_SIZE + 40];
    const struct profile_request *q = &s->profile.request;

    snprintf(text, sizeof(text), "%s%s, %s", q->task == ROW_ANY ? "" : "task ",
             q->task == ROW_ANY ? "any task" : s->profile.task,
             q->all_modes ? "all modes" : mode_name(q->mode));
    if (!q->all_modes)
        strcat(text, " mode");
    return text;
}

void run_input_warn_unnamed(const struct run_input *s)
{
    const struct profile_request *q = &s->profile.request;

    resolver_warn_unnamed(&s->naming, s->epoch, q->task, q->mode);
}

int run_input_verdict(const struct run_input *s, bool strict)
{
    int code = report_verdict(s->path, &s->stream, &s->model, s->epoch);

    if (code == EXIT_OK && !s->read_well)
        code = EXIT_DAMAGED;
    return strict && (code == EXIT_DAMAGED || !s->named_well) ? EXIT_CHECK_FAILED : code;
}
