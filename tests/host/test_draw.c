/* SPDX-License-Identifier: MIT */
/* Scales and their round numbers; SVG: what is escaped, and that the same calls give the same bytes; whole charts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/draw/chart.h"
#include "tools/draw/gantt.h"
#include "tools/draw/kiviat.h"
#include "tools/draw/load_chart.h"
#include "tools/draw/svg.h"

static void places_on_a_scale(void **state)
{
    const struct scale linear = {10, 20, 100, 0, false}, logarithmic = {1, 1000, 0, 30, true};

    (void)state;
    assert_float_equal(scale_place(&linear, 12.5), 75.0, 1e-9);
    assert_float_equal(scale_place(&logarithmic, 10), 10.0, 1e-9);
    assert_float_equal(scale_place(&logarithmic, 1000), 30.0, 1e-9);
}

static void round_numbers(void **state)
{
    const struct scale to_hundred = {0, 100, 0, 1, false}, late = {2.0001, 2.0009, 0, 1, false},
                       decades = {0.5, 20000, 0, 1, true};
    double tick[SCALE_TICKS];

    (void)state;
    assert_int_equal(scale_ticks(&to_hundred, 6, tick), 6);
    assert_float_equal(tick[0], 0, 1e-12);
    assert_float_equal(tick[5], 100, 1e-9);
    assert_int_equal(scale_ticks(&late, 4, tick), 4);
    assert_float_equal(tick[0], 2.0002, 1e-9);
    assert_float_equal(tick[3], 2.0008, 1e-9);
    assert_int_equal(scale_ticks(&decades, 10, tick), 5);
    assert_float_equal(tick[4], 10000, 1e-6);
    assert_float_equal(scale_top(0), 1, 0);
    assert_float_equal(scale_top(17), 20, 1e-9);
    assert_float_equal(scale_top(100), 100, 1e-9);
    assert_float_equal(scale_top(2191), 2500, 1e-9);
    assert_float_equal(scale_top(0.81), 1, 1e-9);
}

/* Whatever the limits are: few numbers, in order, all within. */
static void numbers_of_any_scale(void **state)
{
    static const double limit[] = {-1e12, -3.3, -1e-9, 0, 1e-9, 0.7, 1, 1234567.8, 1e15};
    const size_t limits = sizeof(limit) / sizeof(limit[0]);

    (void)state;
    for (size_t a = 0; a < limits; a++)
        for (size_t b = a + 1; b < limits; b++)
            for (unsigned most = 2; most <= SCALE_TICKS; most++) {
                const struct scale s = {limit[a], limit[b], 0, 1, false};
                double tick[SCALE_TICKS];
                const unsigned n = scale_ticks(&s, most, tick);

                assert_true(n >= 1 && n <= most);
                for (unsigned i = 0; i < n; i++)
                    assert_true(tick[i] >= limit[a] - 1e-6 * fabs(limit[b] - limit[a]) &&
                                tick[i] <= limit[b] + 1e-6 * fabs(limit[b] - limit[a]) &&
                                (!i || tick[i] > tick[i - 1]));
            }
}

/* What `draw` writes, for the caller to free. */
static char *drawn(void draw(FILE *out))
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    draw(out);
    fclose(out);
    return text;
}

static unsigned occurrences(const char *text, const char *what)
{
    unsigned n = 0;

    for (; (text = strstr(text, what)); text += strlen(what))
        n++;
    return n;
}

static void hostile_name(FILE *out)
{
    svg_begin(out, 100, 50, "a<b");
    svg_text(out, (struct svg_point){1.25, -0.01}, SVG_END, "text", "</text><script>&\"\033[2J\xc3\xa9");
    svg_rect(out, (struct svg_box){NAN, 1e300, -5, 0.06}, "f0");
    assert_true(svg_end(out));
}

static void markup_in_a_name(void **state)
{
    char *text = drawn(hostile_name);

    (void)state;
    assert_non_null(strstr(text, "<title>a&lt;b</title>"));
    assert_non_null(strstr(text, "<text class=\"text\" x=\"1.2\" y=\"0\" text-anchor=\"end\">"
                                 "&lt;/text&gt;&lt;script&gt;&amp;&quot;?[2J?\?</text>"));
    assert_non_null(strstr(text, "<rect class=\"f0\" x=\"0\" y=\"0\" width=\"0\" height=\"0.1\"/>"));
    assert_null(strchr(text, '\033'));
    free(text);
}

