/* SPDX-License-Identifier: MIT */
/* Makes the data of a report from what a server knows of a line. */
#include "tools/serve/live_page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/json_value.h"
#include "tools/model/model_reader.h"
#include "tools/report/report_classes.h"
#include "tools/report/report_code.h"
#include "tools/report/report_data.h"
#include "tools/report/report_lanes.h"
#include "tools/report/report_page.h"
#include "tools/symbols/symbol_resolver.h"

#define REST 9.0 /* times as long as an event took nothing is made for its reader */

/* The kept part of a line's stream, read again. */
struct reading {
    struct frame_decoder stream;
    struct model model;
    int file;
    char path[32];
};

static bool read_history(struct reading *r, struct served_line *line)
{
    r->file = line_history_file(&line->history);
    if (r->file < 0)
        return false;
    snprintf(r->path, sizeof(r->path), "/proc/self/fd/%d", r->file);
    model_init(&r->model);
    model_read(r->path, &r->stream, &r->model);
    return true;
}

static void end_reading(struct reading *r)
{
    model_free(&r->model);
    close(r->file);
}

/* What needs samples and states one by one; the table is that of the whole run. */
static void put_single(json_t *shown, const struct report_run *run)
{
    struct code_tree code;
    const bool has_code = code_tree_make(&code, run->epoch, run->names);

    json_object_set_new(shown, "lanes", report_lanes_json(run));
    json_object_set_new(shown, "classes", report_classes_json(run));
    json_object_set_new(shown, "code", report_code_json(has_code ? &code : NULL, NULL));
    if (has_code)
        code_tree_free(&code);
}

static void put_note(json_t *shown)
{
    json_array_append_new(json_object_get(json_object_get(shown, "trust"), "findings"),
                          json_pack("{s:s, s:s, s:s}", "level", "note", "topic", "history", "text",
                                    "Time lines and code are of the newest part of the run: older samples are no longer kept here."));
}

static void put_history(json_t *shown, struct served_line *line, const struct report_run *table)
{
    struct reading *r = xrealloc_array(NULL, 1, sizeof(*r));
    struct epoch *e;

    if (read_history(r, line)) {
        e = line_watch_newest(&r->model);
        if (e && e->id == table->epoch->id) {
            epoch_name_rows(e);
            if (line->history.cut && e->samples)
                samples_begin_at_first(e->samples);
            put_single(shown, &(struct report_run){.path = "-", .again = r->path, .stream = &r->stream, .model = &r->model, .epoch = e,
                                                   .names = table->names});
            if (line->history.cut)
                put_note(shown);
        }
        end_reading(r);
    }
    free(r);
}

/* NULL: there is no table yet. */
static json_t *make_data(struct served_line *line)
{
    const struct epoch *e = line_watch_epoch(&line->watch);
    struct symbol_resolver names;
    struct report_run run;
    json_t *data, *shown;

    if (!e)
        return NULL;
    resolver_init(&names);
    run = (struct report_run){.path = "-", .stream = &line->watch.stream, .model = line_watch_model(&line->watch), .epoch = e, .names = &names};
    data = report_data_json(&run, 1);
    shown = json_array_get(json_object_get(data, "runs"), 0);
    json_object_set_new(shown, "file", json_text_or_null(line->watch.name));
    put_history(shown, line, &run);
    resolver_free(&names);
    return data;
}

bool live_page_put(FILE *out, struct served_line *line, unsigned number)
{
    char path[64];
    const struct report_page page = {.data = make_data(line), .live = path};
    bool written;

    if (!page.data)
        return false;
    snprintf(path, sizeof(path), LIVE_PAGES "%u" LIVE_EVENTS, number);
    written = report_page_write(&page, out);
    json_decref((json_t *)(uintptr_t)page.data);
    return written;
}

/* A message of the event stream; JSON without white space has no line feed. */
static char *event_of(json_t *data, size_t *length)
{
    char *json = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(12)), *text = NULL;

    if (json) {
        text = xasprintf("data: %s\n\n", json);
        *length = strlen(text);
    }
    free(json);
    json_decref(data);
    return text;
}

char *live_page_event(struct served_line *line, struct live_place *place, size_t *length)
{
    const struct epoch *e = line_watch_epoch(&line->watch);

    const double now = monotonic_seconds();
    char *event;

    if (!e || now < place->next || (e->id == place->epoch && e->snapshot->serial == place->serial))
        return NULL;
    *place = (struct live_place){.epoch = e->id, .serial = e->snapshot->serial};
    event = event_of(make_data(line), length);
    place->next = now + (REST + 1) * (monotonic_seconds() - now);
    return event;
}
