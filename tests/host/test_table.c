/* SPDX-License-Identifier: MIT */
/*
 * The table: figures of the paper worked out by hand, rows that add to 100, and
 * the text itself, letter by letter.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/table_sort.h"
#include "probe/stats/tick_cost.h"
#include "probe/text/text_buf.h"

static const struct table_options stratified = {
    .estimator = {PAIR_STRATUM, 0.0, NULL, 0},
    .excess_per_tick = 8000000,
    .stub = 20,
};

static void add(struct snapshot *s, const char *name, uint32_t id, const uint64_t hits[MODES])
{
    struct snapshot_row *row = snapshot_row(s, id);

    strcpy(row->name, name);
    for (unsigned m = 0; m < MODES; m++) {
        row->hits[m] = hits[m];
        row->total += hits[m];
        row->changes[m] = hits[m] / 2;
        row->time[m] = hits[m] * 8000000;
        s->mode_changes[m] += hits[m] / 3;
    }
    row->total_changes = row->total / 2;
}

/* Rows of the paper's figure; 7200 samples, of which the rest idles. */
static struct snapshot *figure3(void)
{
    struct snapshot *s = calloc(1, sizeof(*s));
    struct snapshot_row *row;

    add(s, "ROGUE", 7, (uint64_t[]){562, 0, 2548, 0});
    add(s, "CP", 3, (uint64_t[]){202, 122, 216, 0});
    add(s, "AM", 9, (uint64_t[]){0, 0, 45, 15});
    add(s, "", ROW_IDLE, (uint64_t[]){0, 0, 3375, 0});
    row = snapshot_row(s, ROW_MASKED);
    row->total = 60;
    row->total_changes = 31;
    row = snapshot_row(s, ROW_LOST);
    row->total = 55;
    row->total_changes = 27;
    snapshot_row(s, 3)->masked[MODE_KERNEL] = 4 * 8000000;
    s->samples = s->ticks = 7200;
    s->late = 60;
    s->excess = 50000000;
    s->lost_table = 55;
    s->begin = 1000;
    s->monitor = 250000000;
    s->transitions = 14000;
    s->exact = true;
    s->end = s->begin + 7089 * 8000000ull + s->monitor;
    return s;
}

static void check_near(double value, double wanted, double by)
{
    if (!(fabs(value - wanted) <= by))
        fail_msg("%.6f is not within %g of %.6f", value, by, wanted);
}

/* Figure 3 prints 43.2 +- 1.14 for ROGUE and 7.5 +- 0.61 for CP. */
static void test_paper(void **state)
{
    struct snapshot *s = figure3();
    struct table_options o = stratified;
    struct table_row t;

    (void)state;
    o.wald = true;
    t = table_row(s, snapshot_row(s, 7), &o);
    check_near(t.total.percent, 43.2, 0.05);
    check_near((t.total.high - t.total.low) / 2, 1.14, 0.005);
    check_near(t.cell[MODE_KERNEL].percent, 35.4, 0.05);
    t = table_row(s, snapshot_row(s, 3), &o);
    check_near(t.total.percent, 7.5, 0.05);
    check_near((t.total.high - t.total.low) / 2, 0.61, 0.005);
    free(s);
}

/* deff = (D + 1) / (n p (1-p)), then Wilson: computed apart, step by step. */
static void test_interval(void **state)
{
    struct snapshot *s = figure3();
    struct table_row t = table_row(s, snapshot_row(s, 7), &stratified);
    double n = 7200, p = 3110 / n, deff = (1555 + 1) / (n * p * (1 - p));
    double z = 1.959964, m = n / deff, centre = (p + z * z / (2 * m)) / (1 + z * z / m);
    double half = z / (1 + z * z / m) * sqrt(p * (1 - p) / m + z * z / (4 * m * m));

    (void)state;
    check_near(t.total.low, 100 * (centre - half), 1e-5);
    check_near(t.total.high, 100 * (centre + half), 1e-5);
    free(s);
}

static void test_adds_to_100(void **state)
{
    struct snapshot *s = figure3();
    struct table_row total = table_total(s, &stratified);
    double percent = 0.0, exact = 0.0;

    (void)state;
    for (uint32_t r = 0; r < s->rows; r++) {
        struct table_row t = table_row(s, &s->row[r], &stratified);

        percent += t.total.percent;
        exact += isnan(t.total.exact) ? 0.0 : t.total.exact;
    }
    check_near(percent, 100.0, 1e-9);
    check_near(exact, 100.0, 1e-9);
    check_near(total.total.percent, 100.0, 1e-9);
    check_near(total.total.exact, 100.0, 1e-9);
    check_near(total.cell[MODE_KERNEL].percent, 100.0 * (2548 + 216 + 45 + 3375) / 7200, 1e-9);
    assert_true(isnan(total.total.low));
    free(s);
}

