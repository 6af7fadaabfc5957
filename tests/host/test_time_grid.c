/* SPDX-License-Identifier: MIT */
/* Time by row and column: sums to the unit, columns that meet, limits, and the rows of a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/trace/time_grid.h"

static void columns_meet(void **state)
{
    struct time_grid g;

    (void)state;
    for (unsigned columns = 1; columns < 100; columns++) {
        time_grid_begin(&g, -17, 1000, columns);
        assert_int_equal(time_grid_column(&g, 0), -17);
        assert_int_equal(time_grid_column(&g, columns), 1000);
    }
    time_grid_begin(&g, INT64_MIN, INT64_MAX, GRID_COLUMNS);
    assert_true(time_grid_column(&g, GRID_COLUMNS) == INT64_MAX);
}

/* Each cell has exactly the part of [begin, end) that is in its column. */
static void parts_of_a_stretch(void **state)
{
    (void)state;
    for (unsigned columns = 1; columns <= 40; columns++)
        for (int64_t begin = -5; begin < 35; begin += 3)
            for (int64_t end = begin - 1; end < 40; end += 2) {
                struct time_grid g;
                uint64_t sum = 0;

                time_grid_begin(&g, 3, 30, columns);
                time_grid_add(&g, 7, 2, begin, end);
                for (unsigned c = 0; c < columns && g.rows; c++) {
                    const int64_t low = time_grid_column(&g, c), high = time_grid_column(&g, c + 1);
                    const int64_t from = begin > low ? begin : low, to = end < high ? end : high;

                    assert_int_equal(g.row[0].cell[c].time[2], to > from ? to - from : 0);
                    sum += g.row[0].cell[c].time[2];
                }
                assert_int_equal(sum, g.rows ? g.row[0].time[2] : 0);
                time_grid_free(&g);
            }
}

/* An amount that is spread: all of it, evenly to a unit; what is outside of the grid is left out. */
static void an_amount_over_a_stretch(void **state)
{
    struct time_grid g;

    (void)state;
    for (unsigned columns = 1; columns <= 40; columns++) {
        time_grid_begin(&g, 0, 1000, columns);
        time_grid_spread(&g, 1, 0, 0, 1000, 12345);
        assert_int_equal(g.row[0].time[0], 12345);
        for (unsigned c = 0; c < columns; c++)
            assert_in_range(g.row[0].cell[c].time[0], 12345 / columns > 20 ? 12345 / columns - 20 : 0,
                            12345 / columns + 20);
        time_grid_spread(&g, 2, 0, -1000, 3000, 4000);
        assert_int_equal(g.row[1].time[0], 1000);
        time_grid_spread(&g, 3, 0, 1000, 2000, 5);
        assert_int_equal(g.rows, 2);
        time_grid_free(&g);
    }
}

/* More rows than there are: their time is in the row of others. */
static void too_many_rows(void **state)
{
    struct time_grid g;

    (void)state;
    time_grid_begin(&g, 0, 100, 1);
    for (uint64_t key = 0; key < 3 * GRID_ROWS; key++)
        time_grid_add(&g, key, 0, 0, 1);
    assert_int_equal(g.rows, GRID_ROWS);
    assert_int_equal(time_grid_row(&g, GRID_OTHERS)->time[0], 2 * GRID_ROWS + 1);
    assert_null(time_grid_row(&g, 3 * GRID_ROWS));
    time_grid_free(&g);
}

static void add(struct time_grid *g, uint32_t task, enum mode mode, bool masked, int64_t begin, int64_t length)
{
    const struct timeline_item item = {
        .kind = TIMELINE_STEP,
        .step = {.begin = begin, .length = length, .task = task, .mode = mode, .masked = masked,
                 .known = KNOWN_TASK | KNOWN_MODE | KNOWN_MASKED},
    };

    run_grid_add(g, &item);
}

static void rows_of_a_run(void **state)
{
    static const uint64_t order[] = {2, 1, GRID_UNKNOWN, ROW_IDLE, GRID_INTERRUPTS, GRID_MASKED, GRID_MONITOR,
                                     GRID_GAPS};
    const struct timeline_item tick = {.kind = TIMELINE_STEP, .step = {.begin = 90, .length = 4, .monitor = true}},
                               unknown = {.kind = TIMELINE_STEP, .step = {.begin = 94, .length = 5}},
                               gap = {.kind = TIMELINE_GAP, .gap = {99, 100, 1, GAP_FRAMES}};
    struct time_grid g;

    (void)state;
    time_grid_begin(&g, 0, 100, 10);
    run_grid_add(&g, &gap);
    run_grid_add(&g, &unknown);
    run_grid_add(&g, &tick);
    add(&g, 1, MODE_USER, false, 0, 10);
    add(&g, 1, MODE_INTERRUPT, true, 10, 5);
    add(&g, ROW_IDLE, MODE_KERNEL, false, 15, 40);
    add(&g, 2, MODE_KERNEL, false, 55, 35);
    run_grid_sort(&g);
    assert_int_equal(g.rows, 8);
    for (size_t r = 0; r < g.rows; r++)
        assert_true(g.row[r].key == order[r]);
    assert_int_equal(time_grid_row(&g, 1)->time[MODE_INTERRUPT], 5);
    assert_int_equal(time_grid_row(&g, GRID_INTERRUPTS)->time[MODE_INTERRUPT], 5);
    assert_int_equal(time_grid_row(&g, GRID_MASKED)->time[GRID_IRQ_OFF], 5);
    assert_int_equal(time_grid_row(&g, GRID_UNKNOWN)->time[GRID_NO_MODE], 5);
    assert_int_equal(grid_greatest(&time_grid_row(&g, 1)->cell[0]), MODE_USER);
    assert_int_equal(grid_greatest(&time_grid_row(&g, 1)->cell[9]), GRID_STATES);
    time_grid_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_meet),
        cmocka_unit_test(parts_of_a_stretch),
        cmocka_unit_test(an_amount_over_a_stretch),
        cmocka_unit_test(too_many_rows),
        cmocka_unit_test(rows_of_a_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
