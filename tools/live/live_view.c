/* SPDX-License-Identifier: MIT */
/* What the keys of a live view do. */
#include "tools/live/live_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CTRL_C 3

static const char *const help[] = {
    "q            leave; the image runs on",
    "up, down     select a task (also j, k; page up, page down, home, end)",
    "t u K n e    sort by total, user, kernel, name, error; s: the next of these",
    "w            sort by shares since the start, or of the last interval",
    "/            filter by a part of the name; empty: all",
    "space        pause, and go on; nothing is lost meanwhile",
    "Enter, d     modes, functions and histogram of the selected task; [ and ] scroll them",
    "z            zoom: have the image watch the code of the task, then the hottest part of it",
    "x            end the zoom: restore the monitors",
    "r S p        change rate, source (pit, rtc, ...) or policy (stratified, ...) of the ticks",
    ":            any command of the image: status, set, regions ...",
    "o, c         type 'output frames' at an open shell; ask who listens",
    "h, ?         this list",
    "bars: K kernel, S supervisor, U user, I interrupt, | the share, - its 95 % interval",
};

const char *live_view_help(unsigned line)
{
    return line < sizeof(help) / sizeof(*help) ? help[line] : NULL;
}

static const struct {
    const char *label, *word;
} prompts[] = {
    [LIVE_NO_PROMPT] = {"", ""},     [LIVE_FILTERS] = {"filter: ", ""},
    [LIVE_RATE] = {"rate, Hz: ", "rate="}, [LIVE_SOURCE] = {"source: ", "tick="},
    [LIVE_POLICY] = {"policy: ", "interval="}, [LIVE_COMMAND] = {"command: ", ""},
};

const char *live_view_prompt(enum live_prompt prompt)
{
    return prompts[prompt].label;
}

/* ---- the selection ---- */

static void select_row(struct live_view *v, long row)
{
    const unsigned rows = v->table.rows;

    if (!rows)
        return;
    row = row < 0 ? 0 : row >= (long)rows ? (long)rows - 1 : row;
    v->selected = v->table.row[row].id;
    v->code_top = 0;
}

static void move(struct live_view *v, long by)
{
    const unsigned at = live_table_find(&v->table, v->selected);

    select_row(v, at == v->table.rows ? 0 : (long)at + by);
}

/* Code is read from the stream, which goes on while the tables are kept. */
static void show_code(struct live_view *v)
{
    if (v->detail && v->selected && !v->paused)
        live_code_make(&v->code, v->link, v->selected, v->columns);
}

static void remake(struct live_view *v)
{
    live_table_make(&v->table, v->paused ? &v->kept : v->link->run, &v->choice);
    if (v->table.rows && live_table_find(&v->table, v->selected) == v->table.rows)
        v->selected = v->table.row[0].id;
    show_code(v);
}

void live_view_update(struct live_view *v)
{
    if (!v->paused)
        remake(v);
}

/* ---- what is typed ---- */

static void say(struct live_view *v, const char *text)
{
    snprintf(v->message, sizeof(v->message), "%s", text);
}

static void ask(struct live_view *v, enum live_prompt prompt)
{
    if (prompt != LIVE_FILTERS && v->link->is_file) {
        say(v, "a file takes no commands");
        return;
    }
    v->prompt = prompt;
    snprintf(v->typed, sizeof(v->typed), "%s", prompt == LIVE_FILTERS ? v->choice.filter : "");
}

static void finish(struct live_view *v)
{
    char line[2 * COMMAND_LINE];

    snprintf(line, sizeof(line), "%s%s", prompts[v->prompt].word, v->typed);
    if (v->prompt != LIVE_FILTERS && v->typed[0] && !live_link_command(v->link, line))
        say(v, v->link->answer);
    v->prompt = LIVE_NO_PROMPT;
}

/* The filter is in force while it is being typed. */
static void changed(struct live_view *v)
{
    if (v->prompt != LIVE_FILTERS)
        return;
    snprintf(v->choice.filter, sizeof(v->choice.filter), "%.*s", LIVE_FILTER - 1, v->typed);
    remake(v);
}