/* MASKED's truth is all masked time; a cell's is its unmasked time; LOST has none. */
static void test_truth(void **state)
{
    struct snapshot *s = figure3();

    (void)state;
    check_near(table_row(s, snapshot_row(s, ROW_MASKED), &stratified).total.exact,
               100.0 * 4 / 7089, 1e-9);
    check_near(table_row(s, snapshot_row(s, 3), &stratified).cell[MODE_KERNEL].exact,
               100.0 * 216 / 7089, 1e-9);
    assert_true(isnan(table_row(s, snapshot_row(s, ROW_LOST), &stratified).total.exact));
    check_near(table_missed_masked(s, &stratified), 6.25, 1e-12);
    s->exact = false;
    assert_int_equal(snapshot_tau(s), 0);
    assert_true(isnan(table_row(s, snapshot_row(s, 3), &stratified).total.exact));
    free(s);
}

/* Where nothing masks a tick, a cell's truth is all its time; late ticks are STOLEN, of no known truth. */
static void test_unmasked(void **state)
{
    struct table_options unmasked = stratified;
    struct snapshot *s = figure3();

    (void)state;
    unmasked.unmasked = true;
    snapshot_row(s, ROW_MASKED)->id = ROW_STOLEN;
    check_near(table_row(s, snapshot_row(s, 3), &unmasked).cell[MODE_KERNEL].exact,
               100.0 * (216 + 4) / 7089, 1e-9);
    check_near(table_total(s, &unmasked).total.exact, 100.0, 1e-9);
    assert_false(table_row(s, snapshot_row(s, ROW_STOLEN), &unmasked).modes);
    assert_true(isnan(table_row(s, snapshot_row(s, ROW_STOLEN), &unmasked).total.exact));
    free(s);
}

/* ---- The text; its intervals were computed apart, from the formula ---- */

struct text {
    char all[8192];
    size_t widest;
};

static void take_line(void *context, const char *line)
{
    struct text *t = context;

    if (strlen(line) > t->widest)
        t->widest = strlen(line);
    assert_true(strlen(t->all) + strlen(line) + 2 < sizeof(t->all));
    strcat(t->all, line);
    strcat(t->all, "\n");
}

static void check_text(const struct table_options *o, size_t widest, const char *wanted)
{
    struct snapshot *s = figure3();
    struct text t = {"", 0};

    table_sort(s);
    table_print(s, o, take_line, &t);
    if (wanted)
        assert_string_equal(t.all, wanted);
    if (t.widest > widest)
        fail_msg("a line is %zu columns wide", t.widest);
    free(s);
}

static void test_text(void **state)
{
    (void)state;
    check_text(
        &stratified, 80,
        "Percentage CPU Utilization\n"
        "(7200 Samples, 61 missed)\n"
        "\n"
        "Task Name       Kernel  Supervisor    User  Interrupt   Total   95 %\n"
        "=========        =====       =====   =====      =====   =====  =====-=====\n"
        "AM                 0.6         0.0     0.0        0.2    0.83   0.69-1.00\n"
        "CP                 3.0         1.7     2.8        0.0    7.50   7.06-7.96\n"
        "ROGUE             35.4         0.0     7.8        0.0   43.19  42.12-44.27\n"
        "IDLE              46.9         0.0     0.0        0.0   46.88  45.76-47.99\n"
        "MASKED                                                   0.83   0.69-1.00\n"
        "LOST                                                     0.76   0.63-0.92\n"
        "-----            -----       -----   -----      -----   -----  -----------\n"
        "Total             85.9         1.7    10.6        0.2   100.0\n"
        "\n"
        "late     60, in row MASKED\n"
        "missed   6.3 masked, 0 overrun, 0 source\n"
        "lost     55 table, 0 ring\n"
        "MONITOR  0.44 % of wall time\n");
}

