/* SPDX-License-Identifier: MIT */
/*
 * The difference of two shares and its tests: Newcombe, Statistics in Medicine
 * 17, 1998 (interval); Welch, Biometrika 34, 1947 (degrees of freedom); Holm,
 * Scandinavian Journal of Statistics 6, 1979 (correction).
 */
#include "tools/analysis/share_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

/* From this many degrees of freedom on, t counts as normal. */
#define NORMAL_FROM 1000

static double share_of(const struct tally *t)
{
    return t->samples ? (double)t->hits / (double)t->samples : 0;
}

/* The tally of the row if all unknown samples belonged to it. */
static struct tally at_most(const struct share_diff_run *run, const struct tally *t)
{
    uint64_t others = t->samples - t->hits;
    uint64_t more = run->unknown < others ? run->unknown : others;

    return (struct tally){t->hits + more, t->samples, t->changes + more};
}

/* A tally with its share moved by as much as handlers may have moved it. */
static struct tally moved(const struct share_diff_run *run, struct tally t, bool up)
{
    const uint64_t room = (uint64_t)ceil((double)t.hits * run->estimator.bias);
    const uint64_t limit = up ? t.samples - t.hits : t.hits, by = room < limit ? room : limit;

    t.hits = up ? t.hits + by : t.hits - by;
    return t;
}

struct confidence share_diff_share(const struct share_diff_run *run, const struct tally *t,
                                   enum level level)
{
    struct tally most = at_most(run, t);
    struct confidence i = confidence_of(&run->estimator, t, level);

    if (most.hits > t->hits)
        i.high = confidence_of(&run->estimator, &most, level).high;
    return i;
}

const char *share_diff_reason(const struct share_diff *c)
{
    if (c->a.estimator.reason)
        return c->a.estimator.reason;
    if (c->b.estimator.reason)
        return c->b.estimator.reason;
    return c->a.samples && c->b.samples ? NULL : "no samples";
}

/* ---- tests ---- */

/*
 * 1 - A(t|n) for whole n: the finite series in the angle of t (Abramowitz and
 * Stegun, 26.7.3 and 26.7.4).
 */
static double student_series(double t, unsigned n)
{
    double angle = atan(t / sqrt(n)), cosine = cos(angle), sum = 0, term;
    unsigned from = n % 2 ? 3 : 2;

    term = n % 2 ? cosine : 1;
    for (unsigned k = from; k <= n; k += 2) {
        sum += term;
        term *= cosine * cosine * (k - 1) / k;
    }
    sum *= sin(angle);
    return n % 2 ? 1 - 2 / M_PI * (angle + sum) : 1 - sum;
}

double share_diff_student(double t, double freedom)
{
    double p;

    t = fabs(t);
    if (!(freedom <= NORMAL_FROM))
        return erfc(t / sqrt(2));
    p = student_series(t, freedom < 1 ? 1 : (unsigned)freedom);
    return p > 0 ? p : 0; /* rounding can make it negative for large t */
}

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/*
 * Given the hits of both runs together, the hits of B have a hypergeometric distribution.  The tail
 * is summed from the observed outcome away from the mean, where the terms only decrease.
 */
double share_diff_fisher(const struct tally *a, const struct tally *b)
{
    const struct tally *up = share_of(b) >= share_of(a) ? b : a, *down = up == b ? a : b;
    double n = (double)up->samples, m = (double)down->samples;
    double k = (double)up->hits, j = (double)down->hits;
    double term = exp(log_choose(n, k) + log_choose(m, j) - log_choose(n + m, k + j));
    double sum = 0;

    for (; term > sum * 1e-16; k++, j--) {
        sum += term;
        if (k >= n || j <= 0)
            break;
        term *= (n - k) / (k + 1) * (j / (m - j + 1));
    }
    return fmin(1, 2 * sum);
}

/* Whether a share is too near to 0 or 1 for a useful estimate of its variance. */
static bool is_few(const struct tally *t)
{
    return t->hits < SHARE_DIFF_FEW || t->samples - t->hits < SHARE_DIFF_FEW;
}

