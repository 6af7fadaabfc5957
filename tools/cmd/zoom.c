/* SPDX-License-Identifier: MIT */
/*
 * The paper's "automatically repeat its monitoring with continually smaller
 * address limits", over samples that are all there already.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/core/region.h"
#include "probe/stats/zoom.h"
#include "tools/base/cli.h"
#include "tools/cmd/histogram_view.h"

#define ADDRESSES_AT 5  /* column */
#define FIGURES      36 /* columns: slot, hits, percent, interval */

struct zoom {
    const struct histogram_view *view;
    const struct profile *profile;
    struct histogram_rule rule;
    uint64_t low, high;  /* the addresses now, [low, high) */
    uint64_t least;      /* hits that must stay while narrowing */
    unsigned step, width; /* number of the last step; width of its addresses */
    struct region slots; /* of these addresses, hits only */
    struct text_buf line;
    char text[TEXT_BUF_SIZE];
};

/* ---- what is in the addresses ---- */

static void fill_slots(struct zoom *z)
{
    const struct profile *p = z->profile;
    struct region *r = &z->slots;

    region_init(r, &(struct region_request){ROW_ANY, p->request.mode, z->low, z->high});
    for (size_t i = 0; i < p->atoms; i++)
        if (p->atom[i].address - r->low < r->length)
            r->hits[(p->atom[i].address - r->base) >> r->shift] += p->atom[i].hits;
}

/* ---- a line for each step ---- */

static void put_address(struct zoom *z, uint64_t address)
{
    char text[32];

    snprintf(text, sizeof(text), z->view->octal ? "%06" PRIo64 : "0x%" PRIx64, address);
    buf_text(&z->line, text);
}

static unsigned address_width(const struct zoom *z)
{
    return (unsigned)snprintf(NULL, 0, z->view->octal ? "%06" PRIo64 : "0x%" PRIx64, z->high);
}

/* Where a line has no room for all, the figures stand in a line of their own. */
static void end_addresses(struct zoom *z)
{
    if (z->width + ADDRESSES_AT + FIGURES > z->view->columns) {
        view_end_line(&z->line);
        view_left(&z->line, "", ADDRESSES_AT);
    }
    if (z->line.length > ADDRESSES_AT)
        buf_pad(&z->line, z->width + ADDRESSES_AT);
}

static void print_columns(struct zoom *z)
{
    for (int ruled = 0; ruled < 2; ruled++) {
        view_left(&z->line, ruled ? "====" : "Step", ADDRESSES_AT);
        buf_text(&z->line, ruled ? "=========" : "Addresses");
        end_addresses(z);
        buf_right(&z->line, ruled ? "====" : "Slot", 6);
        buf_right(&z->line, ruled ? "====" : "Hits", 9);
        buf_right(&z->line, ruled ? "=======" : "Percent", 8);
        buf_text(&z->line, ruled ? "  =====-=====" : "  95 %");
        view_end_line(&z->line);
    }
}

static void put_share(struct zoom *z, const struct tally *t)
{
    struct histogram_range r = histogram_range(&z->rule, t->hits, t->changes);
    double percent = t->samples ? 100.0 / (double)t->samples : 0;

    buf_right(&z->line, DECIMAL(t->hits), 9);
    buf_right(&z->line, REAL(percent * r.hits, 2), 8);
    if (z->rule.estimator.reason && !z->rule.wald)
        return;
    buf_right(&z->line, REAL(percent * r.low, 2), 7);
    buf_parts(&z->line, "-", REAL(percent * r.high, 2));
}

static void print_step(struct zoom *z, uint64_t low, uint64_t high, const char *what)
{
    const struct tally t = profile_between(z->profile, low, high);
    char text[32];

    z->low = low;
    z->high = high;
    fill_slots(z);
    snprintf(text, sizeof(text), "%4u ", ++z->step);
    buf_text(&z->line, text);
    put_address(z, low);
    buf_char(&z->line, '-');
    put_address(z, high);
    end_addresses(z);
    snprintf(text, sizeof(text), "2^%u", (unsigned)z->slots.shift);
    buf_right(&z->line, text, 6);
    put_share(z, &t);
    view_end_line(&z->line);
    if (what) {
        view_left(&z->line, "", ADDRESSES_AT);
        view_left(&z->line, what, z->view->columns - ADDRESSES_AT);
        view_end_line(&z->line);
    }
}

/* ---- the steps ---- */