static void test_fixed_text(void **state)
{
    struct table_options o = stratified;

    (void)state;
    o.estimator = (struct estimator){PAIR_NEVER, 0.0, "fixed ticks", 0};
    check_text(
        &o, 80,
        "Percentage CPU Utilization\n"
        "(7200 Samples, 61 missed)\n"
        "95 % n.a.: fixed ticks\n"
        "\n"
        "Task Name       Kernel  Supervisor    User  Interrupt   Total   95 %\n"
        "=========        =====       =====   =====      =====   =====  =====\n"
        "AM                 0.6         0.0     0.0        0.2     0.8   n.a.\n"
        "CP                 3.0         1.7     2.8        0.0     7.5   n.a.\n"
        "ROGUE             35.4         0.0     7.8        0.0    43.2   n.a.\n"
        "IDLE              46.9         0.0     0.0        0.0    46.9   n.a.\n"
        "MASKED                                                    0.8   n.a.\n"
        "LOST                                                      0.8   n.a.\n"
        "-----            -----       -----   -----      -----   -----  -----\n"
        "Total             85.9         1.7    10.6        0.2   100.0\n"
        "\n"
        "late     60, in row MASKED\n"
        "missed   6.3 masked, 0 overrun, 0 source\n"
        "lost     55 table, 0 ring\n"
        "MONITOR  0.44 % of wall time\n");
}

static void test_wald_text(void **state)
{
    struct table_options o = stratified;

    (void)state;
    o.wald = o.exact = true;
    check_text(
    &o, 100,
    "Percentage CPU Utilization\n"
    "(7200 Samples, 61 missed)\n"
    "95 % (Wald, as in the paper)\n"
    "\n"
    "Task Name       Kernel  Supervisor    User  Interrupt   Total      +-   Exact   Error\n"
    "=========        =====       =====   =====      =====   =====   =====   =====   =====\n"
    "AM                 0.6         0.0     0.0        0.2     0.8    0.21    0.85   -0.01\n"
    "CP                 3.0         1.7     2.8        0.0     7.5    0.61    7.62   -0.12\n"
    "ROGUE             35.4         0.0     7.8        0.0    43.2    1.14   43.87   -0.68\n"
    "IDLE              46.9         0.0     0.0        0.0    46.9    1.15   47.61   -0.73\n"
    "MASKED                                                    0.8    0.21    0.06   +0.78\n"
    "LOST                                                      0.8    0.20    n.a.    n.a.\n"
    "-----            -----       -----   -----      -----   -----   -----   -----   -----\n"
    "Total             85.9         1.7    10.6        0.2   100.0          100.00   +0.00\n"
    "\n"
    "late     60, in row MASKED\n"
    "missed   6.3 masked, 0 overrun, 0 source\n"
    "lost     55 table, 0 ring\n"
    "MONITOR  0.44 % of wall time\n"
    "exact    14000 transitions, resolution 0.000 %\n");
}

static void test_widths(void **state)
{
    struct table_options o = stratified;

    (void)state;
    o.exact = true;
    check_text(&o, 80, NULL);
    o.cells = true;
    check_text(&o, TEXT_BUF_SIZE - 20, NULL);
}

/* An empty run has no shares; a loss-free one has neither MASKED nor LOST. */
static void test_bare_text(void **state)
{
    struct snapshot *s = calloc(1, sizeof(*s));
    struct text t = {"", 0};

    (void)state;
    table_print(s, &stratified, take_line, &t);
    assert_non_null(strstr(t.all, "(0 Samples, 0 missed)"));
    assert_non_null(strstr(t.all, "MONITOR  n.a.: account=off"));
    assert_non_null(strstr(t.all, "late     0\n"));
    t.all[0] = '\0';
    add(s, "ONE", 1, (uint64_t[]){5, 0, 0, 0});
    s->samples = 5;
    table_print(s, &stratified, take_line, &t);
    assert_null(strstr(t.all, "MASKED"));
    assert_null(strstr(t.all, "LOST"));
    assert_non_null(strstr(t.all, "100.0"));
    free(s);
}

static void check_points(struct snapshot *s, const struct table_options *o, const char *wanted)
{
    struct text t = {"", 0};

    table_print(s, o, take_line, &t);
    if (!strstr(t.all, wanted))
        fail_msg("%s is not in %s", wanted, t.all);
    assert_null(strstr(t.all, "\nmissed"));
}

/* Handlers have 3 % of the time by the account, 2 % as the start measured, and 1 % of the points. */
static void test_points_text(void **state)
{
    struct table_options o = stratified;
    struct snapshot *s = figure3();

    (void)state;
    s->points = 8000;
    s->in_handler = 80;
    s->monitor = (s->end - s->begin) / 100 * 3;
    check_points(s, &o, "\npoints   8000, 80 of them in handlers of ticks; intervals have room for 2.00\n");
    assert_true(fabs(table_estimator(s, &o).bias - 0.02) < 1e-9);
    o.wald = true;
    check_points(s, &o, "\npoints   8000, 80 of them in handlers of ticks; a share may be off by 2.00\n");
    o.wald = false;
    s->exact = false;
    check_points(s, &o, "\npoints   8000, 80 of them in handlers of ticks\nlost");
    assert_true(isnan(table_handler_bias(s, &o)));
    assert_true(table_estimator(s, &o).bias == 0);
    o.tick_share = 2000;
    assert_true(fabs(table_handler_bias(s, &o) - 1.0) < 1e-9);
    o.estimator = (struct estimator){PAIR_EACH, 0.99, NULL, 0}; /* exponential */
    assert_true(table_handler_bias(s, &o) == 0);
    o.estimator = stratified.estimator;
    s->in_handler = 240;
    assert_true(table_handler_bias(s, &o) == 0);
    free(s);
}

