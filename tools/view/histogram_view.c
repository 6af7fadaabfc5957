/* SPDX-License-Identifier: MIT */
/* Makes slots from a profile, and prints them with names: the paper's Figures 4 and 5. */
#include "tools/view/histogram_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/core/region.h"
#include "tools/base/alloc.h"
#include "tools/base/pager.h"
#include "tools/base/printable.h"
#include "tools/base/range_map.h"

#define DOTS         3
#define HEX_BESIDE   21 /* columns before a name: those of an address, and of a continuation line */
#define OCTAL_BESIDE 25

unsigned view_within(unsigned columns)
{
    if (columns < HISTOGRAM_NARROW)
        return HISTOGRAM_NARROW;
    return columns < TEXT_BUF_SIZE ? columns : TEXT_BUF_SIZE - 1;
}

unsigned view_columns(unsigned otherwise)
{
    const unsigned columns = pager_columns();

    return columns ? view_within(columns) : otherwise;
}

void view_line(void *context, const char *text)
{
    (void)context;
    puts(text);
}

void view_end_line(struct text_buf *l)
{
    buf_trim(l);
    puts(l->text);
    buf_reset(l);
}

void view_left(struct text_buf *l, const char *text, unsigned width)
{
    buf_left(l, view_name(text, width), width);
}

struct histogram view_histogram(const struct histogram_view *v)
{
    const struct profile *p = v->profile;

    return (struct histogram){
        .task = p->request.task == ROW_ANY ? NULL : p->task,
        .mode = p->request.all_modes ? MODES : p->request.mode,
        .samples = p->samples,
        .active = p->active.hits,
        .changes_active = p->active.changes,
        .below = p->below,
        .above = p->above,
        .lost = p->unresolved,
        .maskable = p->maskable,
        .estimator = p->estimator,
    };
}

struct histogram_options view_options(const struct histogram_view *v)
{
    return (struct histogram_options){
        .octal = v->octal, .wald = v->wald, .min = v->min, .columns = v->columns,
    };
}

/* ---- the slots ---- */

/* From the first address with hits to the last. */
static void span_of_hits(const struct profile *p, uint64_t *low, uint64_t *high)
{
    *low = p->atoms ? p->atom[0].address : 0;
    *high = p->atoms ? p->atom[p->atoms - 1].end : 1;
    if (*high <= *low) /* the sum wrapped at the last address */
        *high = UINT64_MAX;
}

static void take_region_slots(const struct profile *p, struct histogram *h,
                              struct histogram_slot *slots)
{
    h->slot = p->slot;
    h->base = p->request.low & ~(p->slot - 1);
    h->high = p->request.high;
    for (size_t i = 0; i < p->atoms; i++)
        slots[h->count++] = (struct histogram_slot){
            p->atom[i].address & ~(p->slot - 1), p->atom[i].hits, p->atom[i].changes};
}

/* One group for each slot of the region that has an atom. */
static void take_sampled_slots(const struct profile *p, const struct region *r,
                               struct histogram *h, struct histogram_slot *slots)
{
    int32_t *group = xrealloc_array(NULL, p->atoms + 1, sizeof(*group));
    struct tally *tally = xrealloc_array(NULL, p->atoms + 1, sizeof(*tally));

    h->slot = (uint64_t)1 << r->shift;
    h->base = r->base;
    for (size_t i = 0; i < p->atoms; i++) {
        uint64_t start = p->atom[i].address >> r->shift << r->shift;

        group[i] = -1;
        if (p->atom[i].address - r->low >= r->length)
            continue;
        if (!h->count || slots[h->count - 1].address != start)
            slots[h->count++].address = start;
        group[i] = (int32_t)h->count - 1;
    }
    profile_group(p, group, h->count, tally);
    for (size_t s = 0; s < h->count; s++) {
        slots[s].hits = tally[s].hits;
        slots[s].changes = tally[s].changes;
    }
    free(group);
    free(tally);
}

