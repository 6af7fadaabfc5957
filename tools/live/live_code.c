/* SPDX-License-Identifier: MIT */
/* Reports on the code of one task, and zooms into it. */
#include "tools/live/live_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/talk/zoom_commands.h"
#include "tools/view/histogram_view.h"
#include "tools/view/zoom_view.h"

#define FUNCTION 40 /* columns of a name, and more where a line has them */
#define FIGURES  26 /* columns beside it */

/* ---- the report ---- */

static void add_line(void *code, const char *text)
{
    struct live_code *c = code;

    if (c->lines == LIVE_CODE_LINES)
        snprintf(c->line[c->lines - 1], TEXT_BUF_SIZE, "... and more than fits here");
    else
        snprintf(c->line[c->lines++], TEXT_BUF_SIZE, "%s", text);
}

/* The smallest region of the task, as the last step of a zoom is; NULL: none watches it. */
static const struct snapshot_region *region_of(const struct snapshot *s, uint32_t task)
{
    const struct snapshot_region *best = NULL;

    for (uint32_t i = 0; i < s->regions; i++)
        if ((s->region[i].task == task || s->region[i].task == ROW_ANY) &&
            (!best || s->region[i].high - s->region[i].low < best->high - best->low))
            best = &s->region[i];
    return best;
}

static void choose_names(struct live_code *c, const struct epoch *e, uint32_t task)
{
    if (c->chosen_epoch == e->id && c->chosen_task == task)
        return;
    resolver_choose(c->names, e, task, false);
    c->chosen_epoch = e->id;
    c->chosen_task = task;
}

static void add_functions(struct live_code *c, const struct profile *p, unsigned columns)
{
    const unsigned width = view_within(columns) < FUNCTION + FIGURES ? FUNCTION : view_within(columns) - FIGURES;
    struct breakdown b;
    char text[TEXT_BUF_SIZE];

    if (!breakdown_make(&b, p, &c->names->symbols, BREAKDOWN_FUNCTION))
        return;
    for (size_t i = 0; i < b.rows && i < LIVE_CODE_FUNCTIONS; i++) {
        const struct tally *t = &b.row[i].tally;
        const bool known = !p->estimator.reason && t->samples;
        const struct confidence limits = known ? confidence_of(&p->estimator, t, LEVEL_95) : (struct confidence){0};

        snprintf(text, sizeof(text), "  %-*s %5.1f %%", (int)width, view_name(b.row[i].name, width),
                 t->samples ? 100.0 * (double)t->hits / (double)t->samples : 0.0);
        if (known)
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "  %.2f-%.2f", 100.0 * limits.low,
                     100.0 * limits.high);
        add_line(c, text);
    }
    breakdown_free(&b);
}

/* A profile of the region; false if the epoch has none. */
static bool make_profile(struct live_code *c, struct epoch *e, const struct snapshot_region *region,
                         struct profile *p)
{
    const struct profile_request request = {
        .task = region->task, .mode = region->mode, .low = region->low, .high = region->high, .from_region = true,
    };

    choose_names(c, e, region->task);
    return profile_make(p, e, &request);
}

/* low and high are 0 where the addresses with hits are to be shown. */
static void add_slots(struct live_code *c, const struct profile *p, uint64_t low, uint64_t high, unsigned columns)
{
    const struct histogram_view view = {
        .profile = p, .symbols = &c->names->symbols, .columns = view_within(columns),
    };
    const struct histogram_options options = view_options(&view);
    struct histogram_slot *slot = xrealloc_array(NULL, p->atoms + 1, sizeof(*slot));
    const struct histogram h = view_slots_of(&view, low, high, slot);

    histogram_print(&h, &options, add_line, c);
    free(slot);
}

/* False if no region watches the task. */
static bool add_region(struct live_code *c, struct live_run *r, uint32_t task, unsigned columns)
{
    struct epoch *e = live_run_epoch(r);
    const struct snapshot_region *region = e ? region_of(e->snapshot, task) : NULL;
    struct profile p;

    if (!region || !make_profile(c, e, region, &p))
        return false;
    add_line(c, JOINED("functions, ", mode_name(region->mode), " mode, region ", HEX(region->low), "-",
                       HEX(region->high), ", of all samples since the start:"));
    add_functions(c, &p, columns);
    add_line(c, "");
    add_slots(c, &p, region->low, region->high, columns);
    profile_free(&p);
    return true;
}

/* The mode with most raw samples of the task; MODES: it has none. */
static enum mode sampled_mode(const struct epoch *e, uint32_t task)
{
    uint64_t hits[MODES] = {0};
    enum mode most = MODES;

    profile_modes_by_samples(e, task, hits);
    for (unsigned m = 0; m < MODES; m++)
        if (hits[m] > (most == MODES ? 0 : hits[most]))
            most = (enum mode)m;
    return most;
}

static void add_profile(struct live_code *c, const struct epoch *e, const struct profile *p, bool cut,
                        unsigned columns)
{
    const struct samples *s = e->samples;
    char head[TEXT_BUF_SIZE];

    snprintf(head, sizeof(head), "functions, %s mode, of %s%" PRIu64 " raw samples:", mode_name(p->request.mode),
             cut ? "the newest " : "all ", s->told);
    add_line(c, head);
    add_functions(c, p, columns);
    add_line(c, "");
    add_slots(c, p, 0, 0, columns);
}