static void a_small_gantt(FILE *out)
{
    struct time_grid grid;
    char name[2][GANTT_NAME + 1] = {"<A>", "B"};
    struct gantt g = {.grid = &grid, .name = name, .rows = 2, .guilty = 1, .hz = 1e9, .title = "two rows",
                      .width = 400};

    time_grid_begin(&grid, 0, 1000, 10);
    time_grid_add(&grid, 1, 0, 0, 450);
    time_grid_add(&grid, 1, 1, 450, 455);
    time_grid_add(&grid, 2, 1, 455, 1000);
    g.state[0] = (struct gantt_state){"user", "f0", "#", 'u', 34};
    g.state[1] = (struct gantt_state){"kernel", "f1", "%", 'k', 33};
    gantt_print(&g, out);
    assert_true(gantt_svg(&g, out));
    time_grid_free(&grid);
}

static void a_gantt(void **state)
{
    char *text = drawn(a_small_gantt), *again = drawn(a_small_gantt);

    (void)state;
    assert_string_equal(text, again);
    assert_non_null(strstr(text, "\n<A>            #####       45.50%\n"));
    assert_non_null(strstr(text, "\nB                  %%%%%%  54.50%\n"));
    assert_non_null(strstr(text, "# user, % kernel, \u00b7 less than an eighth of the column\n"
                                 "A column is 100 ns.  Of 1 cells with more than one state the greatest share "
                                 "is drawn.\n"));
    assert_non_null(strstr(text, ">&lt;A&gt;</text>"));
    assert_int_equal(occurrences(text, "<rect class=\"guilty\""), 1);
    assert_non_null(strstr(text, "<text class=\"text bold\""));
    assert_non_null(strstr(text, ">B</text>"));
    free(text);
    free(again);
}

static void a_small_kiviat(FILE *out)
{
    const struct kiviat k = {
        .title = "two <runs>", .axes = 3, .runs = 2, .axis = {"user", "kernel", "IDLE"}, .run = {"a", "b"},
        .of = {{{40, 35, 45}, {8, NAN, NAN}, {NAN, NAN, NAN}}, {{20, 18, 22}, {2, NAN, NAN}, {0, 0, 0}}},
    };

    kiviat_print(&k, out);
    assert_true(kiviat_svg(&k, out));
}

static void a_kiviat(void **state)
{
    char *text = drawn(a_small_kiviat), *again = drawn(a_small_kiviat);

    (void)state;
    assert_string_equal(text, again);
    assert_non_null(strstr(text, "\nuser                      40.00 35.00-45.00    20.00 18.00-22.00         50\n"));
    assert_non_null(strstr(text, "\nkernel                                 8.00                 2.00         10\n"));
    assert_non_null(strstr(text, "\nIDLE                                   n.a.       0.00 0.00-0.00          1\n"));
    assert_non_null(strstr(text, "<title>two &lt;runs&gt;</title>"));
    assert_non_null(strstr(text, "text-anchor=\"middle\">user</text>"));
    /*
     * Of the run whose third value is not known one of three sides is drawn;
     * each interval has its error bar, one of no length too.
     */
    assert_int_equal(occurrences(text, "<polyline class=\"s0\""), 1);
    assert_int_equal(occurrences(text, "<polyline class=\"s1\""), 3);
    assert_int_equal(occurrences(text, "<path class=\"whisker s0\""), 1);
    assert_int_equal(occurrences(text, "<path class=\"whisker s1\""), 2);
    assert_int_equal(occurrences(text, "<circle class=\"f0\""), 2);
    free(text);
    free(again);
}

/* Two columns, one half idle; a third of which nothing is known. */
static void a_small_load(FILE *out)
{
    const uint64_t known[] = {100, 100, 0};
    struct time_grid grid;
    struct load_chart l = {.grid = &grid, .row = {0}, .name = {"A"}, .rows = 1, .hz = 1e9, .title = "load",
                           .ascii = true, .known = known, .width = 400};

    time_grid_begin(&grid, 0, 300, 3);
    time_grid_add(&grid, 1, 0, 0, 120);
    time_grid_add(&grid, 2, 0, 120, 150);
    time_grid_add(&grid, 3, 0, 150, 200);
    l.idle = time_grid_row(&grid, 3);
    load_chart_print(&l, out);
    load_chart_table(&l, out);
    assert_true(load_chart_svg(&l, out));
    time_grid_free(&grid);
}

static void a_load(void **state)
{
    char *text = drawn(a_small_load);

    (void)state;
    assert_non_null(strstr(text, "\nall tasks      *5~  75.00% 100.00%\nA              *2~  60.00% 100.00%\n"));
    assert_non_null(strstr(text, "\n0.000000000 100.000 100.000 0.000\n0.000000100 50.000 20.000 30.000\n"
                                 "0.000000200 - - -\n"));
    assert_non_null(strstr(text, "<rect class=\"lost\""));
    assert_non_null(strstr(text, "not known</text>"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_on_a_scale),
        cmocka_unit_test(round_numbers),
        cmocka_unit_test(numbers_of_any_scale),
        cmocka_unit_test(markup_in_a_name),
        cmocka_unit_test(a_gantt),
        cmocka_unit_test(a_load),
        cmocka_unit_test(a_kiviat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
