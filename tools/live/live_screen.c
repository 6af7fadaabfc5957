/* SPDX-License-Identifier: MIT */
/* Draws a live view by ncurses. */
#include "tools/live/live_screen.h"

#include <curses.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/base/cli.h"
#include "tools/base/pager.h"
#include "tools/base/printable.h"
#include "tools/live/live_table.h"
#include "tools/live/live_text.h"

#define TALL   16 /* rows of a screen that has room for all lines above the table */
#define DETAIL (MODES + 1) /* rows of the modes of the selected task */

static struct {
    SCREEN *screen; /* NULL: it is not open */
    FILE *keys;
    bool coloured;
    int errors, messages; /* standard error as it was; what took its place */
} here = {.errors = -1, .messages = -1};

/* Colours that are told apart without red and green; each also has a letter of its own. */
enum { PAIR_KERNEL = 1, PAIR_SUPERVISOR, PAIR_USER, PAIR_INTERRUPT, PAIR_LIMIT, PAIR_ALARM };

static const struct {
    char mark;
    short pair, text, ground;
} colours[] = {
    {LIVE_KERNEL, PAIR_KERNEL, COLOR_WHITE, COLOR_BLUE},
    {LIVE_SUPERVISOR, PAIR_SUPERVISOR, COLOR_BLACK, COLOR_WHITE},
    {LIVE_USER, PAIR_USER, COLOR_BLACK, COLOR_YELLOW},
    {LIVE_INTERRUPT, PAIR_INTERRUPT, COLOR_BLACK, COLOR_CYAN},
};

static void begin_colours(void)
{
    here.coloured = pager_has_colour() && has_colors() && start_color() != ERR;
    if (!here.coloured)
        return;
    use_default_colors();
    for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++)
        init_pair(colours[i].pair, colours[i].text, colours[i].ground);
    init_pair(PAIR_ALARM, COLOR_BLACK, COLOR_YELLOW);
}

static void keep_errors(void)
{
    fflush(stderr);
    here.messages = memfd_create("messages", MFD_CLOEXEC);
    here.errors = dup(STDERR_FILENO);
    if (here.messages >= 0)
        dup2(here.messages, STDERR_FILENO);
}

bool live_screen_open(void)
{
    /* Standard input may be the stream. */
    here.keys = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "r");
    here.screen = here.keys ? newterm(NULL, stdout, here.keys) : NULL;
    if (!here.screen) {
        cli_error("this terminal (TERM=%s) cannot be drawn on, or this system does not describe it (terminfo)",
                  getenv("TERM") ? getenv("TERM") : "");
        return false;
    }
    atexit(live_screen_close);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(50);
    nodelay(stdscr, TRUE);
    curs_set(0);
    begin_colours();
    keep_errors();
    return true;
}

void live_screen_close(void)
{
    if (!here.screen)
        return;
    endwin();
    fflush(stdout);
    here.screen = NULL;
    fflush(stderr);
    if (here.errors >= 0)
        dup2(here.errors, STDERR_FILENO);
}

bool live_screen_error(char to[LIVE_TEXT])
{
    char text[1024];
    ssize_t got;
    char *last;

    fflush(stderr);
    got = here.messages < 0 ? 0 : pread(here.messages, text, sizeof(text) - 1, 0);
    if (got <= 0)
        return false;
    if (ftruncate(here.messages, 0) || lseek(here.messages, 0, SEEK_SET))
        return false;
    text[got] = '\0';
    if (text[got - 1] == '\n')
        text[got - 1] = '\0';
    last = strrchr(text, '\n');
    last = last ? last + 1 : text;
    snprintf(to, LIVE_TEXT, "%s", printable(last));
    return true;
}

/* ---- keys ---- */

int live_screen_key(void)
{
    const int key = getch();

    switch (key) {
    case ERR: return LIVE_KEY_NONE;
    case KEY_UP: return LIVE_KEY_UP;
    case KEY_DOWN: return LIVE_KEY_DOWN;
    case KEY_PPAGE: return LIVE_KEY_PAGE_UP;
    case KEY_NPAGE: return LIVE_KEY_PAGE_DOWN;
    case KEY_HOME: return LIVE_KEY_HOME;
    case KEY_END: return LIVE_KEY_END;
    case KEY_BACKSPACE: case '\b': case 127: return LIVE_KEY_BACKSPACE;
    case KEY_ENTER: case '\n': case '\r': return LIVE_KEY_ENTER;
    case 27: return LIVE_KEY_ESCAPE;
    case KEY_RESIZE: return LIVE_KEY_RESIZE;
    default: return key >= 0 && key < 256 ? key : LIVE_KEY_ESCAPE;
    }
}

/* ---- drawing ---- */

static void put(int row, attr_t attributes, const char *text)
{
    attrset(attributes);
    mvaddnstr(row, 0, text, COLS);
    if (attributes & A_REVERSE)
        for (int column = (int)strlen(text); column < COLS; column++)
            addch(' ');
    attrset(A_NORMAL);
}

static attr_t alarm_of(bool alarm)
{
    return !alarm ? A_NORMAL : here.coloured ? (attr_t)COLOR_PAIR(PAIR_ALARM) : A_BOLD | A_UNDERLINE;
}

static attr_t mark_of(char mark, bool selected)
{
    for (size_t i = 0; here.coloured && i < sizeof(colours) / sizeof(*colours); i++)
        if (colours[i].mark == mark)
            return (attr_t)COLOR_PAIR(colours[i].pair);
    return (mark == LIVE_ESTIMATE ? A_BOLD : A_NORMAL) | (selected ? A_REVERSE : A_NORMAL);
}

