/* SPDX-License-Identifier: MIT */
/*
 * Holds the rows of the command language, of which pat, plt and mps are those of Crowe, "CPU Probes", with their
 * options, and prints its help from them and from the table of the words.
 */
#include "probe/command/command_table.h"

#include <stddef.h>

#include "probe/config/config_table.h"
#include "probe/text/text_buf.h"
#include "probe/text/text_span.h"

#define COLUMN 11 /* where what a command does begins in the list */
#define WIDTH  76 /* of a line */

const struct command_row command_table[] = {
    {"pat", COMMAND_PAT, TAKES_NOTHING, OPTIONS_WINDOW, "[OPTION ...]",
     "print a table of the CPU use of all tasks over N seconds"},
    {"plt", COMMAND_PLT, TAKES_TASK, OPTIONS_PROFILE, "[OPTION ...] TASK",
     "print the hits of a task by address over N seconds"},
    {"mps", COMMAND_MPS, TAKES_TASK, OPTIONS_PROFILE, "[OPTION ...] TASK [SYMBOLS]",
     "the same, under the names of functions"},
    {"top", COMMAND_TOP, TAKES_NOTHING, OPTIONS_TOP, "[OPTION ...]",
     "show the tasks by their share, each second, until a key is pressed"},
    {"ps", COMMAND_PS, TAKES_NOTHING, 0, "",
     "list the tasks by what they used since the last ps, with their CPU time so far; so does tasks"},
    {"regions", COMMAND_REGIONS, TAKES_REGIONS, 0, "[add TASK:MODE:LOW-HIGH | remove NUMBER|all]",
     "list, add or remove the watched regions"},
    {"tick", COMMAND_TICK, TAKES_TICK, 0, "[SOURCE] [RATE] [POLICY] [DELIVERY] [WORD=VALUE ...]",
     "show or change the source and the rate of the tick"},
    {"set", COMMAND_SET, TAKES_WORDS, 0, "[WORD=VALUE ...]",
     "show or change the configuration words"},
    {"start", COMMAND_START, TAKES_MONITORS, 0, "[MONITOR ...]",
     "start monitors (default: system)"},
    {"stop", COMMAND_STOP, TAKES_MONITORS, 0, "[MONITOR ...]",
     "stop monitors (default: all)"},
    {"snapshot", COMMAND_SNAPSHOT, TAKES_NOTHING, 0, "", "print what the monitors have counted so far"},
    {"pause", COMMAND_PAUSE, TAKES_NOTHING, 0, "", "record no events from here on; an event says so"},
    {"continue", COMMAND_CONTINUE, TAKES_NOTHING, 0, "", "record events again"},
    {"dump", COMMAND_DUMP, TAKES_NOTHING, 0, "", "write out the buffer of events as it is"},
    {"status", COMMAND_STATUS, TAKES_NOTHING, 0, "", "print the state of the run and its losses"},
    {"health", COMMAND_HEALTH, TAKES_NOTHING, 0, "", "print the machine report"},
    {"output", COMMAND_OUTPUT, TAKES_OUTPUT, 0, "text|frames",
     "switch to tables as text, or to frames for the host tool"},
    {"page", COMMAND_PAGE, TAKES_ROWS, 0, "[ROWS]",
     "set the rows of the terminal; a longer answer waits for a key; 0: never"},
    {"end", COMMAND_END, TAKES_NOTHING, 0, "", "end the run; so do exit and quit"},
    {"reboot", COMMAND_REBOOT, TAKES_NOTHING, 0, "", "reset the machine"},
    {"help", COMMAND_HELP, TAKES_TOPIC, 0, "[COMMAND|WORD]", "list the commands, or explain one; so does ?"},
    {.name = NULL},
};

const struct command_option command_options[] = {
    {"-sec", OPTION_SEC, "N", "length of the measurement in seconds (60)"},
    {"-mode", OPTION_MODE, "MODE", "user, supervisor, kernel or interrupt (user)"},
    {"-low", OPTION_LOW, "A", "first address; 0.. is octal, 0x.. hexadecimal"},
    {"-high", OPTION_HIGH, "A", "the address after the last one"},
    {"-min", OPTION_MIN, "HITS", "slots with fewer hits are shown as a gap"},
    {"-zoom", OPTION_ZOOM, NULL, "continue with smaller regions, down to the hottest function"},
    {"-sort", OPTION_SORT, "ORDER", TABLE_ORDERS_ALLOWED " (total)"},
    {.name = NULL},
};

const struct command_synonym command_synonyms[] = {
    {"exit", COMMAND_END}, {"quit", COMMAND_END}, {"?", COMMAND_HELP}, {"tasks", COMMAND_PS}, {.name = NULL},
};

const enum config_key command_tick_words[] = {
    CONFIG_TICK, CONFIG_INTERVAL, CONFIG_DELIVERY, CONFIG_RNG, CONFIG_RATE, CONFIG_SPREAD, CONFIG_SEED, CONFIG_SLU,
    CONFIG_KEYS,
};

static const struct command_row *row_of(enum command_verb verb)
{
    const struct command_row *row = command_table;

    while (row->name && row->verb != verb)
        row++;
    return row;
}

const struct command_row *command_row_named(struct span name)
{
    for (const struct command_row *row = command_table; row->name; row++)
        if (span_is(name, row->name))
            return row;
    for (const struct command_synonym *s = command_synonyms; s->name; s++)
        if (span_is(name, s->name))
            return row_of(s->verb);
    return NULL;
}

bool command_needs_shell(enum command_verb verb)
{
    return verb == COMMAND_TOP || verb == COMMAND_PAT || verb == COMMAND_PLT || verb == COMMAND_MPS ||
           verb == COMMAND_PAGE;
}

/* Help */

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
