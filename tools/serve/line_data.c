/* SPDX-License-Identifier: MIT */
/* Makes the data of a line's page: the table is that of the whole run, the rest is of what is kept of its stream. */
#include "tools/serve/line_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/report/report_page.h"
#include "tools/symbols/symbol_resolver.h"

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

struct page_key line_page_key(const struct line_watch *l, const struct epoch *e)
{
    return (struct page_key){e->id, e->snapshot->serial, l->boots, l->ends, l->hangups};
}

json_t *line_data_json(struct served_line *line)
{
    const struct epoch *e = line_watch_epoch(&line->watch);
    struct symbol_resolver names = {0};
    struct report_run run, kept;
    struct reading *r;
    bool has_history;
    json_t *data;

    if (!e)
        return NULL;
    run = (struct report_run){.path = "-", .name = line->watch.name, .stream = &line->watch.stream,
                              .model = line_watch_model(&line->watch), .epoch = e, .names = &names};
    r = xcalloc(1, sizeof(*r));
    has_history = read_history(r, line);
    run.single = has_history && find_kept(&kept, r, line, &run) ? &kept : NULL;
    data = report_data_json(&run, 1);
    if (has_history)
        end_reading(r);
    free(r);
    resolver_free(&names);
    return data;
}
