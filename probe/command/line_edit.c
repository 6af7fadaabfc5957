/* SPDX-License-Identifier: MIT */
/* The line editor: what each key does to the line, and how the row is drawn. */
#include "probe/command/line_edit.h"

#include "probe/schedule/memory.h"
#include "probe/text/text_span.h"

#define CTRL(letter) ((letter) & 0x1f)
#define ESC    0x1b
#define DELETE 0x7f

enum escape { NO_ESCAPE, ESCAPE, BRACKET, LETTER_O }; /* ESC came, ESC [, ESC O */
enum key { KEY_NONE, KEY_UP, KEY_DOWN, KEY_RIGHT, KEY_LEFT, KEY_HOME, KEY_END, KEY_DELETE };

static unsigned length_of(const char *text)
{
    return (unsigned)span_text(text).length;
}

static void put_text(struct line_edit *e, const char *text)
{
    e->put(e->context, text, length_of(text));
}

static void bell(struct line_edit *e)
{
    put_text(e, "\a");
}

/* Columns for the line.  Two stay free for ^C, and the last one, where some terminals wrap. */
static unsigned room(const struct line_edit *e)
{
    return EDIT_COLUMNS - 3 - length_of(e->prompt);
}

static void draw(struct line_edit *e)
{
    const unsigned columns = room(e), from = e->cursor > columns ? e->cursor - columns : 0;
    const unsigned shown = e->length - from < columns ? e->length - from : columns;
    const unsigned right = length_of(e->prompt) + e->cursor - from;
    char move[16];
    struct text_buf out = TEXT_BUF(move);

    put_text(e, "\r");
    put_text(e, e->prompt);
    e->put(e->context, e->line + from, shown);
    put_text(e, "\x1b[K");
    if (e->cursor - from == shown)
        return; /* the cursor is there already */
    put_text(e, "\r");
    if (right == 0)
        return;
    buf_text(&out, "\x1b[");
    buf_number(&out, right);
    buf_char(&out, 'C');
    put_text(e, move);
}

void line_edit_init(struct line_edit *e)
{
    e->line[0] = '\0';
    e->length = e->cursor = 0;
    e->again = e->is_cut = false;
    e->last = e->escape = e->number = 0;
    e->remembered = e->newest = e->back = 0;
}

static void clear(struct line_edit *e)
{
    e->line[0] = '\0';
    e->length = e->cursor = e->back = 0;
    e->is_cut = false;
}

void line_edit_show(struct line_edit *e)
{
    if (e->again)
        clear(e);
    e->again = false;
    draw(e);
}

static void insert(struct line_edit *e, char c)
{
    if (e->length == EDIT_LINE - 1) {
        e->is_cut = true;
        bell(e);
        return;
    }
    memmove(e->line + e->cursor + 1, e->line + e->cursor, e->length - e->cursor + 1);
    e->line[e->cursor++] = c;
    e->length++;
    if (e->cursor == e->length && e->length <= room(e))
        e->put(e->context, &c, 1); /* the common case costs one byte */
    else
        draw(e);
}

/* Remove [from, to) and put the cursor there. */
static void cut(struct line_edit *e, unsigned from, unsigned to)
{
    memmove(e->line + from, e->line + to, e->length - to + 1);
    e->length -= to - from;
    e->cursor = from;
    e->is_cut = e->is_cut && e->length != 0;
    draw(e);
}

static void delete_one(struct line_edit *e, unsigned at)
{
    if (at < e->length)
        cut(e, at, at + 1);
    else
        bell(e);
}

static void delete_word(struct line_edit *e)
{
    unsigned from = e->cursor;

    while (from > 0 && e->line[from - 1] == ' ')
        from--;
    while (from > 0 && e->line[from - 1] != ' ')
        from--;
    cut(e, from, e->cursor);
}

static void move(struct line_edit *e, unsigned to)
{
    e->cursor = to <= e->length ? to : e->length;
    draw(e);
}

static char *past(struct line_edit *e, unsigned back)
{
    return e->past[(e->newest + EDIT_PAST - (back - 1)) % EDIT_PAST];
}

static void remember(struct line_edit *e)
{
    if (e->length == 0 || (e->remembered > 0 && !memcmp(past(e, 1), e->line, e->length + 1)))
        return;
    e->newest = (e->newest + 1) % EDIT_PAST;
    memcpy(e->past[e->newest], e->line, e->length + 1);
    if (e->remembered < EDIT_PAST)
        e->remembered++;
}

