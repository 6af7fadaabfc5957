/* SPDX-License-Identifier: MIT */
/* The help of the command language, from its own table and that of the words. */
#include "probe/command/command_table.h"
#include "probe/config/config_table.h"
#include "probe/text/text_buf.h"
#include "probe/text/text_span.h"

#define COLUMN 11 /* where what a command does begins in the list */
#define WIDTH  76 /* of a line */

struct paper {
    void (*line)(void *context, const char *text);
    void *context;
    char text[TEXT_BUF_SIZE];
    struct text_buf out;
};

/* Where a line that is too long can end: at its last blank that fits, or not at all. */
static char *last_blank(char *text)
{
    char *blank = NULL;

    for (unsigned i = 1; text[i]; i++) {
        if (i > WIDTH)
            return blank;
        if (text[i] == ' ')
            blank = text + i;
    }
    return NULL;
}

static void finish(struct paper *p)
{
    char *rest = p->text, *blank;

    while ((blank = last_blank(rest)) != NULL) {
        *blank = '\0';
        p->line(p->context, rest);
        rest = blank + 1;
    }
    p->line(p->context, rest);
    buf_reset(&p->out);
}

/* A name, and from the column on what it is. */
static void put_row(struct paper *p, const char *name, const char *value, const char *what)
{
    buf_text(&p->out, name);
    if (value) {
        buf_char(&p->out, ' ');
        buf_text(&p->out, value);
    }
    buf_char(&p->out, ' ');
    buf_pad(&p->out, COLUMN);
    buf_text(&p->out, what);
    finish(p);
}

/* The names of all words, in lines. */
static void put_words(struct paper *p)
{
    for (unsigned key = 0; key < CONFIG_KEYS; key++) {
        const struct span name = span_text(config_table[key].key);

        if (p->out.length + name.length >= WIDTH)
            finish(p);
        buf_text(&p->out, p->out.length != 0 ? " " : "");
        buf_span(&p->out, name);
    }
    finish(p);
}

static void put_all(struct paper *p, bool shell)
{
    for (const struct command_row *row = command_table; row->name; row++)
        if (shell || !command_needs_shell(row->verb))
            put_row(p, row->name, NULL, row->what);
    finish(p);
    buf_text(&p->out, "WORD=VALUE changes a word; help NAME says more of a command or a word:");
    finish(p);
    put_words(p);
}

static void put_command(struct paper *p, const struct command_row *row)
{
    buf_parts(&p->out, row->name, *row->synopsis ? " " : "", row->synopsis);
    finish(p);
    buf_text(&p->out, row->what);
    finish(p);
    if (row->takes == TAKES_MONITORS)
        put_row(p, "MONITOR", NULL, config_monitor_names);
    for (const struct command_option *o = command_options; o->name; o++)
        if (row->options & o->bit)
            put_row(p, o->name, o->value, o->what);
}

static void put_word(struct paper *p, const struct config_word *word)
{
    buf_parts(&p->out, word->key, "=", word->allowed);
    finish(p);
    buf_parts(&p->out, word->what, " (default: ", word->standard, ")");
    finish(p);
}

void command_help(const char *topic, bool shell, void (*line)(void *context, const char *text), void *context)
{
    struct paper p = {.line = line, .context = context};
    const struct command_row *row;
    enum config_key key;

    p.out = (struct text_buf)TEXT_BUF(p.text);
    if (!topic) {
        put_all(&p, shell);
        return;
    }
    row = command_row_named(span_text(topic));
    if (row)
        put_command(&p, row);
    key = config_key_named(span_text(topic)); /* `tick` is both */
    if (key != CONFIG_KEYS)
        put_word(&p, &config_table[key]);
}
