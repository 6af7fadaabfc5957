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

unsigned view_columns(void)
{
    const unsigned columns = pager_columns();

    if (!columns)
        return 80;
    if (columns < HISTOGRAM_NARROW)
        return HISTOGRAM_NARROW;
    return columns < TEXT_BUF_SIZE ? columns : TEXT_BUF_SIZE - 1;
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
    size_t length = strlen(text);
    const size_t end = l->length + width;

    if (length > width) {
        for (unsigned i = 0; i + 3 < width; i++)
            buf_char(l, text[i]);
        buf_text(l, "...");
    } else {
        buf_text(l, text);
    }
    buf_pad(l, end);
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

const char *view_printable(const char *name)
{
    static char shown[TEXT_BUF_SIZE];

    snprintf(shown, sizeof(shown), "%s", name);
    printable(shown);
    return shown;
}

static bool next_in(const struct symbols *s, uint64_t from, struct histogram_symbol *to)
{
    for (uint64_t end; s; from = end) {
        size_t index = range_map_find(&s->by_address, from, &end);

        if (index != RANGE_NONE) {
            *to = (struct histogram_symbol){
                view_printable(symbols_display_name(&s->symbol[index])), s->symbol[index].start, end};
            return true;
        }
        if (end == UINT64_MAX)
            return false;
    }
    return false;
}

static bool next_symbol(void *context, uint64_t from, struct histogram_symbol *to)
{
    const struct code_files *symbols = context;

    if (from < UPPER_HALF && next_in(symbols->program.symbols, from, to))
        return true;
    return next_in(symbols->image.symbols, from < UPPER_HALF ? UPPER_HALF : from, to);
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

    if (v->names) {
        o.symbol = next_symbol;
        o.symbols = (void *)v->symbols;
    }
    histogram_print(&h, &o, view_line, NULL);
    free(slots);
}
