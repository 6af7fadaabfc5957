/* SPDX-License-Identifier: MIT */
/* `cpuprobe top`: a run while it goes on, by its snapshots. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/base/suggest.h"
#include "tools/cmd/commands.h"
#include "tools/live/live_screen.h"
#include "tools/live/live_tables.h"

#define SERVE_MS 30  /* for which the line is served between two looks for keys */
#define AGE      1.0 /* seconds after which the screen is drawn anew, to show that nothing comes */

struct arguments {
    struct live_link link;
    struct live_samples samples;
    struct live_tables tables;
    struct symbol_resolver names;
};

enum { OPTION_TOP = 256, OPTION_SORT, OPTION_START, OPTION_FILTER };

static const struct argp_option options[] = {
    {"filter", OPTION_FILTER, "TEXT", 0, "show only tasks with TEXT in their name", 0},
    {"follow", 'F', NULL, 0, "at the end of FILE wait for more, until its run ends", 0},
    {"number", 'n', "N", 0, "without a terminal: end after N tables", 0},
    {"since-start", OPTION_START, NULL, 0, "sort by shares since the start, not by those of the last interval", 0},
    {"sort", OPTION_SORT, TABLE_ORDER_CHOICES, 0, "the order of the tasks (total)", 0},
    {"symbols", 's', "FILE|DIR", 0, "take names from this file or folder; may be repeated", 0},
    {"top", OPTION_TOP, "N", 0, "without a terminal: print only the first N rows", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'F': a->link.follows = true; return 0;
    case 'n': a->tables.number = cli_number(text, 1, 1000000000, state); return 0;
    case OPTION_TOP: a->tables.rows = cli_number(text, 1, SNAPSHOT_ROWS, state); return 0;
    case OPTION_SORT: a->tables.choice.order = (enum table_order)suggest_choice(text, TABLE_ORDER_CHOICES, state); return 0;
    case OPTION_START: a->tables.choice.by_whole = true; return 0;
    case OPTION_FILTER: snprintf(a->tables.choice.filter, LIVE_FILTER, "%s", text); return 0;
    case 's':
        if (!resolver_add(&a->names, text))
            exit(EXIT_NO_DATA);
        return 0;
    default:
        return cli_one_argument(key, text, state, &a->link.client.port, "only one run can be watched", "PORT or FILE is missing");
    }
}

/* Ctrl-\ would leave the terminal as it is. */
static void watch_signals(void)
{
    struct sigaction noted;

    interrupt_watch();
    if (!sigaction(SIGINT, NULL, &noted))
        sigaction(SIGQUIT, &noted, NULL);
}

/* Serve the line, the keys and the screen, in turn. */
static void run_screen(struct live_view *v)
{
    double drawn = 0.0;
    bool changed = true;

    while (!v->quit && !interrupted) {
        int key;

        if (live_link_serve(v->link, SERVE_MS)) {
            live_view_update(v);
            changed = true;
        }
        while ((key = live_screen_key()) != LIVE_KEY_NONE) {
            live_view_key(v, key);
            changed = true;
        }
        changed = live_screen_error(v->message) || changed;
        if (!changed && monotonic_seconds() - drawn < AGE)
            continue;
        live_screen_draw(v);
        drawn = monotonic_seconds();
        changed = false;
    }
}

/* Put back what a zoom changed, and wait for the answer. */
static void leave(struct live_view *v)
{
    const double until = monotonic_seconds() + v->link->client.timeout;

    live_code_restore(&v->code, v->link);
    while (v->link->attached && (v->link->waiting || v->link->client.waiting) && !v->link->gone &&
           monotonic_seconds() < until)
        live_link_serve(v->link, SERVE_MS);
}

static int show(struct arguments *a)
{
    struct live_view *v = xrealloc_array(NULL, 1, sizeof(*v));

    memset(v, 0, sizeof(*v));
    v->link = &a->link;
    a->link.samples = &a->samples;
    v->choice = a->tables.choice;
    v->code.names = &a->names;
    if (!live_screen_open()) {
        free(v);
        return EXIT_NO_DATA;
    }
    watch_signals();
    run_screen(v);
    live_screen_close();
    leave(v);
    live_run_free(&v->kept);
    free(v);
    return EXIT_OK;
}

static int run_command(int argc, char **argv)
{
    struct arguments *a = xrealloc_array(NULL, 1, sizeof(*a));
    struct live_run run;
    int code = EXIT_NO_DATA;

    memset(a, 0, sizeof(*a));
    a->tables.link = &a->link;
    a->tables.choice.order = TABLE_BY_TOTAL;
    resolver_init(&a->names);
    subcommand_parse(&cmd_top, argc, argv, a);
    live_run_init(&run);
    a->link.run = &run;
    if (live_link_open(&a->link)) {
        if (isatty(STDOUT_FILENO)) {
            code = show(a);
        } else {
            interrupt_watch();
            code = live_tables_print(&a->tables);
        }
        live_link_close(&a->link);
    }
    live_run_free(&run);
    live_samples_free(&a->samples);
    resolver_free(&a->names);
    free(a);
    return code;
}

const struct subcommand cmd_top = {
    .name = "top", .what = "show a run live: who uses the CPU, now and since the start", .run = run_command, .live = true,
    .options = options, .parser = parse, .args_doc = "PORT|FILE",
    .shared = {{&client_argp, offsetof(struct arguments, link.client)}},
    .doc = "Show the tasks of a run sorted by their share, of the last interval and since the start, with "
           "95 % intervals: of the image at the other end of PORT (a serial line, a pty or a unix socket), or of a "
           "recorded stream.  Keys sort, filter, pause and zoom, and change rate, source and policy of the ticks: "
           "h lists them."
           "\vA line that ends is opened again, each second.  Without a terminal a table is printed once a second; "
           "of a FILE, unless --follow is given, the last one.  NO_COLOR leaves the colours out.",
    .example = {"cpuprobe top dump", "cpuprobe top --sort user -n 3 /dev/ttyUSB0"},
};
