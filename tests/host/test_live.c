/* SPDX-License-Identifier: MIT */
/* The live view without a screen: bars, columns for each width, rows, filter, pause, keys and prompts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/live/live_link.h"
#include "tools/live/live_run.h"
#include "tools/live/live_table.h"
#include "tools/live/live_text.h"
#include "tools/live/live_view.h"

#define NO_LIMIT __builtin_nan("")

static struct table_row share(double kernel, double user, double low, double high)
{
    struct table_row row = {.modes = true, .total = {1, kernel + user, low, high, low, high, NO_LIMIT}};

    row.cell[MODE_KERNEL] = (struct table_cell){kernel > 0, kernel, low, high, low, high, NO_LIMIT};
    row.cell[MODE_USER] = (struct table_cell){user > 0, user, low, high, low, high, NO_LIMIT};
    return row;
}

static void check_bar(const struct table_row *row, unsigned width, double scale, const char *wanted)
{
    char bar[64];

    live_bar(bar, width, row, scale);
    assert_string_equal(bar, wanted);
}

/* Letters to the lower limit, the share, dashes to the upper one; each mode has its part. */
static void test_bar(void **state)
{
    struct table_row row = share(20.0, 30.0, 40.0, 60.0), whole = share(100.0, 0.0, 99.0, 100.0),
                     none = {.modes = true};

    (void)state;
    check_bar(&row, 20, 100.0, "KKKKUUUU--|-        ");
    check_bar(&row, 10, 50.0, "KKKKUUUU--");
    check_bar(&whole, 5, 100.0, "KKKKK");
    check_bar(&none, 5, 100.0, "     ");
    row.total.low = row.total.high = NO_LIMIT;
    check_bar(&row, 10, 100.0, "KKUUU     ");
    row.modes = false;
    check_bar(&row, 10, 100.0, "#####     ");
    check_bar(&row, 0, 100.0, "");
}

/* No width has a row that is longer than the screen, or a bar that is narrower than it should be. */
static void test_columns(void **state)
{
    static struct live_table t = {.rows = 1, .has_last = true};
    char line[LIVE_LINE];

    (void)state;
    snprintf(t.row[0].name, NAME_SIZE, "ABCDEFGHIJKLMN");
    t.row[0].last = t.row[0].whole = share(60.0, 40.0, 100.0, 100.0);
    for (unsigned width = 1; width < 600; width++) {
        const struct live_columns c = live_columns_of(width);

        assert_true(!c.bar || (c.bar >= 8 && c.bar_at + c.bar <= width));
        live_text_columns(line, &c, &t, 100.0);
        assert_true(!c.bar || strlen(line) <= width);
        live_text_row(line, &c, &t, &t.row[0], 100.0);
        assert_true(strlen(line) < LIVE_LINE && (!c.bar || strlen(line) <= width));
    }
    assert_false(live_columns_of(59).limits);
    assert_true(live_columns_of(60).limits && live_columns_of(100).exact && live_columns_of(140).modes);
}

static void test_scale(void **state)
{
    static struct live_table t = {.rows = 2, .has_last = true};

    (void)state;
    t.row[1].id = ROW_IDLE;
    t.row[1].last = share(90.0, 0.0, 89.0, 91.0);
    t.row[0].last = share(3.0, 0.0, 2.0, 4.9);
    assert_true(live_table_scale(&t) == 5.0);
    t.row[0].last.total.high = 5.1;
    assert_true(live_table_scale(&t) == 10.0);
    t.row[0].last.total.high = 51.0;
    assert_true(live_table_scale(&t) == 100.0);
}

/* ---- a run, and its keys ---- */

struct world {
    struct live_run run;
    struct live_link link;
    struct live_view view;
};

static void add_row(struct snapshot *s, uint32_t id, const char *name, uint64_t user, uint64_t kernel)
{
    struct snapshot_row *row = snapshot_row(s, id);

    snprintf(row->name, NAME_SIZE, "%s", name);
    row->hits[MODE_USER] = user;
    row->hits[MODE_KERNEL] = kernel;
    row->total = user + kernel;
    s->samples += user + kernel;
}

/* Of the last interval NEW has most, since the start OLD has. */
static int begin(void **state)
{
    struct world *w = calloc(1, sizeof(*w));

    live_run_init(&w->run);
    add_row(w->run.whole, 1, "OLD", 50, 10);
    add_row(w->run.whole, 2, "NEW\033x", 20, 5);
    add_row(w->run.whole, 3, "AM", 0, 1);
    add_row(w->run.whole, ROW_IDLE, "", 0, 14);
    add_row(w->run.last, 1, "OLD", 2, 1);
    add_row(w->run.last, 2, "NEW\033x", 7, 0);
    add_row(w->run.last, 3, "AM", 0, 0);
    add_row(w->run.last, ROW_IDLE, "", 0, 4);
    w->run.has_whole = w->run.has_last = true;
    w->run.options.estimator = (struct estimator){PAIR_STRATUM, 0.0, NULL, 0};
    w->link.run = &w->run;
    w->link.is_file = true;
    w->view.link = &w->link;
    w->view.choice.order = TABLE_BY_TOTAL;
    live_view_update(&w->view);
    *state = w;
    return 0;
}

