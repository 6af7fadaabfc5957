/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe zoom`: the paper's "automatically repeat its monitoring with continually smaller
 * address limits", on a running image at the other end of a line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/command/reply_cache.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/cmd/commands.h"
#include "tools/input/run_input.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/talk/command_client.h"
#include "tools/talk/zoom_commands.h"
#include "tools/view/histogram_view.h"
#include "tools/view/zoom_view.h"

#define SECONDS 60 /* the paper's own default */

struct arguments {
    struct command_client client;
    struct run_selection selection;
    enum zoom_goal goal;
    unsigned percent, seconds;
    bool progress, json;
    struct symbol_resolver names;
};

struct live_zoom {
    struct arguments *a;
    struct model model;
    char task[NAME_SIZE];
    char before[COMMAND_LINE]; /* the command that restores the previous monitors */
    uint64_t epoch;          /* epoch of the last window, or the one before the first window */
    uint64_t shown;          /* serial of the snapshot whose progress was printed last */
    struct profile_request where;
    struct profile profile; /* of the last window */
    bool profiled, named;
    struct zoom zoom;
    struct histogram_view view;
    struct zoom_view table;
};

static void take_until(void *input, char *text, struct argp_state *state)
{
    struct arguments *a = input;

    if (!strcmp(text, "function"))
        a->goal = ZOOM_TO_FUNCTION;
    else if (!strcmp(text, "instruction"))
        a->goal = ZOOM_TO_INSTRUCTION;
    else {
        a->goal = ZOOM_TO_SHARE;
        a->percent = (unsigned)option_number(text, 1, 100, NULL, state);
    }
}

static const struct option_row options[] = {
    {"json", 'j', NULL, "print one JSON object at the end (docs/JSON.md)", SET_FLAG(json)},
    {"progress", 'p', NULL, "print the progress of each window on standard error", SET_FLAG(progress)},
    {"seconds", 0, "N", "length of each window in seconds of the image (60)", SET_NUMBER(seconds, 1, 1000000)},
    RESOLVER_SYMBOLS(names),
    {"until", 0, "TO", "stop at the hottest function (default) or instruction, or at the smallest "
     "range of addresses that keeps this percentage of the hits", CALL(take_until)},
    {0},
};

static const struct argument_row port = {
    ARGUMENT(client.port), .least = 1, .missing = "PORT is missing",
    .many = "only one port can be read: '%s' is one too many",
};

/* ---- the image ---- */

static struct epoch *last_epoch(struct live_zoom *z)
{
    return z->model.epochs ? z->model.epoch[z->model.epochs - 1] : NULL;
}

static void add_event(void *context, const struct stream_event *event)
{
    model_add_event(&((struct live_zoom *)context)->model, event);
}

static bool has_snapshot(struct live_zoom *z)
{
    const struct epoch *e = last_epoch(z);

    return e && e->has_hello && e->snapshot;
}

static bool is_known(void *context)
{
    return interrupted || has_snapshot(context);
}

/* A window ends with the first snapshot after its seconds; the extra time is not printed. */
static void show_progress(struct live_zoom *z, const struct epoch *e)
{
    const double seconds = epoch_window_seconds(e), asked = z->a->seconds;

    if (!z->a->progress || e->snapshot->serial == z->shown)
        return;
    z->shown = e->snapshot->serial;
    fprintf(stderr, "\rstep %u: %.0f of %.0f s, %" PRIu64 " samples ", z->zoom.step,
            seconds < asked ? seconds : asked, asked, e->snapshot->samples);
}

/* Whether a snapshot belongs to a new epoch and its window is long enough. */
static bool is_measured(struct live_zoom *z)
{
    const struct epoch *e = last_epoch(z);

    if (!has_snapshot(z) || e->id == z->epoch || !e->hello.clock_hz)
        return false;
    show_progress(z, e);
    return epoch_window_seconds(e) >= z->a->seconds;
}

static bool is_over(void *context)
{
    return interrupted || is_measured(context);
}

/* False, with a message. */
static bool command(struct live_zoom *z, const char *line)
{
    struct command_client *t = &z->a->client;
    char *text;
    const enum client_result end = client_command(t, line, &text);
    const bool done = end == CLIENT_ANSWERED && t->answer.status == ANSWER_DONE;

    client_print_error(t, end);
    if (end == CLIENT_ANSWERED && !done)
        cli_error("%s refused '%s': %s", t->port, line, text);
    if (end == CLIENT_ANSWERED)
        free(text);
    return done;
}

/* ---- a window ---- */

static const char *why_unmeasured(const struct command_client *t)
{
    return interrupted ? "interrupted" : t->ended ? "the run ended" : t->why[0] ? t->why : "the line is silent";
}

/* Make the image count in the addresses of this step for that long.  False, with a message. */
static bool measure(struct live_zoom *z)
{
    char line[COMMAND_LINE];

    z->epoch = last_epoch(z)->id;
    zoom_watch_command(line, z->where.task == ROW_ANY ? "*" : z->task, z->where.mode, z->zoom.low, z->zoom.high);
    if (!command(z, line))
        return false;
    client_read(&z->a->client, z->a->client.timeout + 3.0 * z->a->seconds, is_over);
    if (z->a->progress)
        fputs("\r\x1b[K", stderr);
    if (interrupted || !is_measured(z)) {
        cli_error("%s: no snapshot of the window of %u s arrived: %s", z->a->client.port, z->a->seconds,
                  why_unmeasured(&z->a->client));
        return false;
    }
    epoch_name_rows(last_epoch(z));
    return true;
}

static bool make_profile(struct live_zoom *z)
{
    struct epoch *e = last_epoch(z);

    z->where.low = z->zoom.low;
    z->where.high = z->zoom.high;
    if (z->profiled)
        profile_free(&z->profile);
    z->profiled = profile_make(&z->profile, e, &z->where);
    if (z->profiled && !z->named)
        resolver_choose(&z->a->names, e, z->where.task, true);
    z->named = true;
    return z->profiled;
}

/* The region of this step in the snapshot.  NULL, with a message, if the image sent another one. */
static const struct snapshot_region *region_of(struct live_zoom *z)
{
    const struct snapshot *s = last_epoch(z)->snapshot;

    for (uint32_t i = 0; i < s->regions; i++)
        if (s->region[i].low == z->zoom.low && s->region[i].high == z->zoom.high)
            return &s->region[i];
    cli_error("%s: the window does not have the region that was asked for", z->a->client.port);
    return NULL;
}

/* Run windows until the requested end.  False, with a message, if the end was not reached. */
static bool run_steps(struct live_zoom *z)
{
    struct zoom_code code = {.view = &z->view};
    struct zoom_window window = {.hottest = zoom_code_hottest, .context = &code};
    const struct snapshot_region *r;

    do {
        zoom_code_free(&code);
        if (!measure(z) || !make_profile(z) || !(r = region_of(z)))
            return false;
        zoom_view_step(&z->table, &z->zoom);
        code.low = z->zoom.low;
        code.high = z->zoom.high;
        window.slots = (struct zoom_slots){r->hits, r->base, r->shift, r->low, r->high};
        window.hits = z->profile.active.hits - z->profile.below - z->profile.above;
        window.least = z->a->goal == ZOOM_TO_SHARE ? (z->profile.active.hits * z->a->percent + 99) / 100
                                                   : window.hits;
        if (!window.hits) {
            cli_error("task %s had no hit in %s mode there within %u s: take longer windows (--seconds) or a higher "
                      "rate= (cpuprobe control PORT set rate=N)", z->task, mode_name(z->where.mode), z->a->seconds);
            return false;
        }
    } while (zoom_next(&z->zoom, &window));
    zoom_view_end(&z->table, &z->zoom);
    if (z->a->goal == ZOOM_TO_INSTRUCTION)
        zoom_view_instruction(&z->table, &code);
    zoom_code_free(&code);
    return true;
}

/* ---- from the first snapshot to the last command ---- */

static void begin_table(struct live_zoom *z)
{
    if (z->a->json) {
        zoom_view_collect(&z->table, &z->view);
        z->table.windows = true;
        return;
    }
    printf("Zoom into task %s, %s mode, %u s a step, shares of all samples\n\n", z->task,
           mode_name(z->where.mode), z->a->seconds);
    zoom_view_head(&z->table, &z->view, z->zoom.high);
}

static void end_table(struct live_zoom *z, bool complete)
{
    const struct arguments *a = z->a;

    if (a->json)
        zoom_json(&z->table, &(struct zoom_told){z->where.task == ROW_ANY ? NULL : z->task, z->where.mode, a->seconds,
                                                 a->goal, complete});
}

static bool begin(struct live_zoom *z)
{
    const struct run_selection *q = &z->a->selection;
    struct epoch *e = last_epoch(z);
    uint64_t low = q->low, high = q->high;

    epoch_name_rows(e);
    if (q->task ? !profile_task(e, q->task, &z->where.task) : !profile_busiest(e, &z->where.task))
        return false;
    epoch_name_of(e, z->where.task, z->task);
    z->where.mode = q->mode == MODES ? MODE_USER : q->mode;
    z->where.from_region = true;
    if (!high)
        zoom_addresses(z->where.mode, &low, &high);
    zoom_begin(&z->zoom, z->a->goal, low, high);
    z->view = (struct histogram_view){
        .profile = &z->profile, .symbols = &z->a->names.symbols, .columns = view_columns(0),
    };
    zoom_restore_command(z->before, e->hello.words.bytes);
    return true;
}

static int run(struct live_zoom *z)
{
    struct command_client *t = &z->a->client;
    const enum client_result end = client_attach(t, NULL, NULL);
    bool well;

    if (end != CLIENT_ANSWERED) {
        client_print_error(t, end);
        return client_exit_code(end);
    }
    client_read(t, t->timeout, is_known);
    if (!has_snapshot(z)) {
        cli_error("%s: no snapshot came within %g s", t->port, t->timeout);
        return EXIT_NO_DATA;
    }
    if (!begin(z))
        return EXIT_NO_DATA;
    interrupt_watch();
    begin_table(z);
    well = run_steps(z);
    end_table(z, well);
    if (!t->ended && !t->why[0])
        well = command(z, z->before) && well;
    return well ? EXIT_OK : EXIT_DAMAGED;
}

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    struct live_zoom *z = xcalloc(1, sizeof(*z));
    int code = EXIT_NO_DATA;

    z->a = a;
    a->client.take = add_event;
    a->client.context = z;
    if (client_open(&a->client)) {
        code = run(z);
        if (!client_close(&a->client) && code == EXIT_OK)
            code = EXIT_DAMAGED;
    }
    if (z->profiled)
        profile_free(&z->profile);
    model_free(&z->model);
    resolver_free(&a->names);
    free(z);
    return code;
}

const struct subcommand cmd_zoom = {
    .name = "zoom", .what = "find where a task of a running image spends its time", .run = run_command, .live = true,
    .bytes = sizeof(struct arguments),
    .initial = &(const struct arguments){.selection.mode = MODES, .goal = ZOOM_TO_FUNCTION, .seconds = SECONDS},
    .own = {options, &port}, .args_doc = "PORT", .json = {&zoom_object},
    .shared = {{&run_selection_options, offsetof(struct arguments, selection)}, {&client_options}},
    .doc = "Find where a task of the image at the other end of PORT spends its time: watch a range "
           "of its addresses, narrow the range with each step, and print each step."
           "\vEach step is a separate epoch.  At the end, and after Ctrl-C, the monitors and "
           "regions are restored.",
    .example = {"cpuprobe zoom --task ROGUE --seconds 5 /dev/ttyUSB0"},
};