/* False if there are no raw samples of the task. */
static bool add_samples(struct live_code *c, const struct live_link *l, uint32_t task, unsigned columns)
{
    struct model *m;
    struct epoch *e;
    struct profile_request request = {.task = task};
    struct profile p;
    bool made;

    if (!l->samples || !l->samples->any)
        return false;
    m = xcalloc(1, sizeof(*m));
    e = live_samples_read(l->samples, m, l->run->epoch);
    request.mode = e ? sampled_mode(e, task) : MODES;
    made = request.mode != MODES && profile_make(&p, e, &request);
    if (made) {
        choose_names(c, e, task);
        add_profile(c, e, &p, l->samples->history.cut, columns);
        profile_free(&p);
    }
    model_free(m);
    free(m);
    return made;
}

void live_code_make(struct live_code *c, struct live_link *l, uint32_t task, unsigned columns)
{
    c->lines = 0;
    if (!add_region(c, l->run, task, columns) && !add_samples(c, l, task, columns))
        add_line(c, l->is_file ? "no region and no raw sample of this task came: its code is not known" :
                    "no region of this task is watched: z asks the image to watch its code");
}

/* ---- the zoom ---- */

static enum mode busiest_mode(const struct snapshot *s, uint32_t task)
{
    enum mode most = MODE_USER;

    for (uint32_t r = 0; r < s->rows; r++)
        for (unsigned m = 0; m < MODES; m++)
            if (s->row[r].id == task && s->row[r].hits[m] > s->row[r].hits[most])
                most = (enum mode)m;
    return most;
}

static void begin(struct live_code *c, const struct live_run *r, uint32_t task)
{
    uint64_t low, high;

    if (!c->before[0])
        zoom_restore_command(c->before, r->words);
    c->zooming = true;
    c->zoom_task = task;
    c->zoom_mode = busiest_mode(r->whole, task);
    zoom_addresses(c->zoom_mode, &low, &high);
    zoom_begin(&c->zoom, ZOOM_TO_FUNCTION, low, high);
}

/* The region of this step in the last snapshot; NULL: it has not come yet. */
static const struct snapshot_region *watched(const struct live_code *c, const struct snapshot *s)
{
    for (uint32_t i = 0; i < s->regions; i++)
        if (s->region[i].task == c->zoom_task && s->region[i].low == c->zoom.low && s->region[i].high == c->zoom.high)
            return &s->region[i];
    return NULL;
}

static bool narrow(struct live_code *c, struct epoch *e, const struct snapshot_region *r)
{
    struct profile p;
    const struct histogram_view view = {.profile = &p, .symbols = &c->names->symbols};
    struct zoom_code code = {.view = &view, .low = c->zoom.low, .high = c->zoom.high};
    const uint64_t hits = r->active - r->below - r->above;
    const struct zoom_window window = {
        .slots = {r->hits, r->base, r->shift, r->low, r->high}, .hits = hits, .least = hits,
        .hottest = zoom_code_hottest, .context = &code,
    };
    bool more;

    if (!make_profile(c, e, r, &p))
        return false;
    more = zoom_next(&c->zoom, &window);
    zoom_code_free(&code);
    profile_free(&p);
    return more;
}

static bool next_step(struct live_code *c, struct live_run *r, char why[LIVE_TEXT])
{
    struct epoch *e = live_run_epoch(r);
    const struct snapshot_region *region = e ? watched(c, e->snapshot) : NULL;

    if (!region)
        snprintf(why, LIVE_TEXT, "the snapshot of this step has not come yet");
    else if (region->active == region->below + region->above)
        snprintf(why, LIVE_TEXT, "no hit there yet");
    else if (narrow(c, e, region))
        return true;
    else
        snprintf(why, LIVE_TEXT, "the zoom has ended%s%.100s; x restores the monitors",
                 c->zoom.function.name[0] ? " at " : "", c->zoom.function.name);
    return false;
}

bool live_code_zoom(struct live_code *c, struct live_link *l, uint32_t task, char why[LIVE_TEXT])
{
    char line[COMMAND_LINE], name[NAME_SIZE] = "";
    struct live_run *r = l->run;

    for (uint32_t i = 0; i < r->whole->rows; i++)
        if (r->whole->row[i].id == task)
            memcpy(name, r->whole->row[i].name, NAME_SIZE);
    if (task >= ROW_IDLE || !r->has_whole || !name[0]) {
        snprintf(why, LIVE_TEXT, "only a task has code to zoom into");
        return false;
    }
    if (!c->zooming || c->zoom_task != task)
        begin(c, r, task);
    else if (!next_step(c, r, why))
        return false;
    zoom_watch_command(line, name, c->zoom_mode, c->zoom.low, c->zoom.high);
    if (live_link_command(l, line))
        return true;
    c->zooming = false;
    snprintf(why, LIVE_TEXT, "%s", l->answer);
    return false;
}

void live_code_restore(struct live_code *c, struct live_link *l)
{
    if (c->before[0])
        live_link_command(l, c->before);
    c->before[0] = '\0';
    c->zooming = false;
}
