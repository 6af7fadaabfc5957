/* SPDX-License-Identifier: MIT */
/* Reads one run and makes its rows; has the options and messages for that. */
#include "tools/input/run_input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/base/choice.h"
#include "tools/base/cli.h"
#include "tools/stream/stream_reader.h"

#define MODE_CHOICES "user|supervisor|kernel|interrupt|all" /* in the order of enum mode */

static void take_mode(void *input, char *text, struct argp_state *state)
{
    struct run_selection *q = input;
    const unsigned mode = suggest_choice(text, MODE_CHOICES, state);

    q->all_modes = mode == MODES;
    if (mode < MODES)
        q->mode = mode;
}

static void take_address(void *to, char *text, struct argp_state *state)
{
    char *end;

    errno = 0;
    *(uint64_t *)to = strtoull(text, &end, 0);
    if (end == text || *end || errno || *text == '-')
        argp_error(state, "'%s' is not an address", text);
}

static void check_addresses(void *input, struct argp_state *state)
{
    struct run_selection *q = input;

    if (q->low && !q->high)
        q->high = UINT64_MAX;
    if ((q->low || q->high) && q->low >= q->high)
        argp_error(state, "--low must be below --high");
}

#undef OPTION_INPUT
#define OPTION_INPUT struct run_selection

static const struct option_row rows[] = {
    {"task", 0, "NAME", "select this task, or ANY (default: the busiest one)", SET_TEXT(task)},
    {"mode", 0, MODE_CHOICES, "select this mode, or all modes", CALL(take_mode)},
    {"low", 0, "ADDRESS", "select addresses from this one on; 0... is octal, 0x... hexadecimal",
     CALL_AT(take_address, low)},
    {"high", 0, "ADDRESS", "select addresses below this one", CALL_AT(take_address, high)},
    {"strict", 0, NULL, "exit with 4 instead of 3 for damage, and with 4 if a file is not the one that ran",
     SET_FLAG(strict)},
    {0},
};

const struct option_set run_selection_options = {.rows = rows, .check = check_addresses};

static bool read_stream(struct run_input *s)
{
    model_read(s->path, &s->stream, &s->model);
    if (stream_has_no_frames(s->path, &s->stream))
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
    const int code = report_verdict(s->path, &s->stream, &s->model, s->epoch);

    return strict && (code == EXIT_DAMAGED || !s->named_well) ? EXIT_CHECK_FAILED : code;
}