/* Limits of the table are those of chance, and beyond them what the cell may have had of the points or not. */
static void test_points_widen(void **state)
{
    struct table_options o = stratified;
    struct snapshot *s = figure3();
    const struct table_cell chance = table_row(s, &s->row[0], &o).total;
    struct table_cell cell;

    (void)state;
    s->points = 8000;
    s->monitor = (s->end - s->begin) / 100 * 2;
    cell = table_row(s, &s->row[0], &o).total;
    assert_true(fabs(cell.low - fmax(1.02 * chance.low - 2, 0)) < 1e-9);
    assert_true(fabs(cell.high - 1.02 * chance.high) < 1e-9);
    assert_true(fabs(cell.high999 - 1.02 * chance.high999) < 1e-9);
    o.wald = true;
    cell = table_row(s, &s->row[0], &o).total;
    s->points = 0;
    assert_true(cell.low == table_row(s, &s->row[0], &o).total.low);
    free(s);
}

/* Where the sender told it; a run at 1.25 kHz of ticks of 1.32 us. */
static void test_tick_text(void **state)
{
    struct table_options o = stratified;
    struct snapshot *s = figure3();
    struct text t = {"", 0};

    (void)state;
    o.tick = 3300;
    o.tick_share = tick_share(3300, 2000000);
    o.clock_hz = 2500000000;
    table_print(s, &o, take_line, &t);
    assert_non_null(strstr(t.all, "ring\ntick     1.320 us, 0.165 % of the time at this rate\nMONITOR"));
    free(s);
}

static void test_tick_share(void **state)
{
    (void)state;
    assert_int_equal(tick_share(0, 1), 0);
    assert_int_equal(tick_share(1, 2), TICK_SHARE_MOST);
    assert_int_equal(tick_share(1, 10), TICK_SHARE_WARNED);
    assert_int_equal(tick_share(50001, 100000), TICK_SHARE_MOST + 1);
    assert_int_equal(tick_share((1ull << 44) - 1, 1), UINT32_MAX);
    assert_int_equal(tick_nanoseconds(3, 2000000000), 2); /* 1.5 */
    assert_int_equal(tick_nanoseconds(1000, 125000000), 8000);
    assert_int_equal(tick_nanoseconds(1ull << 33, 1ull << 33), 1000000000);
}

/* By name; then IDLE, MASKED, LOST. */
static void test_sort(void **state)
{
    static const char *const wanted[] = {"AM", "CP", "CPX", "ROGUE", "", "", ""};
    struct snapshot *s = figure3();

    (void)state;
    add(s, "CPX", 1, (uint64_t[]){0, 0, 0, 0});
    table_sort(s);
    assert_int_equal(s->rows, 7);
    for (uint32_t r = 0; r < s->rows; r++)
        assert_string_equal(s->row[r].name, wanted[r]);
    assert_int_equal(s->row[4].id, ROW_IDLE);
    assert_int_equal(s->row[5].id, ROW_MASKED);
    assert_int_equal(s->row[6].id, ROW_LOST);
    free(s);
}

static void test_rows_are_full(void **state)
{
    struct snapshot *s = calloc(1, sizeof(*s));

    (void)state;
    for (uint32_t id = 0; id < SNAPSHOT_ROWS; id++)
        assert_non_null(snapshot_row(s, id));
    assert_non_null(snapshot_row(s, 0));
    assert_null(snapshot_row(s, SNAPSHOT_ROWS));
    free(s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),      cmocka_unit_test(test_interval),
        cmocka_unit_test(test_adds_to_100), cmocka_unit_test(test_truth),
        cmocka_unit_test(test_unmasked),
        cmocka_unit_test(test_text),       cmocka_unit_test(test_fixed_text),
        cmocka_unit_test(test_wald_text),  cmocka_unit_test(test_widths),
        cmocka_unit_test(test_bare_text),  cmocka_unit_test(test_sort),
        cmocka_unit_test(test_tick_text), cmocka_unit_test(test_points_text), cmocka_unit_test(test_points_widen),
        cmocka_unit_test(test_tick_share),
        cmocka_unit_test(test_rows_are_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
