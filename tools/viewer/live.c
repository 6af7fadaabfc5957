/* SPDX-License-Identifier: MIT */
/*
 * A board's line in a page: the table and the page of `serve`, and the keys of `top`, each with its own view of the
 * line.  The page calls what is here in turns, and takes what it writes from standard output.
 */
#include <stdio.h>
#include <string.h>

#include "tools/base/cli.h"
#include "tools/live/live_view.h"
#include "tools/report/report_page.h"
#include "tools/serve/line_pages.h"

#define LINE      "line" /* its name among the page's files */
#define ANSWER_S  30     /* that an answer may take, as for `top` */
#define COLUMNS   100

static struct {
    struct served_line line;
    struct page_key made; /* of the page that was made last */
    bool any;             /* one was */
    struct live_link link;
    struct live_run run;
    struct live_samples samples;
    struct symbol_resolver names;
    struct live_view view;
} live;

static void take_bytes(void *line, const uint8_t *bytes, size_t length)
{
    line_history_bytes(&((struct served_line *)line)->history, bytes, length);
}

static void take_event(void *line, const struct stream_event *event)
{
    struct served_line *const l = line;

    (void)event;
    line_history_event(&l->history, &l->watch.preface);
}

/* Once, when the line is open. */
bool viewer_live_begin(void)
{
    live.line.watch = (struct line_watch){.port = LINE, .bytes = take_bytes, .event = take_event,
                                          .context = &live.line};
    line_watch_begin(&live.line.watch);
    live_run_init(&live.run);
    live.link = (struct live_link){.client = {.port = LINE, .timeout = ANSWER_S}, .run = &live.run,
                                   .samples = &live.samples};
    live.view = (struct live_view){.link = &live.link, .choice.order = TABLE_BY_TOTAL, .columns = COLUMNS,
                                   .code.names = &live.names};
    return live_link_open(&live.link);
}

/* Take some of what came, and do what is due. */
void viewer_live_turn(void)
{
    line_watch_serve(&live.line.watch);
    if (live_link_serve(&live.link, 0))
        live_view_update(&live.view);
}

/* Whether a page would have something else than the one that was made last. */
bool viewer_live_changed(void)
{
    const struct line_watch *const l = &live.line.watch;
    const struct epoch *const e = line_watch_newest(line_watch_model(l));
    const struct page_key key = e ? line_page_key(l, e) : live.made;

    return e && (!live.any || memcmp(&key, &live.made, sizeof(key)) != 0);
}

/* Write the page, or what is newer as JSON.  False: there is no table yet. */
bool viewer_live_page(bool whole)
{
    const struct line_watch *const l = &live.line.watch;
    const struct epoch *const e = line_watch_newest(line_watch_model(l));
    const struct report_page page = {.data = e ? line_data_json(&live.line) : NULL};
    bool written;

    if (!page.data)
        return false;
    live.made = line_page_key(l, e);
    live.any = true;
    written = whole ? report_page_write(&page, stdout)
                    : !json_dumpf(page.data, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref((json_t *)page.data);
    return written && !fflush(stdout);
}

/* A key of `top`; '\r' is Enter. */
void viewer_live_key(int key)
{
    live_view_key(&live.view, key == '\r' ? LIVE_KEY_ENTER : key);
}

/* Write how the line is, the last answer, and where in its code the chosen task is, where that is shown. */
void viewer_live_tell(void)
{
    char state[LIVE_TEXT];

    live_link_state(&live.link, state);
    printf("%s\n%s\n", state, live.view.message[0] ? live.view.message : live.link.answer);
    for (unsigned i = 0; live.view.detail && i < live.view.code.lines; i++)
        puts(live.view.code.line[i]);
    fflush(stdout);
}