static void type(struct live_view *v, int key)
{
    const size_t length = strlen(v->typed);

    if (key == LIVE_KEY_ENTER) {
        finish(v);
    } else if (key == LIVE_KEY_ESCAPE || key == CTRL_C) {
        v->typed[0] = '\0';
        changed(v);
        v->prompt = LIVE_NO_PROMPT;
    } else if (key == LIVE_KEY_BACKSPACE) {
        v->typed[length ? length - 1 : 0] = '\0';
        changed(v);
    } else if (key >= ' ' && key <= '~' && length + 1 < sizeof(v->typed)) {
        v->typed[length] = (char)key;
        v->typed[length + 1] = '\0';
        changed(v);
    }
}

/* ---- keys ---- */

static void sort(struct live_view *v, enum table_order order)
{
    v->choice.order = order;
    remake(v);
    snprintf(v->message, sizeof(v->message), "sorted by %s%s", table_order_name(order),
             v->choice.by_whole ? ", since the start" : ", of the last interval");
}

static void pause(struct live_view *v)
{
    v->paused = !v->paused;
    if (v->paused)
        live_run_copy(&v->kept, v->link->run);
    remake(v);
}

static void detail(struct live_view *v)
{
    v->detail = !v->detail;
    v->code_top = 0;
    remake(v);
}

static void zoom(struct live_view *v)
{
    char why[LIVE_TEXT] = "";

    if (v->link->is_file)
        say(v, "a file takes no commands");
    else if (!live_code_zoom(&v->code, v->link, v->selected, why))
        say(v, why);
    else
        snprintf(v->message, sizeof(v->message), "zoom, step %u: 0x%" PRIx64 "-0x%" PRIx64, v->code.zoom.step,
                 v->code.zoom.low, v->code.zoom.high);
    if (!v->detail)
        detail(v);
}

static bool sort_key(struct live_view *v, int key)
{
    switch (key) {
    case 's': sort(v, (enum table_order)((v->choice.order + 1) % TABLE_ORDERS)); return true;
    case 't': sort(v, TABLE_BY_TOTAL); return true;
    case 'u': sort(v, TABLE_BY_USER); return true;
    case 'K': sort(v, TABLE_BY_KERNEL); return true;
    case 'n': sort(v, TABLE_BY_NAME); return true;
    case 'e': sort(v, TABLE_BY_ERROR); return true;
    case 'w':
        v->choice.by_whole = !v->choice.by_whole;
        sort(v, v->choice.order);
        return true;
    default: return false;
    }
}

static bool move_key(struct live_view *v, int key)
{
    const long page = v->page > 1 ? v->page : 1;

    switch (key) {
    case 'k': case LIVE_KEY_UP: move(v, -1); break;
    case 'j': case LIVE_KEY_DOWN: move(v, 1); break;
    case LIVE_KEY_PAGE_UP: move(v, -page); break;
    case LIVE_KEY_PAGE_DOWN: move(v, page); break;
    case LIVE_KEY_HOME: select_row(v, 0); break;
    case LIVE_KEY_END: select_row(v, SNAPSHOT_ROWS); break;
    case '[': v->code_top -= v->code_top != 0; return true;
    case ']': v->code_top += v->code_top + 1 < v->code.lines; return true;
    default: return false;
    }
    show_code(v);
    return true;
}

static void other_key(struct live_view *v, int key)
{
    switch (key) {
    case 'q': case CTRL_C: v->quit = true; break;
    case 'h': case '?': v->help = true; break;
    case ' ': pause(v); break;
    case 'd': case LIVE_KEY_ENTER: detail(v); break;
    case '/': ask(v, LIVE_FILTERS); break;
    case 'r': ask(v, LIVE_RATE); break;
    case 'S': ask(v, LIVE_SOURCE); break;
    case 'p': ask(v, LIVE_POLICY); break;
    case ':': ask(v, LIVE_COMMAND); break;
    case 'z': zoom(v); break;
    case 'x': live_code_restore(&v->code, v->link); break;
    case 'o': live_link_to_frames(v->link); break;
    case 'c': live_link_attach(v->link); break;
    default: break;
    }
}

void live_view_key(struct live_view *v, int key)
{
    if (key == LIVE_KEY_RESIZE) {
        remake(v);
        return;
    }
    v->message[0] = '\0';
    if (v->prompt)
        type(v, key);
    else if (v->help)
        v->help = false;
    else if (!sort_key(v, key) && !move_key(v, key))
        other_key(v, key);
}
