/* SPDX-License-Identifier: MIT */
/* Makes the data of a report from what a server knows of a line. */
#include "tools/serve/live_page.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/json_value.h"
#include "tools/report/report_data.h"
#include "tools/report/report_page.h"
#include "tools/symbols/symbol_resolver.h"

/* NULL: there is no table yet. */
static json_t *make_data(struct served_line *line)
{
    const struct epoch *e = line_watch_epoch(&line->watch);
    struct symbol_resolver names;
    struct report_run run;
    json_t *data;

    if (!e)
        return NULL;
    resolver_init(&names);
    run = (struct report_run){.path = "-", .stream = &line->watch.stream, .model = line_watch_model(&line->watch), .epoch = e, .names = &names};
    data = report_data_json(&run, 1);
    resolver_free(&names);
    json_object_set_new(json_array_get(json_object_get(data, "runs"), 0), "file", json_text_or_null(line->watch.name));
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

    if (!e || (e->id == place->epoch && e->snapshot->serial == place->serial))
        return NULL;
    *place = (struct live_place){e->id, e->snapshot->serial};
    return event_of(make_data(line), length);
}