static void recall(struct line_edit *e, unsigned back)
{
    if (back > e->remembered) {
        bell(e);
        return;
    }
    if (e->back == 0)
        memcpy(e->draft, e->line, sizeof e->draft);
    e->back = back;
    memcpy(e->line, back == 0 ? e->draft : past(e, back), sizeof e->line);
    e->length = e->cursor = length_of(e->line);
    draw(e);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* How many of the first `most` bytes are alike but for the case of letters. */
static unsigned alike(const char *a, const char *b, unsigned most)
{
    unsigned n = 0;

    while (n < most && a[n] && lower(a[n]) == lower(b[n]))
        n++;
    return n;
}

/* Where the word that ends at the end of the line begins. */
static unsigned word_at_end(const struct line_edit *e)
{
    unsigned at = e->length;

    while (at > 0 && !span_is_separator(e->line[at - 1]))
        at--;
    return at;
}

/* Write the last word as the name has it, as far as all names that fit have the same. */
static void complete(struct line_edit *e)
{
    const unsigned word = word_at_end(e), typed = e->length - word;
    const char *found = NULL, *name;
    unsigned same = 0, names = 0;

    for (unsigned i = 0; e->name && e->cursor == e->length && (name = e->name(e->line, word, i)) != NULL; i++) {
        if (alike(name, e->line + word, typed) != typed)
            continue;
        same = found ? alike(name, found, same) : length_of(name);
        found = name;
        names++;
    }
    if (!found || (names > 1 && same == typed)) {
        bell(e);
        return;
    }
    if (memcmp(e->line + word, found, typed) != 0) {
        memcpy(e->line + word, found, typed);
        draw(e);
    }
    for (unsigned at = typed; at < same; at++)
        insert(e, found[at]);
    if (names == 1)
        insert(e, ' ');
}

static enum line_edit_event ready(struct line_edit *e, const char *end, enum line_edit_event event)
{
    if (e->cursor != e->length)
        move(e, e->length);
    put_text(e, end);
    if (event == EDIT_READY)
        remember(e);
    else
        clear(e);
    e->back = 0;
    e->again = true;
    return event;
}

static enum key key_of_letter(uint8_t byte)
{
    switch (byte) {
    case 'A': return KEY_UP;
    case 'B': return KEY_DOWN;
    case 'C': return KEY_RIGHT;
    case 'D': return KEY_LEFT;
    case 'H': return KEY_HOME;
    case 'F': return KEY_END;
    default: return KEY_NONE;
    }
}

/* CSI number ~, as the VT220 and its successors send it. */
static enum key key_of_number(uint8_t number)
{
    switch (number) {
    case 1: case 7: return KEY_HOME;
    case 3: return KEY_DELETE;
    case 4: case 8: return KEY_END;
    default: return KEY_NONE;
    }
}

static enum key key_of_control(uint8_t byte)
{
    switch (byte) {
    case CTRL('A'): return KEY_HOME;
    case CTRL('B'): return KEY_LEFT;
    case CTRL('D'): return KEY_DELETE;
    case CTRL('E'): return KEY_END;
    case CTRL('F'): return KEY_RIGHT;
    case CTRL('N'): return KEY_DOWN;
    case CTRL('P'): return KEY_UP;
    default: return KEY_NONE;
    }
}

static void take_key(struct line_edit *e, enum key key)
{
    switch (key) {
    case KEY_UP:
        recall(e, e->back + 1);
        break;
    case KEY_DOWN:
        if (e->back > 0)
            recall(e, e->back - 1);
        else
            bell(e);
        break;
    case KEY_RIGHT:
        move(e, e->cursor + 1);
        break;
    case KEY_LEFT:
        move(e, e->cursor > 0 ? e->cursor - 1 : 0);
        break;
    case KEY_HOME:
        move(e, 0);
        break;
    case KEY_END:
        move(e, e->length);
        break;
    case KEY_DELETE:
        delete_one(e, e->cursor);
        break;
    case KEY_NONE:
        break;
    }
}

/* A byte of an escape sequence; of its parameters only the last number counts. */
static void take_escape(struct line_edit *e, uint8_t byte)
{
    if (e->escape == ESCAPE && (byte == '[' || byte == 'O')) {
        e->escape = byte == '[' ? BRACKET : LETTER_O;
        e->number = 0;
        return;
    }
    if (e->escape == BRACKET && byte >= ' ' && byte < '@') {
        if (byte >= '0' && byte <= '9')
            e->number = (uint8_t)(e->number % 10 * 10 + (byte - '0'));
        else
            e->number = 0;
        return;
    }
    if (e->escape != ESCAPE)
        take_key(e, byte == '~' ? key_of_number(e->number) : key_of_letter(byte));
    e->escape = NO_ESCAPE;
}

static void take_control(struct line_edit *e, uint8_t byte)
{
    switch (byte) {
    case CTRL('H'):
    case DELETE:
        if (e->cursor > 0)
            cut(e, e->cursor - 1, e->cursor);
        else
            bell(e);
        break;
    case CTRL('I'):
        complete(e);
        break;
    case CTRL('K'):
        cut(e, e->cursor, e->length);
        break;
    case CTRL('L'):
        put_text(e, "\x1b[H\x1b[2J");
        draw(e);
        break;
    case CTRL('U'):
        cut(e, 0, e->cursor);
        break;
    case CTRL('W'):
        delete_word(e);
        break;
    default:
        take_key(e, key_of_control(byte));
        break;
    }
}

enum line_edit_event line_edit_byte(struct line_edit *e, uint8_t byte)
{
    const uint8_t before = e->last;

    e->last = byte;
    if (byte == '\n' && before == '\r')
        return EDIT_MORE;
    if (e->again)
        clear(e);
    e->again = false;
    if (byte == ESC)
        e->escape = ESCAPE;
    else if (byte == CTRL('C')) {
        e->escape = NO_ESCAPE;
        return ready(e, "^C\r\n", EDIT_INTERRUPTED);
    } else if (byte == '\r' || byte == '\n') {
        e->escape = NO_ESCAPE;
        return ready(e, "\r\n", e->is_cut ? EDIT_TOO_LONG : EDIT_READY);
    } else if (e->escape != NO_ESCAPE)
        take_escape(e, byte);
    else if (byte < ' ' || byte == DELETE)
        take_control(e, byte);
    else if (byte < DELETE)
        insert(e, (char)byte);
    return EDIT_MORE;
}
