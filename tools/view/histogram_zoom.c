/* SPDX-License-Identifier: MIT */
/* `cpuprobe histogram --zoom`: the zoom into recorded raw samples. */
#include "tools/base/cli.h"
#include "tools/view/histogram_json.h"
#include "tools/view/zoom_view.h"

#define USER_END ((uint64_t)1 << 47)

/* What the region monitor would have counted in these addresses. */
static void fill_slots(struct region *r, const struct profile *p, const struct zoom *z)
{
    region_init(r, &(struct region_request){ROW_ANY, p->request.mode, z->low, z->high});
    for (size_t i = 0; i < p->atoms; i++)
        if (p->atom[i].address - r->low < r->length)
            r->hits[(p->atom[i].address - r->base) >> r->shift] += p->atom[i].hits;
}

/* The first range of addresses: the requested one, else the half of the address space that has hits. */
static void begin(struct zoom *z, const struct profile *p, enum zoom_goal goal)
{
    uint64_t low = p->request.low, high = p->request.high;

    if (!low && !high) {
        high = p->atom[p->atoms - 1].address < USER_END ? USER_END : UINT64_MAX;
        low = p->atom[0].address >= -USER_END ? -USER_END : 0;
    }
    zoom_begin(z, goal, low, high);
    z->exact = true;
}

static void run_steps(struct zoom_view *view, struct zoom *z, uint64_t hits, uint64_t least)
{
    static struct region slots;
    const struct histogram_view *const v = view->view;
    struct zoom_code code = {.view = v};
    struct zoom_window window = {.hits = hits, .least = least, .hottest = zoom_code_hottest, .context = &code};

    do {
        zoom_view_step(view, z);
        code.low = z->low;
        code.high = z->high;
        fill_slots(&slots, v->profile, z);
        window.slots = (struct zoom_slots){slots.hits, slots.base, slots.shift, z->low, z->high};
    } while (zoom_next(z, &window));
    zoom_view_end(view, z);
    if (z->goal == ZOOM_TO_INSTRUCTION)
        zoom_view_instruction(view, &code);
    zoom_code_free(&code);
}

static bool has_addresses(const struct profile *p)
{
    if (p->slot)
        cli_error("a zoom needs raw samples (monitor=samples); this run has a region");
    return !p->slot;
}

static uint64_t hits_between(const struct profile *p)
{
    return p->active.hits - p->below - p->above;
}

static uint64_t least_of(uint64_t hits, unsigned percent)
{
    return (uint64_t)((double)hits * percent / 100.0 + 0.999999);
}

bool view_zoom(const struct histogram_view *v, enum zoom_goal goal, unsigned percent)
{
    struct histogram h = view_histogram(v);
    struct histogram_options o = view_options(v);
    struct histogram_slot all = {0, hits_between(v->profile), 0};
    struct zoom_view view;
    struct zoom z;

    if (!has_addresses(v->profile))
        return false;
    h.slots = &all;
    h.count = 1;
    histogram_print_heading(&h, &o, 0, view_line, NULL);
    if (v->profile->atoms) {
        begin(&z, v->profile, goal);
        zoom_view_head(&view, v, z.high);
        run_steps(&view, &z, all.hits, least_of(all.hits, percent));
    }
    return true;
}

bool view_zoom_json(const struct histogram_view *v, enum zoom_goal goal, unsigned percent)
{
    const uint64_t hits = hits_between(v->profile);
    struct zoom_view view;
    struct zoom z;

    if (!has_addresses(v->profile))
        return false;
    zoom_view_collect(&view, v);
    if (v->profile->atoms) {
        begin(&z, v->profile, goal);
        run_steps(&view, &z, hits, least_of(hits, percent));
    }
    histogram_print_json(v, HISTOGRAM_BY_STEP, 0, view.steps);
    return true;
}