/* ---- the names ---- */

const char *view_name(const char *name, unsigned width)
{
    static char *shown;
    const size_t length = strlen(name), room = width > DOTS ? width - DOTS : 0, end = room / 2;

    shown = xrealloc_array(shown, length + DOTS + 1, 1);
    if (width && length > width)
        sprintf(shown, "%.*s...%s", (int)(room - end), name, name + length - end);
    else
        strcpy(shown, name);
    return printable(shown);
}

/* The names of slots, each in so many columns. */
struct naming {
    const struct code_files *symbols;
    unsigned width;
};

static bool next_in(const struct symbols *s, uint64_t from, unsigned width, struct histogram_symbol *to)
{
    for (uint64_t end; s; from = end) {
        size_t index = range_map_find(&s->by_address, from, &end);

        if (index != RANGE_NONE) {
            *to = (struct histogram_symbol){
                view_name(symbols_display_name(&s->symbol[index]), width), s->symbol[index].start, end};
            return true;
        }
        if (end == UINT64_MAX)
            return false;
    }
    return false;
}

static bool next_symbol(void *context, uint64_t from, struct histogram_symbol *to)
{
    const struct naming *const n = context;

    if (from < UPPER_HALF && next_in(n->symbols->program.symbols, from, n->width, to))
        return true;
    return next_in(n->symbols->image.symbols, from < UPPER_HALF ? UPPER_HALF : from, n->width, to);
}

/* Columns for the longest of the names that slots have. */
static unsigned longest_name(const struct histogram *h, const struct code_files *symbols, uint64_t min)
{
    struct naming whole = {symbols, 0};
    struct histogram_symbol s;
    size_t longest = 0;

    for (size_t i = 0; i < h->count; i++) {
        const uint64_t last = h->slots[i].address + (h->slot - 1);

        for (uint64_t from = h->slots[i].address; h->slots[i].hits >= min && from <= last; from = s.end) {
            if (!next_symbol(&whole, from, &s) || s.start > last || s.end <= from)
                break;
            longest = strlen(s.name) > longest ? strlen(s.name) : longest;
        }
    }
    return longest < TEXT_BUF_SIZE ? (unsigned)longest : TEXT_BUF_SIZE;
}

/* Make names as long as lines have room for: the printer would cut them at their ends. */
static void name_slots(struct histogram_options *o, struct naming *n, const struct histogram *h)
{
    const unsigned beside = o->octal ? OCTAL_BESIDE : HEX_BESIDE;

    if (!o->columns) {
        const unsigned wanted = longest_name(h, n->symbols, o->min) + beside;

        o->columns = wanted < 80 ? 80 : view_within(wanted);
    }
    n->width = o->columns - beside;
    o->symbol = next_symbol;
    o->symbols = n;
}

struct histogram view_slots_of(const struct histogram_view *v, uint64_t low, uint64_t high,
                               struct histogram_slot *slots)
{
    const struct profile *p = v->profile;
    struct histogram h = view_histogram(v);
    struct region region;

    if (p->slot) {
        take_region_slots(p, &h, slots);
    } else {
        if (!low && !high)
            span_of_hits(p, &low, &high);
        region_init(&region, &(struct region_request){ROW_ANY, MODE_USER, low, high});
        h.high = high;
        take_sampled_slots(p, &region, &h, slots);
    }
    h.slots = slots;
    return h;
}

void view_slots(const struct histogram_view *v, uint64_t low, uint64_t high)
{
    struct histogram_slot *slots = xrealloc_array(NULL, v->profile->atoms + 1, sizeof(*slots));
    const struct histogram h = view_slots_of(v, low, high, slots);
    struct histogram_options o = view_options(v);
    struct naming naming = {.symbols = v->symbols};

    if (v->names)
        name_slots(&o, &naming, &h);
    histogram_print(&h, &o, view_line, NULL);
    free(slots);
}
