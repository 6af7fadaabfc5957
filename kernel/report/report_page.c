/* SPDX-License-Identifier: MIT */
/*
 * Draws the page of the screen: tasks in the order of their shares, then the rows of no task, each with its interval
 * as a bar, anew each second in the same rows.
 */
/* Uses vector registers: task context only. */
#include "kernel/report/run.h"

#include "drivers/font.h"
#include "kernel/io/screen.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/workload/workload.h"
#include "probe/stats/table_sort.h"
#include "probe/stream/version.h"

#define NAME_WIDE  14u
#define SHARE_WIDE 6u
#define BAR_FROM   (NAME_WIDE + SHARE_WIDE + TABLE_LIMITS_WIDE + 1)
#define AROUND     3u /* rows that are no tasks: two above, one below */
#define PARTS      5u /* of the scale above the bars */

static struct table_options options; /* task PROBE, as the next */
static unsigned most;                /* percent at the right end of the bars */
static struct snapshot *drawn;

static unsigned bar_wide(void)
{
    return screen_columns() > BAR_FROM + PARTS ? screen_columns() - BAR_FROM : 0;
}

/*
 * A cell of the bar is full where all of it is below the interval, shaded where a part of it is within.  Without an
 * interval the bar ends at the share.
 */
static void put_bar(struct text_buf *b, const struct table_cell *cell)
{
    const bool known = cell->high == cell->high;
    const double low = known ? cell->low : cell->percent, high = known ? cell->high : cell->percent;
    const unsigned wide = bar_wide();

    buf_pad(b, BAR_FROM);
    for (unsigned i = 0; i < wide && (double)(most * i) < high * wide; i++)
        buf_char(b, (char)((double)(most * (i + 1)) <= low * wide ? FONT_FULL : FONT_SHADE));
}

/* The numbers end where their bars would. */
static void put_scale(struct text_buf *b)
{
    const unsigned wide = bar_wide();

    if (wide == 0)
        return;
    buf_pad(b, BAR_FROM);
    buf_char(b, '0');
    for (unsigned i = 1; i <= PARTS; i++) {
        const char *const number = DECIMAL(most * i / PARTS);

        buf_pad(b, BAR_FROM + wide * i / PARTS - string_length(number));
        buf_text(b, number);
    }
}

static void put_title(const struct snapshot *s, bool over)
{
    const double missed = table_missed_masked(s, &options) + (double)s->missed_overrun + (double)s->missed_source +
                          (double)s->lost_table + (double)s->lost_ring;
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    buf_parts(&b, "cpuprobe ", CPUPROBE_VERSION, ", ",
              REAL((double)(s->end - s->begin) / (double)options.clock_hz, 1));
    if (!over && run_config()->seconds != 0)
        buf_parts(&b, " of ", DECIMAL(run_config()->seconds));
    buf_parts(&b, over ? " s, the end: " : " s: ", DECIMAL(s->samples), " samples, ", REAL(missed, 0), " missed");
    if (s->exact)
        buf_parts(&b, ", MONITOR ", REAL(100.0 * (double)s->monitor / (double)(s->end - s->begin), 2), " %");
    screen_page_row(0, text, TERMINAL_WHITE);
    buf_reset(&b);
    buf_text(&b, "Task           Total       95 %");
    put_scale(&b);
    screen_page_row(1, text, TERMINAL_GREY);
}

static void put_row(unsigned row, const struct snapshot *s, const struct snapshot_row *from)
{
    const struct table_row r = table_row(s, from, &options);
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    buf_left(&b, snapshot_row_name(from), NAME_WIDE);
    table_cell_put(&b, &r.total, s->samples != 0, SHARE_WIDE, true);
    if (s->samples != 0)
        put_bar(&b, &r.total);
    screen_page_row(row, text, TERMINAL_CYAN);
}

static bool is_shown(const struct snapshot_row *row)
{
    return row_has_modes(row->id) || row->total != 0;
}

/* IDLE, MASKED, STOLEN and LOST say what the shares of tasks are worth: they are never left out. */
static bool is_task_row(const struct snapshot_row *row)
{
    return row->id < ROW_IDLE;
}

static unsigned count_rows(const struct snapshot *s, bool tasks)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < s->rows; i++)
        count += is_shown(&s->row[i]) && is_task_row(&s->row[i]) == tasks;
    return count;
}

/* The least of some round numbers that no interval exceeds. */
static unsigned scale_of(const struct snapshot *s)
{
    static const unsigned ends[] = {10, 25, 50};
    double highest = 0;

    for (uint32_t i = 0; i < s->rows; i++) {
        const struct table_cell total = table_row(s, &s->row[i], &options).total;
        const double end = total.high == total.high ? total.high : total.percent;

        highest = is_shown(&s->row[i]) && end > highest ? end : highest;
    }
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (highest <= ends[i])
            return ends[i];
    return 100;
}

/* Tasks with the largest shares, so many, and all other rows, as far as there is room. */
static void put_rows(const struct snapshot *s, unsigned tasks, unsigned room)
{
    unsigned put = 0;

    for (uint32_t i = 0; i < s->rows && put < room; i++) {
        if (!is_shown(&s->row[i]) || (is_task_row(&s->row[i]) && tasks == 0))
            continue;
        tasks -= is_task_row(&s->row[i]);
        put_row(AROUND - 1 + put++, s, &s->row[i]);
    }
}

void report_page(struct snapshot *s, bool over)
{
    const unsigned tasks = count_rows(s, true), others = count_rows(s, false);
    const unsigned given = screen_page(tasks + others + AROUND), room = given > AROUND ? given - AROUND : 0;
    const unsigned shown = tasks + others <= room ? tasks : room > others ? room - others : 0;

    drawn = s;
    options = report_table_options(s);
    most = scale_of(s);
    table_sort_by(s, TABLE_BY_TOTAL, &options);
    put_title(s, over);
    put_rows(s, shown, room);
    if (given != 0)
        screen_page_row(given - 1, shown == tasks ? workload_note() :
                        JOINED("(", DECIMAL(tasks - shown), " more tasks)"), TERMINAL_GREY);
    screen_paint();
}

struct snapshot *report_page_snapshot(void)
{
    return drawn;
}