static int end(void **state)
{
    struct world *w = *state;

    live_run_free(&w->view.kept);
    live_run_free(&w->run);
    free(w);
    return 0;
}

static void check_rows(const struct live_view *v, const char *wanted)
{
    char names[128] = "";

    for (unsigned i = 0; i < v->table.rows; i++)
        strcat(strcat(names, v->table.row[i].name), " ");
    assert_string_equal(names, wanted);
}

static void type(struct live_view *v, const char *keys)
{
    while (*keys)
        live_view_key(v, (unsigned char)*keys++);
}

/* Names cannot draw; the order is by the last interval, or since the start. */
static void test_order(void **state)
{
    struct live_view *v = &((struct world *)*state)->view;

    check_rows(v, "NEW?x OLD AM IDLE ");
    type(v, "w");
    check_rows(v, "OLD NEW?x AM IDLE ");
    type(v, "K");
    check_rows(v, "OLD NEW?x AM IDLE ");
    type(v, "n");
    check_rows(v, "AM NEW?x OLD IDLE ");
    assert_int_equal(v->selected, 2); /* the selection stays with its task */
}

/* The filter is in force while it is typed; Escape takes it away, Enter keeps it. */
static void test_filter(void **state)
{
    struct live_view *v = &((struct world *)*state)->view;

    type(v, "/o");
    check_rows(v, "OLD ");
    assert_int_equal(v->selected, 1);
    live_view_key(v, LIVE_KEY_BACKSPACE);
    live_view_key(v, LIVE_KEY_BACKSPACE);
    check_rows(v, "NEW?x OLD AM IDLE ");
    type(v, "zzz");
    check_rows(v, "");
    live_view_key(v, LIVE_KEY_DOWN);
    live_view_key(v, LIVE_KEY_ESCAPE);
    check_rows(v, "NEW?x OLD AM IDLE ");
    type(v, "/ew");
    live_view_key(v, LIVE_KEY_ENTER);
    type(v, "q");
    check_rows(v, "NEW?x ");
    assert_true(v->quit);
}

/* While it is paused the tables stay, and can still be sorted. */
static void test_pause(void **state)
{
    struct world *w = *state;

    type(&w->view, " ");
    add_row(w->run.last, 3, "AM", 100, 0);
    live_view_update(&w->view);
    check_rows(&w->view, "NEW?x OLD AM IDLE ");
    type(&w->view, "n");
    check_rows(&w->view, "AM NEW?x OLD IDLE ");
    type(&w->view, "t ");
    check_rows(&w->view, "AM NEW?x OLD IDLE ");
    assert_false(w->view.paused);
}

/* A file cannot be asked, and too long a line cannot be typed. */
static void test_commands(void **state)
{
    struct world *w = *state;

    type(&w->view, "r");
    assert_int_equal(w->view.prompt, LIVE_NO_PROMPT);
    assert_string_equal(w->view.message, "a file takes no commands");
    w->link.is_file = false;
    w->link.attached = true;
    type(&w->view, "r500");
    live_view_key(&w->view, LIVE_KEY_ENTER);
    assert_int_equal(w->link.waiting, 1);
    assert_string_equal(w->link.command[0], "rate=500");
    type(&w->view, ":");
    for (unsigned i = 0; i < 2 * COMMAND_LINE; i++)
        type(&w->view, "y");
    assert_int_equal(strlen(w->view.typed), COMMAND_LINE - 1);
    live_view_key(&w->view, LIVE_KEY_ENTER);
    assert_int_equal(w->link.waiting, 2);
    for (unsigned i = 0; i < LIVE_COMMANDS; i++) {
        type(&w->view, "S");
        type(&w->view, "rtc");
        live_view_key(&w->view, LIVE_KEY_ENTER);
    }
    assert_int_equal(w->link.waiting, LIVE_COMMANDS);
    assert_string_equal(w->view.message, "too many commands wait for their answer");
    assert_string_equal(w->link.command[2], "tick=rtc");
}

/* Any key in any order: nothing breaks, and one key always leads out. */
static void test_any_keys(void **state)
{
    struct live_view *v = &((struct world *)*state)->view;
    uint32_t random = 1;

    for (unsigned i = 0; i < 20000; i++) {
        random = random * 1103515245 + 12345;
        live_view_key(v, (int)(random >> 16) % (LIVE_KEY_RESIZE + 1));
    }
    v->quit = false;
    live_view_key(v, LIVE_KEY_ESCAPE);
    live_view_key(v, LIVE_KEY_ESCAPE);
    type(v, "q");
    assert_true(v->quit);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar), cmocka_unit_test(test_columns), cmocka_unit_test(test_scale),
        cmocka_unit_test_setup_teardown(test_order, begin, end),
        cmocka_unit_test_setup_teardown(test_filter, begin, end),
        cmocka_unit_test_setup_teardown(test_pause, begin, end),
        cmocka_unit_test_setup_teardown(test_commands, begin, end),
        cmocka_unit_test_setup_teardown(test_any_keys, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
