/* SPDX-License-Identifier: MIT */
/*
 * top: who uses the CPU, drawn anew each second in plain VT100 (cursor home, clear to the end of the line and of the
 * screen).  The last interval is the difference of two snapshots.
 */
/* Uses vector registers: task context only. */
#include "kernel/shell/shell.h"

#include "drivers/io.h"
#include "kernel/lib/string.h"
#include "kernel/report/run.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/window.h"
#include "probe/schedule/memory.h"
#include "probe/stats/table_sort.h"

#define SECOND_US  1000000u
#define NAME_WIDE  14
#define SHARE_WIDE 6 /* with two intervals and four modes a row has 78 columns */
#define AROUND     3 /* rows that are no tasks: two above, one below */

static struct snapshot before, between; /* task PROBE, as all here */
static enum table_order order;
static struct table_options options;

static void put(const char *text)
{
    console_put(text, (unsigned)string_length(text));
}

static void put_row(const char *text)
{
    put(text);
    put("\x1b[K\r\n");
}

/* ---- what is drawn ---- */

static void put_head(const struct snapshot *now, bool known)
{
    const double missed = table_missed_masked(now, &options) + (double)now->missed_overrun +
                          (double)now->missed_source;

    put_row(JOINED("late ", DECIMAL(now->late), ", missed ", REAL(missed, 1), ", lost ",
                   DECIMAL(now->lost_table + now->lost_ring), "; samples ", DECIMAL(now->samples), known ? " (+" : "",
                   known ? DECIMAL(between.samples) : "", known ? ")" : "", "; by ", table_order_name(order)));
    put_row("Task           Last%   95 %       Start%   95 %         Kern  Sup.  User Intr.");
}

static void put_modes(struct text_buf *b, const struct table_row *last)
{
    static const enum mode columns[MODES] = {MODE_KERNEL, MODE_SUPERVISOR, MODE_USER, MODE_INTERRUPT};

    for (unsigned i = 0; i < MODES && last->modes; i++)
        table_cell_put(b, &last->cell[columns[i]], true, SHARE_WIDE, false);
}

/* `sorted`: a row of the snapshot by which the rows are sorted; `known`: it is of the last interval. */
static void put_task(const struct snapshot *now, const struct snapshot_row *sorted, bool known)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);
    const struct snapshot_row *const found = snapshot_find_row(now, sorted->id),
                              *const row = found != 0 ? found : sorted;
    struct table_row last = table_row(known ? &between : now, sorted, &options), whole;

    whole = table_row(now, row, &options);
    buf_left(&b, snapshot_row_name(row), NAME_WIDE);
    table_cell_put(&b, &last.total, known, SHARE_WIDE, true);
    table_cell_put(&b, &whole.total, true, SHARE_WIDE, true);
    if (known)
        put_modes(&b, &last);
    buf_trim(&b);
    put_row(text);
}

static bool is_shown(const struct snapshot_row *row)
{
    return row_has_modes(row->id) || row->total != 0;
}

static void draw(struct snapshot *now, bool known)
{
    struct snapshot *const sorted = known ? &between : now;
    const uint32_t page = console_page() != 0 ? console_page() : COMMAND_ROWS;
    uint32_t left = page > AROUND ? page - AROUND : 0;

    options = report_table_options(now);
    table_sort_by(sorted, order, &options);
    put("\x1b[H");
    put_head(now, known);
    for (uint32_t i = 0; i < sorted->rows && left != 0; i++)
        if (is_shown(&sorted->row[i])) {
            put_task(now, &sorted->row[i], known);
            left--;
        }
    put("t total  u user  K kernel  n name  e error; any other key ends\x1b[K\x1b[J");
}

/* ---- each second ---- */

/* Close the window for a moment, and draw; the next interval begins here. */
static void show(bool first)
{
    struct snapshot *const now = report_peek();
    const bool known = !first && snapshot_difference(&between, now, &before);

    memcpy(&before, now, snapshot_bytes(now));
    draw(now, known);
}

/* False: the key ends it. */
static bool take_key(uint8_t key)
{
    static const char keys[TABLE_ORDERS] = {
        [TABLE_BY_NAME] = 'n', [TABLE_BY_TOTAL] = 't', [TABLE_BY_USER] = 'u', [TABLE_BY_KERNEL] = 'K',
        [TABLE_BY_ERROR] = 'e',
    };

    for (unsigned i = 0; i < TABLE_ORDERS; i++)
        if (key == (uint8_t)keys[i]) {
            order = (enum table_order)i;
            return true;
        }
    return false;
}

static void nothing(void)
{
}

/* For a second after what was drawn; false: a key ended it, or the run is over. */
static bool await(void)
{
    const uint64_t next = rdtsc() + timer_us_to_clocks(SECOND_US),
                   until = next < console_end() ? next : console_end();
    uint8_t key;

    while (console_key(until, &key, nothing))
        if (!take_key(key))
            return false;
    return rdtsc() < console_end();
}

bool shell_top(const struct command *c, struct refusal *why)
{
    bool first = true;

    if (!tick_facts.ticks)
        return REFUSE(why, "tick=none: nothing is sampled");
    if (!(probe.monitors & PROBE_SYSTEM))
        return REFUSE(why, "the system monitor is off (start system)");
    order = c->order;
    put("\x1b[2J");
    do {
        show(first);
        first = false;
    } while (await());
    put("\r\n");
    return true;
}
