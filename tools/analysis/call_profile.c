/* SPDX-License-Identifier: MIT */
/* Lays counted calls over sampled hits, function by function of the program's file. */
#include "tools/analysis/call_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

/* ---- what is instrumented ---- */

static const struct symbol *named(const struct symbols *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->symbol[i].name, name))
            return &s->symbol[i];
    return NULL;
}

/* "call 0x401234" or, at the end of a function, "jmp 0x401234". */
static bool goes_to(const struct instruction *i, uint64_t address)
{
    const char *const space = strchr(i->text, ' ');

    return space && (!strncmp(i->text, "call ", 5) || !strncmp(i->text, "jmp ", 4)) &&
           strtoull(space + 1, NULL, 0) == address;
}

/* Where the code is not known every function may be.  `hook`: NULL where the program has none. */
static bool is_instrumented(struct disassembly *d, const struct symbol *function, const struct symbol *hook)
{
    struct instruction i;

    if (!strncmp(function->name, CALL_OWN, strlen(CALL_OWN)))
        return false;
    if (!d)
        return true;
    if (!hook || !disassembly_find(d, function->start, &i))
        return false;
    do {
        if (goes_to(&i, hook->start))
            return true;
    } while (disassembly_next(d, &i) && i.start < function->end);
    return false;
}

/* ---- samples ---- */

static double of_task(const struct profile *p, double share)
{
    return 100.0 * fmin(share * (double)p->active.samples / (double)p->active.hits, 1.0);
}

static const struct sampled_share not_known = {0, NAN, NAN, NAN};

/* The task's own samples are taken as known: the interval is that of the function's alone. */
static struct sampled_share sampled_share(const struct profile *p, const struct symbol *function)
{
    struct sampled_share s = not_known;
    struct tally tally;

    if (!p || !function || !p->active.hits)
        return s;
    tally = profile_between(p, function->start, function->end);
    s.hits = tally.hits;
    s.percent = 100.0 * (double)tally.hits / (double)p->active.hits;
    if (!p->estimator.reason) {
        const struct confidence c = confidence_of(&p->estimator, &tally, LEVEL_95);

        s.low = of_task(p, c.low);
        s.high = of_task(p, c.high);
    }
    return s;
}

/* ---- calls ---- */

static bool is_impossible(const struct wire_calls_row *row, const struct wire_calls *head)
{
    return row->exclusive > head->ran || row->inclusive > head->ran || head->ran > head->time;
}

/* Of each call a part of the cost lies in the function, the other in its caller. */
static double without_cost(const struct wire_calls_row *row, const struct wire_calls *head)
{
    const double inside = (double)head->inside / WIRE_CALLS_COST,
                 outside = ((double)head->cost - (double)head->inside) / WIRE_CALLS_COST;

    return fmax((double)row->exclusive - (double)row->calls * inside - (double)row->made * outside, 0.0);
}

static void take_calls(struct call_profile_row *to, const struct wire_calls_row *row, const struct wire_calls *head)
{
    to->counted = true;
    to->impossible = is_impossible(row, head);
    to->calls = row->calls;
    to->inclusive = (double)row->inclusive;
    to->exclusive = (double)row->exclusive;
    to->net = without_cost(row, head);
}

/* ---- rows ---- */

static struct call_profile_row *add_row(struct call_profile *c, uint64_t function)
{
    GROW(c->row, c->rows);
    c->row[c->rows] = (struct call_profile_row){.function = function, .instrumented = true};
    return &c->row[c->rows++];
}

static void add_function(struct call_profile *c, const struct call_profile_sources *from,
                         const struct symbol *function, const struct symbol *hook)
{
    const struct code_file *const file = &from->naming->symbols.program;
    const struct symbols *const beside = from->plain_naming ? from->plain_naming->symbols.program.symbols : NULL;
    const struct wire_calls_row *const calls = record_row_of(from->calls, function->start);
    struct call_profile_row *const row = add_row(c, function->start);

    row->name = symbols_display_name(function);
    row->sampled = sampled_share(from->sampled, function);
    row->instrumented = calls || is_instrumented(file->disassembly, function, hook);
    if (calls)
        take_calls(row, calls, record_last(from->calls));
    row->plain = sampled_share(from->plain, beside && (calls || row->sampled.hits) ? named(beside, function->name)
                                                                                   : NULL);
}

/* The program may write any address into its table. */
static void add_unnamed(struct call_profile *c, const struct call_profile_sources *from)
{
    const size_t named_rows = c->rows;

    for (size_t i = 0; i < from->calls->row.count; i++) {
        const struct wire_calls_row *const calls = record_row(from->calls, i);
        size_t n = 0;

        while (n < named_rows && c->row[n].function != calls->function)
            n++;
        if (n == named_rows) {
            struct call_profile_row *const row = add_row(c, calls->function);

            take_calls(row, calls, record_last(from->calls));
            if (!from->naming)
                row->sampled = row->plain = not_known;
        }
    }
}

static int by_time(const void *a, const void *b)
{
    const struct call_profile_row *x = a, *y = b;

    if (x->net != y->net)
        return x->net < y->net ? 1 : -1;
    if (x->sampled.hits != y->sampled.hits)
        return x->sampled.hits < y->sampled.hits ? 1 : -1;
    return x->function < y->function ? -1 : 1;
}

static void add_shares(struct call_profile *c, const struct wire_calls *head)
{
    double net = 0.0;

    for (size_t i = 0; i < c->rows; i++) {
        c->calls += c->row[i].calls;
        c->exclusive += c->row[i].exclusive;
        net += c->row[i].net;
        c->impossible += c->row[i].impossible;
    }
    for (size_t i = 0; i < c->rows; i++) {
        c->row[i].share = c->exclusive > 0.0 ? 100.0 * c->row[i].exclusive / c->exclusive : NAN;
        c->row[i].net_share = net > 0.0 ? 100.0 * c->row[i].net / net : NAN;
    }
    c->call_cost = (double)head->cost / WIRE_CALLS_COST;
    c->cost_share = head->ran ? 100.0 * (double)c->calls * c->call_cost / (double)head->ran : NAN;
}

bool call_profile_make(struct call_profile *c, const struct call_profile_sources *from)
{
    const struct symbols *const s = from->naming ? from->naming->symbols.program.symbols : NULL;
    const struct wire_calls *const head = record_last(from->calls);
    const struct symbol *hook;

    *c = (struct call_profile){0};
    if (!s && from->naming) {
        cli_error("no file names the functions of the instrumented program: --symbols FILE");
        return false;
    }
    hook = s ? named(s, CALL_HOOK) : NULL;
    for (size_t i = 0; s && i < s->count; i++)
        add_function(c, from, &s->symbol[i], hook);
    add_unnamed(c, from);
    add_shares(c, head);
    c->missing = from->calls->left_out;
    if (head->functions > from->calls->row.count)
        c->missing += head->functions - from->calls->row.count;
    if (c->rows)
        qsort(c->row, c->rows, sizeof(*c->row), by_time);
    return true;
}

void call_profile_free(struct call_profile *c)
{
    free(c->row);
    *c = (struct call_profile){0};
}
