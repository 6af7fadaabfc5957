/* SPDX-License-Identifier: MIT */
/*
 * Two runs against each other: the interval of a difference and its test, by
 * published figures and by runs whose truth is known; and --fail-if.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/compare.h"
#include "tools/condition.h"

#define SEEDS 1000
#define CELLS 20

/*
 * What a right method may still miss by: chances of 1 in 1000, three and a bit
 * standard errors of a proportion over the seeds.
 */
static double slack(double proportion, double trials)
{
    return 3.1 * sqrt(proportion * (1 - proportion) / trials);
}

static void check_near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.9g, expected %.9g within %g", got, expected, within);
}

static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

/* Of independent samples: the policy's variance is that of counts. */
static struct compare_run run_of(enum pairing pairing, uint64_t samples)
{
    return (struct compare_run){{pairing, 1, NULL}, samples, 0};
}

static struct compare_row row_of(uint64_t hits_a, uint64_t n, uint64_t hits_b, uint64_t m)
{
    return (struct compare_row){.name = "f", .a = {hits_a, n, 0}, .b = {hits_b, m, 0}};
}

/* ---- published figures ---- */

/* Newcombe, Statistics in Medicine 17, 1998, 873-890, table II, method 10. */
static void test_newcombe(void **state)
{
    static const struct {
        uint64_t b, m, a, n;
        double low, high;
    } rows[] = {
        {56, 70, 48, 80, 0.0524, 0.3339}, {9, 10, 3, 10, 0.1705, 0.8090},
        {6, 7, 2, 7, 0.0582, 0.8062},     {5, 56, 0, 29, -0.0381, 0.1926},
        {0, 10, 0, 20, -0.1611, 0.2775},  {0, 10, 0, 10, -0.2775, 0.2775},
        {10, 10, 0, 20, 0.6791, 1.0000},  {10, 10, 0, 10, 0.6075, 1.0000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct compare c = {.a = run_of(PAIR_EACH, rows[i].n), .b = run_of(PAIR_EACH, rows[i].m)};
        struct compare_row row = row_of(rows[i].a, rows[i].n, rows[i].b, rows[i].m);

        compare_row(&c, &row);
        check_near(row.low, rows[i].low, 0.00006);
        check_near(row.high, rows[i].high, 0.00006);
    }
}

/* Two-sided points of tables: Student, and the normal distribution past 1000. */
static void test_student(void **state)
{
    static const struct {
        double t, freedom, p;
    } rows[] = {
        {12.70620, 1, 0.05},  {4.30265, 2, 0.05},   {3.18245, 3, 0.05}, {2.22814, 10, 0.05},
        {636.61925, 1, 0.001}, {31.59905, 2, 0.001}, {3.64596, 30, 0.001}, {0, 7, 1},
        {-2.04227, 30, 0.05}, {1.959964, INFINITY, 0.05}, {3.290527, INFINITY, 0.001},
        {1.962339, 1000, 0.05}, {3.300283, 1000, 0.001},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_near(compare_student(rows[i].t, rows[i].freedom), rows[i].p, 2e-6);
    assert_true(compare_student(1e9, 50) >= 0 && compare_student(1e9, 50) < 1e-12);
}

/* All outcomes with the same hits in all, one by one, by Pascal's rule. */
static double fisher_again(unsigned a, unsigned n, unsigned b, unsigned m)
{
    double choose[41][41] = {{0}}, up = 0, down = 0, all = 0;

    for (unsigned i = 0; i <= 40; i++)
        for (unsigned j = 0; j <= i; j++)
            choose[i][j] = j == 0 || j == i ? 1 : choose[i - 1][j - 1] + choose[i - 1][j];
    for (unsigned x = 0; x <= m && x <= a + b; x++) {
        double weight = a + b - x <= n ? choose[m][x] * choose[n][a + b - x] : 0;

        all += weight;
        up += x >= b ? weight : 0;
        down += x <= b ? weight : 0;
    }
    return fmin(1, 2 * fmin(up, down) / all);
}

static void test_fisher(void **state)
{
    const struct tally none = {0, 20, 0}, some = {5, 20, 0};
    struct tally far_a = {10, 100000000, 0}, far_b = {90000000, 100000000, 0};

    (void)state;
    for (unsigned a = 0; a <= 18; a++)
        for (unsigned b = 0; b <= 13; b++) {
            const struct tally left = {a, 18, 0}, right = {b, 13, 0};

            check_near(compare_fisher(&left, &right), fisher_again(a, 18, b, 13), 1e-12);
        }
    /* 5 of 20 against none of 20: 2 x C(20,5)/C(40,5). */
    check_near(compare_fisher(&none, &some), 2 * 15504 / 658008.0, 1e-12);
    check_near(compare_fisher(&some, &none), 2 * 15504 / 658008.0, 1e-12);
    assert_true(compare_fisher(&far_a, &far_b) < 1e-300);
    assert_true(compare_fisher(&none, &none) == 1);
}

/* Holm's own way: the smallest p times 4, the next times 3, and never less than the one before. */
static void test_holm(void **state)
{
    struct compare c = {.a = run_of(PAIR_EACH, 10000), .b = run_of(PAIR_EACH, 10000)};
    static const char *const names[] = {"d", "c", "b", "a"};
    static const uint64_t hits[] = {500, 585, 600, 580};
    double p[4];

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct compare_row *row = compare_add(&c, names[i]);

        row->a = (struct tally){500, 10000, 0};
        row->b = (struct tally){hits[i], 10000, 0};
    }
    compare_finish(&c);
    for (size_t i = 0; i < 4; i++)
        p[i] = c.row[i].p; /* by size: 600, 585, 580, 500 hits */
    assert_string_equal(c.row[0].name, "b");
    assert_string_equal(c.row[3].name, "d");
    check_near(c.row[0].adjusted, 4 * p[0], 1e-12);
    check_near(c.row[1].adjusted, 3 * p[1], 1e-12);
    check_near(c.row[2].adjusted, fmax(2 * p[2], 3 * p[1]), 1e-12);
    check_near(c.row[3].adjusted, 1, 1e-12);
    assert_true(c.row[2].significant && !c.row[3].significant);
    compare_free(&c);
}

/* ---- runs whose truth is known ---- */

struct load {
    double share[CELLS];
    double burst; /* mean length, intervals T; 0: each sample for itself */
};

/* What a run saw, and what was true of it. */
struct seen {
    struct tally tally[CELLS];
    double truth[CELLS];
};

static unsigned draw(const struct load *load, uint64_t *random)
{
    double u = uniform(random);
    unsigned cell = 0;

    while (cell + 1 < CELLS && u >= load->share[cell])
        u -= load->share[cell++];
    return cell;
}

static void sample_binomial(struct seen *s, const struct load *load, uint64_t n, uint64_t seed)
{
    uint64_t random = seed;

    *s = (struct seen){0};
    for (unsigned cell = 0; cell < CELLS; cell++) {
        s->truth[cell] = load->share[cell];
        s->tally[cell].samples = n;
    }
    for (uint64_t i = 0; i < n; i++)
        s->tally[draw(load, &random)].hits++;
}

/* Bursts of exponential length, the same for the same `world`; each of a cell. */
struct world {
    const struct load *load;
    uint64_t random;
    double end;
    unsigned cell;
};

static void next_burst(struct world *w)
{
    w->cell = draw(w->load, &w->random);
    w->end -= log(uniform(&w->random)) * w->load->burst;
}

/* Run on to `time`, the time that passes charged to its cells. */
static unsigned run_to(struct world *w, struct seen *s, double *now, double time)
{
    while (w->end <= time) {
        s->truth[w->cell] += w->end - *now;
        *now = w->end;
        next_burst(w);
    }
    s->truth[w->cell] += time - *now;
    *now = time;
    return w->cell;
}

/* Two independent points in each stratum of 2 T. */
static void sample_strata(struct seen *s, const struct load *load, uint64_t n, uint64_t world,
                          uint64_t seed)
{
    struct world w = {load, world, 0, 0};
    uint64_t random = seed;
    double now = 0;

    *s = (struct seen){0};
    next_burst(&w);
    for (uint64_t i = 0; i < n; i += 2) {
        double u = 2 * uniform(&random), v = 2 * uniform(&random);
        unsigned first = run_to(&w, s, &now, (double)i + fmin(u, v));
        unsigned second = run_to(&w, s, &now, (double)i + fmax(u, v));

        s->tally[first].hits++;
        s->tally[second].hits++;
        s->tally[first].changes += first != second;
        s->tally[second].changes += first != second;
        run_to(&w, s, &now, (double)(i + 2));
    }
    for (unsigned cell = 0; cell < CELLS; cell++) {
        s->truth[cell] /= (double)n;
        s->tally[cell].samples = n;
    }
}

/* Some of the paper's Figure 3: from 0.1 to 43 %. */
static const double shares[CELLS] = {0.432, 0.1,   0.081, 0.075, 0.065, 0.039, 0.037,
                                     0.032, 0.031, 0.029, 0.02,  0.019, 0.012, 0.009,
                                     0.008, 0.004, 0.003, 0.002, 0.001, 0.001};

static struct load load_of(double burst)
{
    struct load load = {.burst = burst};

    memcpy(load.share, shares, sizeof(shares));
    return load;
}

static const char *const names[CELLS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                         "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};

struct setting {
    double burst;
    uint64_t n, m; /* samples of the two runs */
    double grown;  /* share that "e" has more in the second, and "a" less */
};

/* Two runs, of the very same moments or each of its own. */
static void compare_runs(struct compare *c, struct seen *a, struct seen *b,
                         const struct setting *s, bool one_world, uint64_t seed)
{
    const struct load load = load_of(s->burst);
    struct load other = load;
    enum pairing pairing = s->burst > 0 ? PAIR_STRATUM : PAIR_EACH;

    other.share[0] -= s->grown;
    other.share[4] += s->grown;
    *c = (struct compare){.a = run_of(pairing, s->n), .b = run_of(pairing, s->m)};
    if (s->burst > 0) {
        sample_strata(a, &load, s->n, seed * 7 + 1, seed * 7 + 2);
        sample_strata(b, &other, s->m, seed * 7 + (one_world ? 1 : 3), seed * 7 + 4);
    } else {
        sample_binomial(a, &load, s->n, seed * 7 + 1);
        sample_binomial(b, &other, s->m, seed * 7 + 2);
    }
    for (unsigned cell = 0; cell < CELLS; cell++) {
        struct compare_row *row = compare_add(c, names[cell]);

        row->a = a->tally[cell];
        row->b = b->tally[cell];
    }
    compare_finish(c);
}

static bool covers(const struct compare_row *row, const struct seen *a, const struct seen *b)
{
    unsigned cell = (unsigned)(row->name[0] - 'a');
    double truth = b->truth[cell] - a->truth[cell];

    return row->low <= truth && truth <= row->high;
}

/* Of the cells that expect 20 hits in both runs. */
static double coverage(const struct setting *s)
{
    struct seen a, b;
    struct compare c;
    unsigned covered = 0, all = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        compare_runs(&c, &a, &b, s, false, seed);
        for (size_t i = 0; i < c.rows; i++) {
            double share = shares[c.row[i].name[0] - 'a'];

            if (share * (double)(s->n < s->m ? s->n : s->m) < 20)
                continue;
            all++;
            covered += covers(&c.row[i], &a, &b);
        }
        compare_free(&c);
    }
    return (double)covered / all;
}

static void test_coverage(void **state)
{
    static const struct setting settings[] = {
        {0, 7200, 7200, 0}, {0, 7200, 2000, 0}, {0.24, 7200, 7200, 0},
        {3, 7200, 7200, 0}, {30, 7200, 7200, 0}, {3, 2000, 7200, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const struct setting *s = &settings[i];
        double got = coverage(s);

        print_message("bursts of %4.2f T, %d and %d samples: %.1f %% covered\n", s->burst,
                      (int)s->n, (int)s->m, 100 * got);
        assert_true(got >= 0.93 && got <= 0.97);
    }
}

/*
 * Runs without any difference in which some row is called significant.  In
 * strata both runs sample the very same moments: other moments of the same load
 * have other shares, and the test is there to see that.
 */
static double false_alarms(const struct setting *s)
{
    struct seen a, b;
    struct compare c;
    unsigned alarms = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        bool alarm = false;

        compare_runs(&c, &a, &b, s, true, seed);
        assert_int_equal(c.rows, CELLS);
        for (size_t i = 0; i < c.rows; i++)
            alarm |= c.row[i].significant;
        alarms += alarm;
        compare_free(&c);
    }
    return (double)alarms / SEEDS;
}

static void test_false_alarms(void **state)
{
    static const struct setting settings[] = {
        {0, 7200, 7200, 0}, {0, 500, 500, 0}, {0, 10000, 1000, 0}, {0, 600, 20000, 0},
        {0.24, 7200, 7200, 0}, {3, 7200, 7200, 0}, {30, 7200, 7200, 0}, {300, 7200, 7200, 0},
        {3, 600, 600, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const struct setting *s = &settings[i];
        double got = false_alarms(s);

        print_message("bursts of %6.2f T, %d and %d samples: %.1f %% false alarms\n", s->burst,
                      (int)s->n, (int)s->m, 100 * got);
        assert_true(got <= COMPARE_FAMILY + slack(COMPARE_FAMILY, SEEDS));
    }
}

/* 6.5 % against 8.5 %: nearly always found, and its interval holds the truth. */
static void test_power(void **state)
{
    static const double bursts[] = {0, 3, 30};

    (void)state;
    for (size_t i = 0; i < sizeof bursts / sizeof bursts[0]; i++) {
        const struct setting s = {.burst = bursts[i], .n = 7200, .m = 7200, .grown = 0.02};
        unsigned found = 0;

        for (uint64_t seed = 1; seed <= SEEDS / 5; seed++) {
            struct seen a, b;
            struct compare c;

            compare_runs(&c, &a, &b, &s, true, seed);
            for (size_t r = 0; r < c.rows; r++)
                if (!strcmp(c.row[r].name, "e"))
                    found += c.row[r].significant && c.row[r].difference > 0;
            compare_free(&c);
        }
        print_message("bursts of %4.1f T: 2 points found in %u of %d\n", bursts[i], found,
                      SEEDS / 5);
        assert_true(found >= SEEDS / 5 * 9 / 10);
    }
}

/* Code in few long phases: the pairs know of it what counts alone do not. */
static void test_phases(void **state)
{
    struct compare c = {.a = run_of(PAIR_STRATUM, 7200), .b = run_of(PAIR_STRATUM, 7200)};
    struct compare_row row = row_of(3000, 7200, 3100, 7200);

    (void)state;
    row.a.changes = row.b.changes = 5;
    compare_row(&c, &row);
    assert_true(row.low > 0 && row.p < 1e-6);
    row.a.changes = row.b.changes = 1700; /* as coins fall */
    compare_row(&c, &row);
    assert_true(row.low < 0 && row.p > 0.05);
}

/* Samples that may be anyone's make no difference certain that they could explain. */
static void test_unknown(void **state)
{
    struct compare c = {.a = run_of(PAIR_EACH, 10000), .b = run_of(PAIR_EACH, 10000)};
    struct compare_row known = row_of(500, 10000, 700, 10000), row = known;

    (void)state;
    compare_row(&c, &known);
    assert_true(known.p < 1e-6);
    c.b.unknown = 1000; /* B has 700 for sure: still more */
    compare_row(&c, &row);
    check_near(row.p, known.p, 1e-15);
    check_near(row.low, known.low, 1e-15);
    assert_true(row.high > known.high + 0.09);
    c.a.unknown = 1000; /* A may have 1500 */
    compare_row(&c, &row);
    assert_true(row.p == 1 && row.low < 0 && row.high > 0);
    c.a.unknown = UINT64_MAX;
    compare_row(&c, &row);
    assert_true(row.p == 1 && row.low >= -1);
}

static void test_no_interval(void **state)
{
    struct compare c = {.a = run_of(PAIR_EACH, 1000), .b = run_of(PAIR_NEVER, 1000)};
    const struct condition any = {.any = true};

    (void)state;
    c.b.estimator.reason = "fixed ticks";
    assert_string_equal(compare_reason(&c), "fixed ticks");
    compare_add(&c, "f")->b.hits = 900;
    compare_finish(&c);
    check_near(c.row[0].difference, 0.9, 1e-12);
    assert_true(isnan(c.row[0].low) && isnan(c.row[0].high) && isnan(c.row[0].p));
    assert_true(isnan(c.row[0].adjusted) && !c.row[0].significant);
    assert_false(condition_holds(&any, &c.row[0]));
    compare_free(&c);
    c = (struct compare){.a = run_of(PAIR_EACH, 0), .b = run_of(PAIR_EACH, 10)};
    assert_string_equal(compare_reason(&c), "no samples");
    compare_finish(&c); /* without any row */
    compare_free(&c);
}

/* Any counts at all: nothing outside its bounds. */
static void test_bounds(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        enum pairing pairing = i & 1 ? PAIR_STRATUM : PAIR_EACH;
        uint64_t n = 1 + (uint64_t)exp(16 * uniform(&random));
        uint64_t m = 1 + (uint64_t)exp(16 * uniform(&random));
        struct compare c = {.a = run_of(pairing, n), .b = run_of(PAIR_EACH, m)};
        struct compare_row row = row_of((uint64_t)(uniform(&random) * ((double)n + 1)), n,
                                        (uint64_t)(uniform(&random) * ((double)m + 1)), m);

        c.b.estimator.cv2 = 1 / 3.0;
        row.a.changes = (uint64_t)(uniform(&random) * (double)row.a.hits);
        row.b.changes = (uint64_t)(uniform(&random) * (double)row.b.hits);
        compare_row(&c, &row);
        assert_true(row.low <= row.difference && row.difference <= row.high);
        assert_true(row.low >= -1.0000001 && row.high <= 1.0000001);
        assert_true(row.p >= 0 && row.p <= 1);
    }
}

/* ---- rows and conditions ---- */

/* A row is a name: what is in one run only has no hit in the other. */
static void test_names(void **state)
{
    struct compare c = {.a = run_of(PAIR_EACH, 1000), .b = run_of(PAIR_EACH, 2000)};

    (void)state;
    compare_add(&c, "moved")->a = (struct tally){100, 1000, 0};
    compare_add(&c, "gone")->a = (struct tally){300, 1000, 0};
    compare_add(&c, "moved")->b = (struct tally){200, 2000, 0};
    compare_add(&c, "new")->b = (struct tally){500, 2000, 0};
    compare_finish(&c);
    assert_int_equal(c.rows, 3);
    assert_string_equal(c.row[0].name, "gone");
    check_near(c.row[0].difference, -0.3, 1e-12);
    assert_int_equal(c.row[0].b.samples, 2000);
    assert_string_equal(c.row[1].name, "new");
    check_near(c.row[1].difference, 0.25, 1e-12);
    assert_int_equal(c.row[1].a.samples, 1000);
    check_near(c.row[2].difference, 0, 1e-12);
    assert_true(c.row[0].significant && c.row[1].significant && !c.row[2].significant);
    compare_free(&c);
}

static void test_conditions(void **state)
{
    static const struct {
        const char *text, *row;
        double points;
        bool holds;
    } rows[] = {
        {"any", "f", 0.01, true},          {"any", "f", -0.01, true},
        {"+0.5", "f", 0.51, true},         {"+0.5", "f", 0.49, false},
        {"+0.5", "f", -3, false},          {"-0.5", "f", -0.51, true},
        {"-0.5", "f", 3, false},           {"+0", "f", 0.01, true},
        {"-0", "f", -0.01, true},          {"-0", "f", 0.01, false},
        {"f > +0.5", "f", 0.6, true},      {"f > 0.5", "f", 0.6, true},
        {"f >  .5", "f", 0.6, true},       {"f > +0.5", "g", 0.6, false},
        {"f > +0.5", "f", 0.4, false},     {"f < -0.5", "f", -0.6, true},
        {"f < -0.5", "f", 0.6, false},     {"a<b> > +1", "a<b>", 2, true},
        {"operator > > +1", "operator >", 2, true},
        {"spin (in main) > +1", "spin (in main)", 2, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct compare_row row = {.name = rows[i].row, .difference = rows[i].points / 100};
        struct condition c;

        assert_true(condition_parse(&c, rows[i].text));
        assert_false(condition_holds(&c, &row)); /* not significant */
        row.significant = true;
        if (condition_holds(&c, &row) != rows[i].holds)
            fail_msg("'%s' of %s %+g", rows[i].text, rows[i].row, rows[i].points);
        condition_free(&c);
    }
}

static void test_refused_conditions(void **state)
{
    static const char *const texts[] = {
        "", "0.5", "+", "-", "+x", "+0.5x", "+inf", "+nan", "+0x1", "+1e3", "++1", "+1.2.3",
        "f", "f >", "f > ", "f > x", "f > -0.5", "f < +0.5", "f < 0.5", "f>+0.5", " > +0.5",
        "f = +1", "ANY", "any ", "f > + 1", "+ 1",
    };
    struct condition c;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (condition_parse(&c, texts[i]))
            fail_msg("'%s' was taken", texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newcombe),
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_fisher),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_false_alarms),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_no_interval),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_refused_conditions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
