/* SPDX-License-Identifier: MIT */
/* Makes the data of a report from what a server knows of a line. */
#include "tools/serve/live_page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/model/model_reader.h"
#include "tools/report/report_data.h"
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

/* The run of a table in what is kept of its stream; false: it is not there. */
static bool find_kept(struct report_run *kept, struct reading *r, const struct served_line *line,
                      const struct report_run *table)
{
    struct epoch *const e = line_watch_newest(&r->model);

    if (!e || e->id != table->epoch->id)
        return false;
    epoch_name_rows(e);
    if (line->history.cut && e->samples)
        samples_begin_at_first(e->samples);
    *kept = (struct report_run){.path = "-", .again = r->path, .stream = &r->stream, .model = &r->model, .epoch = e,
                                .names = table->names, .cut = line->history.cut};
    return true;
}

/* The table is that of the whole run.  NULL: there is none yet. */
static json_t *make_data(struct served_line *line)
{
    const struct epoch *e = line_watch_epoch(&line->watch);
    struct symbol_resolver names;
    struct report_run run, kept;
    struct reading *r;
    bool has_history;
    json_t *data;

    if (!e)
        return NULL;
    resolver_init(&names);
    run = (struct report_run){.path = "-", .name = line->watch.name, .stream = &line->watch.stream,
                              .model = line_watch_model(&line->watch), .epoch = e, .names = &names};
    r = xrealloc_array(NULL, 1, sizeof(*r));
    has_history = read_history(r, line);
    run.single = has_history && find_kept(&kept, r, line, &run) ? &kept : NULL;
    data = report_data_json(&run, 1);
    if (has_history)
        end_reading(r);
    free(r);
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
