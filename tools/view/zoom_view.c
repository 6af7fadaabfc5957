/* SPDX-License-Identifier: MIT */
/* Prints the steps of a zoom, as a table or as JSON, and finds the hottest function or instruction of a profile. */
#include "tools/view/zoom_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/view/histogram_json.h"

#define ADDRESSES_AT 5  /* column */
#define FIGURES      36 /* columns: slot, hits, percent, interval */

/* ---- a line for each step ---- */

static int put_address(const struct zoom_view *v, char text[32], uint64_t address)
{
    return snprintf(text, 32, v->view->octal ? "%06" PRIo64 : "0x%" PRIx64, address);
}

/* If a line is too short for everything, the numbers get a line of their own. */
static void end_addresses(struct zoom_view *v)
{
    if (v->width + ADDRESSES_AT + FIGURES > (v->view->columns ? v->view->columns : VIEW_COLUMNS)) {
        view_end_line(&v->line);
        view_left(&v->line, "", ADDRESSES_AT);
    }
    if (v->line.length > ADDRESSES_AT)
        buf_pad(&v->line, v->width + ADDRESSES_AT);
}

void zoom_view_collect(struct zoom_view *v, const struct histogram_view *view)
{
    memset(v, 0, sizeof(*v));
    v->view = view;
    v->steps = json_array();
}

void zoom_view_head(struct zoom_view *v, const struct histogram_view *view, uint64_t high)
{
    static const char *const heads[][6] = {
        {"Step", "Addresses", "Slot", "Hits", "Percent", "  95 %"},
        {"====", "=========", "====", "====", "=======", "  =====-====="},
    };
    char text[32];

    memset(v, 0, sizeof(*v));
    v->view = view;
    v->line = (struct text_buf)TEXT_BUF(v->text);
    v->width = 2 * (unsigned)put_address(v, text, high) + 1;
    for (unsigned i = 0; i < 2; i++) {
        view_left(&v->line, heads[i][0], ADDRESSES_AT);
        buf_text(&v->line, heads[i][1]);
        end_addresses(v);
        buf_right(&v->line, heads[i][2], 6);
        buf_right(&v->line, heads[i][3], 9);
        buf_right(&v->line, heads[i][4], 8);
        buf_text(&v->line, heads[i][5]);
        view_end_line(&v->line);
    }
}

static void put_share(struct zoom_view *v, const struct tally *t)
{
    const struct profile *p = v->view->profile;
    const struct histogram_rule rule = {p->estimator, v->view->wald, p->samples, p->unresolved};
    const struct histogram_range r = histogram_range(&rule, t->hits, t->changes);
    const double percent = t->samples ? 100.0 / (double)t->samples : 0;

    buf_right(&v->line, DECIMAL(t->hits), 9);
    buf_right(&v->line, REAL(percent * r.hits, 2), 8);
    if (rule.estimator.reason && !rule.wald)
        return;
    buf_right(&v->line, REAL(percent * r.low, 2), 7);
    buf_parts(&v->line, "-", REAL(percent * r.high, 2));
}

/* What is at the addresses of a step. */
struct found {
    const char *what; /* "range", "slot", "functions" that share slots, "function", "instruction", "address" */
    const char *name, *code; /* NULL: none */
};

static void print_found(struct zoom_view *v, const struct found *f)
{
    char *text;

    if (asprintf(&text, "hottest%s%s%s%s%s%s", strcmp(f->what, "functions") ? " " : "",
                 strcmp(f->what, "functions") ? f->what : "", f->name ? ": " : "", f->name ? f->name : "",
                 f->code ? "  " : "", f->code ? f->code : "") < 0)
        return;
    printf("%*s%s\n", ADDRESSES_AT, "", view_name(text, v->view->columns ? v->view->columns - ADDRESSES_AT : 0));
    free(text);
}

static void append_step(struct zoom_view *v, uint64_t low, uint64_t high, unsigned shift, const struct found *f)
{
    const struct tally t = profile_between(v->view->profile, low, high);
    struct histogram_row_value row = histogram_row(v->view, &t, low, high);

    row.name = f->name;
    row.code = f->code;
    row.samples = REPORT_KNOWN_IF(v->windows, t.samples);
    row.slot = REPORT_KNOWN((uint64_t)1 << shift);
    row.found = f->what;
    json_array_append_new(v->steps, report_object_make(&histogram_row_object, &row));
}

static void print_step(struct zoom_view *v, uint64_t low, uint64_t high, const struct found *f)
{
    static struct region slots; /* static because of its size */
    const struct tally t = profile_between(v->view->profile, low, high);
    char text[32];

    region_init(&slots, &(struct region_request){ROW_ANY, MODE_USER, low, high});
    if (v->steps) {
        append_step(v, low, high, slots.shift, f);
        return;
    }
    snprintf(text, sizeof(text), "%4u ", ++v->rows);
    buf_text(&v->line, text);
    put_address(v, text, low);
    buf_text(&v->line, text);
    buf_char(&v->line, '-');
    put_address(v, text, high);
    buf_text(&v->line, text);
    end_addresses(v);
    snprintf(text, sizeof(text), "2^%u", (unsigned)slots.shift);
    buf_right(&v->line, text, 6);
    put_share(v, &t);
    view_end_line(&v->line);
    if (strcmp(f->what, "range") != 0)
        print_found(v, f);
    fflush(stdout);
}

/* ---- functions ---- */

/*
 * The row with the most hits in the addresses, and, if `outer` is not NULL, in its row `within`;
 * -1: no row has an atom there.
 */