/* A line of words. */
static void put_words(int row, attr_t attributes, char line[LIVE_LINE])
{
    live_text_cut(line, (unsigned)COLS);
    put(row, attributes, line);
}

/* Returns the first free row. */
static int draw_head(const struct live_view *v)
{
    char line[LIVE_LINE];
    int row = 0;

    for (unsigned i = 0; i < LIVE_HEADS; i++) {
        if (LINES < TALL && i != LIVE_HEAD_TITLE && i != LIVE_HEAD_SAMPLES)
            continue;
        live_text_head(line, (enum live_head)i, v->link);
        if (i == LIVE_HEAD_VERDICT && strlen(line) > (size_t)COLS)
            line[strcspn(line, ";")] = '\0'; /* what follows stands below the table too */
        put_words(row, alarm_of(live_text_is_alarm((enum live_head)i, v->link)) | (i ? 0 : A_BOLD), line);
        if (i == LIVE_HEAD_TITLE && v->paused && COLS > 10) {
            attrset(A_REVERSE);
            mvaddstr(row, COLS - 8, " PAUSED ");
        }
        row++;
    }
    return row;
}

static void draw_row(int at, const struct live_columns *c, const struct live_view *v, const struct live_row *row,
                     double scale)
{
    char line[LIVE_LINE];
    const bool selected = row->id == v->selected;

    live_text_row(line, c, &v->table, row, scale);
    put(at, selected ? A_REVERSE : A_NORMAL, line);
    for (unsigned i = c->bar_at; c->bar && line[i] && i < (unsigned)COLS; i++)
        if (line[i] != LIVE_NOTHING)
            mvaddch(at, (int)i, (chtype)line[i] | mark_of(line[i], selected));
}

/* Let the selected row be among those shown. */
static void scroll_to(struct live_view *v)
{
    const unsigned at = live_table_find(&v->table, v->selected);

    if (at < v->table.rows && at < v->top)
        v->top = at;
    else if (at < v->table.rows && at >= v->top + v->page)
        v->top = at - v->page + 1;
    if (v->top + v->page > v->table.rows)
        v->top = v->table.rows > v->page ? v->table.rows - v->page : 0;
}

static int draw_table(struct live_view *v, int row, int end)
{
    const struct live_columns c = live_columns_of((unsigned)COLS);
    const double scale = live_table_scale(&v->table);
    char line[LIVE_LINE];

    live_text_columns(line, &c, &v->table, scale);
    put_words(row++, A_UNDERLINE, line);
    v->page = end > row ? (unsigned)(end - row) : 0;
    scroll_to(v);
    for (unsigned i = v->top; i < v->table.rows && row < end; i++)
        draw_row(row++, &c, v, &v->table.row[i], scale);
    live_text_rest(line, v->paused ? &v->kept : v->link->run, &v->table, v->top, v->page);
    put_words(LINES - 2, A_NORMAL, line);
    return row;
}

static void draw_detail(const struct live_view *v, int row, int end)
{
    static const enum mode order[MODES] = {MODE_KERNEL, MODE_SUPERVISOR, MODE_USER, MODE_INTERRUPT};
    const struct live_columns c = live_columns_of((unsigned)COLS);
    const unsigned at = live_table_find(&v->table, v->selected);
    char line[LIVE_LINE];

    if (at == v->table.rows || row >= end)
        return;
    put(row++, A_BOLD | A_UNDERLINE, v->table.row[at].name);
    for (unsigned i = 0; i < MODES && row < end && v->table.row[at].whole.modes; i++) {
        live_text_mode(line, &c, &v->table.row[at], order[i]);
        put(row++, A_NORMAL, line);
    }
    for (unsigned i = v->code_top; i < v->code.lines && row < end; i++)
        put(row++, A_NORMAL, v->code.line[i]);
}

static void draw_help(void)
{
    put(0, A_BOLD, "keys; any key goes back");
    for (unsigned i = 0; live_view_help(i) && (int)i + 2 < LINES; i++)
        put((int)i + 2, A_NORMAL, live_view_help(i));
}

/* The last line: what is being typed, else the last message. */
static void draw_foot(const struct live_view *v)
{
    char line[LIVE_LINE];
    const char *text = v->message[0] ? v->message : v->link->answer;

    if (v->prompt)
        snprintf(line, sizeof(line), "%s%s_", live_view_prompt(v->prompt), v->typed);
    else
        snprintf(line, sizeof(line), "%s", text[0] ? text
                                                   : "h help  q quit  s sort  / filter  space pause  Enter code");
    put(LINES - 1, A_REVERSE, line);
}

/* ncurses ignores SIGTSTP while it draws; blocked, a Ctrl-Z that is typed meanwhile waits and is not lost. */
static void show(void)
{
    sigset_t stop, before;

    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigprocmask(SIG_BLOCK, &stop, &before);
    refresh();
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void live_screen_draw(struct live_view *v)
{
    int row, end = LINES - 2;

    erase();
    v->columns = (unsigned)COLS;
    if (v->help) {
        draw_help();
        show();
        return;
    }
    row = draw_head(v);
    if (v->detail)
        end -= (end - row) / 2 > DETAIL ? (end - row) / 2 : DETAIL;
    row = draw_table(v, row, end);
    if (v->detail)
        draw_detail(v, row < end ? row + (row + 1 < LINES - 2 - DETAIL) : row, LINES - 2);
    draw_foot(v);
    show();
}