/* Test of equal shares by counts alone; deff widens the variance of samples that vary more than independent ones. */
static double pooled_p(const struct tally *a, const struct tally *b, double deff_a,
                       double deff_b)
{
    double n = (double)a->samples, m = (double)b->samples;
    double p = (double)(a->hits + b->hits) / (n + m);
    double variance = p * (1 - p) * (deff_a / n + deff_b / m);

    return variance > 0 ? share_diff_student((share_of(b) - share_of(a)) / sqrt(variance), INFINITY)
                        : 1;
}

static double variance_of(const struct estimator *e, const struct tally *t)
{
    double p = share_of(t);

    return confidence_deff(e, t) * p * (1 - p) / (double)t->samples;
}

/* The variance's term in Welch's degrees of freedom. */
static double doubt_of(const struct estimator *e, const struct tally *t, double variance)
{
    return variance * variance / confidence_freedom(e, t);
}

/* Test with each run's own variance by its sampling design. */
static double design_p(const struct share_diff *c, const struct tally *a, const struct tally *b)
{
    double v = variance_of(&c->a.estimator, a), w = variance_of(&c->b.estimator, b);
    double doubt = doubt_of(&c->a.estimator, a, v) + doubt_of(&c->b.estimator, b, w);
    double freedom = doubt > 0 ? (v + w) * (v + w) / doubt : INFINITY;

    return share_diff_student((share_of(b) - share_of(a)) / sqrt(v + w), freedom);
}

static double at_least_one(const struct estimator *e, const struct tally *t)
{
    return e->pairing == PAIR_STRATUM ? 1 : fmax(1, confidence_deff(e, t));
}

/*
 * Two samples in each stratum never vary more than the same number of independent ones: the plain
 * test is valid too, and stronger if there are few pairs.
 */
static double test(const struct share_diff *c, const struct tally *a, const struct tally *b)
{
    const struct estimator *e = &c->a.estimator, *f = &c->b.estimator;
    double plain = pooled_p(a, b, at_least_one(e, a), at_least_one(f, b)), design;

    if (is_few(a) || is_few(b))
        return fmax(plain, share_diff_fisher(a, b));
    design = design_p(c, a, b);
    if (e->pairing == PAIR_STRATUM && f->pairing == PAIR_STRATUM)
        return fmin(plain, design);
    return design;
}

/* Unknown samples, and what handlers move shares by, are assigned so that the difference becomes smallest. */
static double p_of(const struct share_diff *c, const struct tally *a, const struct tally *b)
{
    const struct tally most_a = moved(&c->a, at_most(&c->a, a), true), least_a = moved(&c->a, *a, false);
    const struct tally most_b = moved(&c->b, at_most(&c->b, b), true), least_b = moved(&c->b, *b, false);

    if (share_of(&least_b) > share_of(&most_a))
        return test(c, &most_a, &least_b);
    if (share_of(&most_b) < share_of(&least_a))
        return test(c, &least_a, &most_b);
    return 1;
}

/* ---- rows ---- */

struct confidence share_diff_newcombe(const struct confidence *a, const struct confidence *b)
{
    const double difference = b->estimate - a->estimate;

    return (struct confidence){
        difference, difference - hypot(b->estimate - b->low, a->high - a->estimate),
        difference + hypot(b->high - b->estimate, a->estimate - a->low),
    };
}

/* What chance alone allows. */
static struct confidence by_chance(const struct share_diff_run *run, const struct tally *t)
{
    struct share_diff_run chance = *run;

    chance.estimator.bias = 0;
    return share_diff_share(&chance, t, LEVEL_95);
}

/* How far handlers may move the difference: not as the square root of squares, for none of it is chance. */
static double room(const struct share_diff *c, double a, double b)
{
    return a * c->a.estimator.bias + b * c->b.estimator.bias;
}