static int32_t hottest_row(const struct zoom_code *c, const struct breakdown *b, const struct breakdown *outer,
                           int32_t within)
{
    const struct profile *p = c->view->profile;
    uint64_t *hits = xcalloc(b->rows + 1, sizeof(*hits));
    int32_t best = -1;

    for (size_t i = 0; i < p->atoms; i++) {
        const int32_t r = b->group[i];

        if (p->atom[i].address - c->low >= c->high - c->low || (outer && outer->group[i] != within))
            continue;
        hits[r] += p->atom[i].hits;
        if (best < 0 || hits[r] > hits[best])
            best = r;
    }
    free(hits);
    return best;
}

static void set_function(struct zoom_function *f, const struct profile *p, const struct breakdown_row *row)
{
    f->start = row->start;
    f->end = row->end;
    f->hits = row->tally.hits;
    f->samples = p->samples;
    zoom_name(f, view_name(row->name, ZOOM_NAME - 1));
}

/*
 * For slots shared by several functions or without a name: give their range, and the hottest
 * function with slots of its own.
 */
static void set_shared(const struct zoom_code *c, struct zoom_hottest *to)
{
    const struct profile *p = c->view->profile;
    const struct breakdown *b = &c->functions;
    const struct breakdown_row *best = NULL;

    to->shared = true;
    to->low = UINT64_MAX;
    to->high = 0;
    for (size_t i = 0; i < p->atoms; i++)
        if (b->group[i] == c->row) {
            to->low = p->atom[i].address < to->low ? p->atom[i].address : to->low;
            to->high = p->atom[i].end > to->high ? p->atom[i].end : to->high;
        }
    to->function.start = to->low;
    to->function.end = to->high;
    for (size_t i = 0; i < b->rows; i++)
        if (b->row[i].symbol && (!best || b->row[i].tally.hits > best->tally.hits))
            best = &b->row[i];
    if (best)
        set_function(&to->unshared, p, best);
}

bool zoom_code_hottest(void *code, struct zoom_hottest *to)
{
    struct zoom_code *c = code;
    const struct profile *p = c->view->profile;

    zoom_code_free(c);
    if (!breakdown_make(&c->functions, p, c->view->symbols, BREAKDOWN_FUNCTION))
        return false;
    c->row = hottest_row(c, &c->functions, NULL, 0);
    if (c->row < 0)
        return false;
    set_function(&to->function, p, &c->functions.row[c->row]);
    if (!c->functions.row[c->row].symbol)
        set_shared(c, to);
    return true;
}

void zoom_code_free(struct zoom_code *c)
{
    breakdown_free(&c->functions);
}

/* ---- the lines below a step ---- */

void zoom_view_step(struct zoom_view *v, const struct zoom *z)
{
    struct found f = {.what = "range"};

    if (z->how == ZOOM_AT_SLOT)
        f.what = "slot";
    else if (z->how > ZOOM_NARROWED)
        f = (struct found){z->shared ? "functions" : "function", z->function.name, NULL};
    print_step(v, z->low, z->high, &f);
}

void zoom_view_end(struct zoom_view *v, const struct zoom *z)
{
    const struct found f = {"functions", z->function.name, NULL};
    json_t *last;

    if (!z->shared || z->how >= ZOOM_SHARED)
        return;
    if (!v->steps) {
        print_found(v, &f);
        return;
    }
    last = json_array_get(v->steps, json_array_size(v->steps) - 1);
    json_object_set_new(last, "found", json_string(f.what));
    json_object_set_new(last, "name", json_text_or_null(f.name));
}

void zoom_view_instruction(struct zoom_view *v, const struct zoom_code *c)
{
    const bool known = c->functions.rows && !c->view->profile->slot;
    const struct breakdown_row *row;
    struct breakdown b;
    int32_t i;

    if (!breakdown_make(&b, c->view->profile, c->view->symbols, BREAKDOWN_INSTRUCTION))
        return;
    i = hottest_row(c, &b, known ? &c->functions : NULL, c->row);
    row = i < 0 ? NULL : &b.row[i];
    if (row)
        print_step(v, row->start, row->end > row->start ? row->end : row->start + 1,
                   &(struct found){row->text ? "instruction" : "address", row->name, row->text});
    breakdown_free(&b);
}

static const char *const modes[] = {"user", "supervisor", "kernel", "interrupt", NULL};
static const char *const until[] = {[ZOOM_TO_SHARE] = "share", [ZOOM_TO_FUNCTION] = "function",
                                    [ZOOM_TO_INSTRUCTION] = "instruction", NULL};

#define ZOOM_MEMBERS(M, O)                                                          \
    M(TEXT, task, "name of the task; null: any")                                    \
    O(WORD, mode, modes, "mode in which samples were counted")                      \
    M(COUNT, seconds, "length of each window that was asked for, s of the image")   \
    O(WORD, until, until, "where the zoom was to end")                              \
    M(FLAG, complete, "it got there; false: steps are those before an error or Ctrl-C") \
    HISTOGRAM_INTERVAL_MEMBERS(M, O)                                                \
    O(LIST, steps, histogram_row, "a window each, in the order of time; with until=instruction the last is a part " \
                                  "of the window before it; the interval is that of the last")
REPORT_WHOLE(zoom, "cpuprobe-zoom-1", ZOOM_MEMBERS)

void zoom_json(struct zoom_view *v, const struct zoom_told *told)
{
    const bool any = json_array_size(v->steps);

    json_print(REPORT_MAKE(zoom, .task = told->task, .mode = mode_name(told->mode), .seconds = told->seconds,
                           .until = until[told->goal], .complete = told->complete,
                           .interval = any ? histogram_interval(v->view) : NULL,
                           .interval_reason = any ? histogram_interval_reason(v->view) : NULL, .steps = v->steps),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    v->steps = NULL;
}
