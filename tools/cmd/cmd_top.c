/* SPDX-License-Identifier: MIT */
/* `cpuprobe top`: a run while it goes on, by its snapshots. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/base/pager.h"
#include "tools/cmd/commands.h"
#include "tools/live/live_code.h"
#include "tools/live/live_link.h"
#include "tools/live/live_run.h"
#include "tools/live/live_screen.h"
#include "tools/live/live_table.h"
#include "tools/live/live_view.h"

#define SERVE_MS 30  /* for which the line is served between two looks for keys */
#define AGE      1.0 /* seconds after which the screen is drawn anew, to show that nothing comes */

struct arguments {
    struct live_link link;
    struct live_samples samples;
    struct live_tables tables;
    struct symbol_resolver names;
};

static void take_filter(void *to, char *text, struct argp_state *state)
{
    (void)state;
    snprintf(to, LIVE_FILTER, "%s", text);
}

static const struct option_row options[] = {
    {"filter", 0, "TEXT", "show only tasks with TEXT in their name", CALL_AT(take_filter, tables.choice.filter)},
    {"follow", 'F', NULL, "at the end of FILE wait for more, until its run ends", SET_FLAG(link.follows)},
    {"number", 'n', "N", "without a terminal: end after N tables", SET_NUMBER(tables.number, 1, 1000000000)},
    {"since-start", 0, NULL, "sort by shares since the start, not by those of the last interval",
     SET_FLAG(tables.choice.by_whole)},
    {"sort", 0, TABLE_ORDER_CHOICES, "the order of the tasks (total)", SET_WORD(tables.choice.order)},
    RESOLVER_SYMBOLS(names),
    {"top", 0, "N", "without a terminal: print only the first N rows", SET_NUMBER(tables.rows, 1, SNAPSHOT_ROWS)},
    {0},
};

static const struct argument_row port = {
    ARGUMENT(link.client.port), .least = 1, .missing = "PORT or FILE is missing",
    .many = "only one run can be watched: '%s' is one too many",
};

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
    struct live_view *v = xcalloc(1, sizeof(*v));

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

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    struct live_run run;
    int code = EXIT_NO_DATA;

    a->tables.link = &a->link;
    live_run_init(&run);
    a->link.run = &run;
    if (live_link_open(&a->link)) {
        if (isatty(STDOUT_FILENO) && pager_has_cursor()) {
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
    return code;
}

const struct subcommand cmd_top = {
    .name = "top", .what = "show a run live: who uses the CPU, now and since the start", .run = run_command,
    .live = true, .bytes = sizeof(struct arguments),
    .initial = &(const struct arguments){.tables.choice.order = TABLE_BY_TOTAL},
    .own = {options, &port}, .args_doc = "PORT|FILE",
    .shared = {{&client_options, offsetof(struct arguments, link.client)}},
    .doc = "Show the tasks of a run sorted by their share, of the last interval and since the start, with "
           "95 % intervals: of the image at the other end of PORT (a serial line, a pty or a unix socket), or of a "
           "recorded stream.  Keys sort, filter, pause and zoom, and change rate, source and policy of the ticks: "
           "h lists them."
           "\vA line that ends is opened again, each second.  Without a terminal, or where its cursor does not move "
           "(TERM is dumb or not set), a table is printed once a second; of a FILE, unless --follow is given, the "
           "last one.  NO_COLOR leaves the colours out.",
    .example = {"cpuprobe top dump", "cpuprobe top --sort user -n 3 /dev/ttyUSB0"},
};