/* The paper's step; false where lowest and highest slot have hits already. */
static bool narrow(struct zoom *z)
{
    const struct zoom_slots slots = {z->slots.hits, z->slots.base, z->slots.shift, z->low, z->high};
    uint64_t low, high;

    if (!zoom_narrow(&slots, z->least, &low, &high))
        return false;
    print_step(z, low, high, NULL);
    return true;
}

/*
 * Of the rows with an atom in the addresses, and in row `within` of `outer` where
 * that is not NULL, the one with most hits there; -1: none.
 */
static int32_t hottest(const struct zoom *z, const struct breakdown *b,
                       const struct breakdown *outer, int32_t within)
{
    const struct profile *p = z->profile;
    uint64_t *hits = xrealloc_array(NULL, b->rows + 1, sizeof(*hits));
    int32_t best = -1;

    for (size_t r = 0; r < b->rows; r++)
        hits[r] = 0;
    for (size_t i = 0; i < p->atoms; i++) {
        int32_t r = b->group[i];

        if (p->atom[i].address - z->low >= z->high - z->low ||
            (outer && outer->group[i] != within))
            continue;
        hits[r] += p->atom[i].hits;
        if (best < 0 || hits[r] > hits[best])
            best = r;
    }
    free(hits);
    return best;
}

/* A step to a row, unless it is one without a name that leads nowhere. */
static void step_to(struct zoom *z, const struct breakdown_row *row, const char *what)
{
    uint64_t low = row->start, high = row->end;
    char *text;

    if (!row->known) { /* a page: what was found in it stays found */
        low = low > z->low ? low : z->low;
        high = high < z->high ? high : z->high;
        if (low == z->low && high == z->high)
            return;
    }
    if (asprintf(&text, "hottest %s: %s%s%s", what, row->name, row->text ? "  " : "",
                 row->text ? row->text : "") < 0)
        text = NULL;
    print_step(z, low, high, text);
    free(text);
}

static void to_instruction(struct zoom *z, const struct breakdown *functions, int32_t function)
{
    struct breakdown b;
    int32_t row;

    if (!breakdown_make(&b, z->profile, z->view->symbols, BREAKDOWN_INSTRUCTION))
        return;
    row = hottest(z, &b, functions, function);
    if (row >= 0)
        step_to(z, &b.row[row], b.row[row].text ? "instruction" : "address");
    breakdown_free(&b);
}

static void to_function(struct zoom *z, enum zoom_to to)
{
    struct breakdown b;
    int32_t row;

    if (!breakdown_make(&b, z->profile, z->view->symbols, BREAKDOWN_FUNCTION))
        return;
    row = hottest(z, &b, NULL, 0);
    if (row >= 0) {
        step_to(z, &b.row[row], b.row[row].known ? "function" : "page");
        if (to == ZOOM_INSTRUCTION)
            to_instruction(z, &b, row);
    }
    breakdown_free(&b);
}

/* Where hits can be at all: what was asked for, else the half of all addresses that has them. */
static void begin(struct zoom *z)
{
    const struct profile *p = z->profile;
    const uint64_t user_end = (uint64_t)1 << 47;

    z->low = p->request.low;
    z->high = p->request.high;
    if (z->low || z->high)
        return;
    z->high = p->atom[p->atoms - 1].address < user_end ? user_end : UINT64_MAX;
    z->low = p->atom[0].address >= -user_end ? -user_end : 0;
}

bool view_zoom(const struct histogram_view *v, enum zoom_to to, unsigned percent)
{
    const struct profile *p = v->profile;
    struct histogram h = view_histogram(v);
    struct histogram_options o = view_options(v);
    struct histogram_slot all = {0, p->active.hits - p->below - p->above, 0};
    struct zoom z = {
        .view = v, .profile = p, .rule = {p->estimator, v->wald, p->samples, p->unresolved},
    };

    if (p->slot) {
        cli_error("a zoom needs raw samples (monitor=samples); this run has a region");
        return false;
    }
    h.slots = &all;
    h.count = 1;
    histogram_print_heading(&h, &o, 0, view_line, NULL);
    if (!p->atoms)
        return true;
    z.line = (struct text_buf)TEXT_BUF(z.text);
    begin(&z);
    z.width = 2 * address_width(&z) + 1;
    z.least = (uint64_t)((double)all.hits * percent / 100.0 + 0.999999);
    print_columns(&z);
    print_step(&z, z.low, z.high, NULL);
    while (narrow(&z))
        ;
    to_function(&z, to);
    return true;
}