void share_diff_row(const struct share_diff *c, struct share_diff_row *row)
{
    struct confidence a, b, both;

    row->difference = share_of(&row->b) - share_of(&row->a);
    row->low = row->high = row->p = row->adjusted = NAN;
    row->significant = false;
    if (share_diff_reason(c))
        return;
    a = by_chance(&c->a, &row->a);
    b = by_chance(&c->b, &row->b);
    both = share_diff_newcombe(&a, &b);
    row->low = fmax(both.low - room(c, a.high, b.high), -1);
    row->high = fmin(both.high + room(c, a.high, b.high), 1);
    row->p = p_of(c, &row->a, &row->b);
}

static int by_p(const void *left, const void *right)
{
    const struct share_diff_row *l = left, *r = right;

    return (l->p > r->p) - (l->p < r->p);
}

static int by_size(const void *left, const void *right)
{
    const struct share_diff_row *l = left, *r = right;
    double a = fabs(l->difference), b = fabs(r->difference);

    return a != b ? (a < b) - (a > b) : strcmp(l->name, r->name);
}

void share_diff_finish(struct share_diff *c)
{
    double worst = 0;

    for (size_t i = 0; i < c->rows; i++)
        share_diff_row(c, &c->row[i]);
    if (c->rows && !share_diff_reason(c)) {
        qsort(c->row, c->rows, sizeof(*c->row), by_p);
        for (size_t i = 0; i < c->rows; i++) {
            worst = fmax(worst, fmin(1, c->row[i].p * (double)(c->rows - i)));
            c->row[i].adjusted = worst;
            c->row[i].significant = worst <= SHARE_DIFF_FAMILY;
        }
    }
    if (c->rows)
        qsort(c->row, c->rows, sizeof(*c->row), by_size);
}

struct share_diff_row *share_diff_add(struct share_diff *c, const char *name)
{
    for (size_t i = 0; i < c->rows; i++)
        if (!strcmp(c->row[i].name, name))
            return &c->row[i];
    c->row = xrealloc_array(c->row, c->rows + 1, sizeof(*c->row));
    c->row[c->rows] = (struct share_diff_row){
        .name = name,
        .a.samples = c->a.samples,
        .b.samples = c->b.samples,
    };
    return &c->row[c->rows++];
}

void share_diff_free(struct share_diff *c)
{
    free(c->row);
    *c = (struct share_diff){0};
}

/* Conditions of --fail-if: parsed from a text and tested on a row. */

/* Decimal digits only: no "inf", no "0x1", nothing after them. */
static bool read_points(const char *text, double *points, bool *falls)
{
    const char *digits = text + (*text == '+' || *text == '-');
    char *end;

    if (!*digits || strspn(digits, "0123456789.") != strlen(digits))
        return false;
    *points = strtod(text, &end);
    *falls = *text == '-';
    return end != text && !*end;
}

/* Where the last " > " or " < " begins: a name may hold others, `operator<` or `a<b>`. */
static const char *find_sign(const char *text)
{
    for (const char *at = text + strlen(text); at > text; at--)
        if (at[0] == ' ' && (at[1] == '>' || at[1] == '<') && at[2] == ' ')
            return at;
    return NULL;
}

bool fail_if_parse(struct fail_condition *c, const char *text)
{
    const char *sign = find_sign(text), *number;
    bool less;

    *c = (struct fail_condition){.any = !strcmp(text, "any")};
    if (c->any)
        return true;
    if (!sign)
        return (*text == '+' || *text == '-') && read_points(text, &c->points, &c->falls);
    number = sign + 3 + strspn(sign + 3, " ");
    less = sign[1] == '<';
    /* A sign that contradicts the comparison, as in "NAME < +0.5", is a typing error. */
    if (!read_points(number, &c->points, &c->falls) || c->falls != less)
        return false;
    c->name = xrealloc_array(NULL, (size_t)(sign - text) + 1, 1);
    memcpy(c->name, text, (size_t)(sign - text));
    c->name[sign - text] = '\0';
    return true;
}

void fail_if_free(struct fail_condition *c)
{
    free(c->name);
    *c = (struct fail_condition){0};
}

bool fail_if_matches(const struct fail_condition *c, const struct share_diff_row *row)
{
    double points = 100 * row->difference;

    if (!row->significant || (c->name && strcmp(c->name, row->name)))
        return false;
    return c->any || (c->falls ? points < c->points : points > c->points);
}
