/* SPDX-License-Identifier: MIT */
/* The parser of the command language: a line, token by token, by the rows of its table. */
#include "probe/command/command.h"

#include "probe/command/command_table.h"
#include "probe/core/memory.h"
#include "probe/text/text_span.h"

#define ROWS_MAX 1000u

/* One line that is being read. */
struct reader {
    const char *at; /* what was not read yet */
    const struct command_row *row;
    struct command *to;
    struct text_buf sentence, words;
};

const char *command_name(unsigned index)
{
    const struct command_row *row = command_table;

    while (row->name && index-- > 0)
        row++;
    return row->name;
}

/* The next token; false at the end of the line or before a comment. */
static bool next(struct reader *r, struct span *token)
{
    while (span_is_separator(*r->at))
        r->at++;
    *token = (struct span){r->at, 0};
    while (*r->at && *r->at != '#' && !span_is_separator(*r->at))
        r->at++;
    token->length = (size_t)(r->at - token->at);
    return token->length != 0;
}

/* "pat: ", and what is wrong. */
static struct text_buf *wrong(struct reader *r)
{
    buf_text(&r->sentence, r->row->name);
    buf_text(&r->sentence, ": ");
    return &r->sentence;
}

/* Always false, so that it can end a reading. */
static bool refuse(struct reader *r, const char *before, struct span what, const char *after)
{
    struct text_buf *out = wrong(r);

    buf_text(out, before);
    buf_quoted(out, what);
    buf_text(out, after);
    return false;
}

static bool refuse_usage(struct reader *r, const char *why)
{
    struct text_buf *out = wrong(r);

    buf_text(out, why);
    buf_text(out, " (");
    buf_text(out, r->row->name);
    buf_text(out, *r->row->synopsis ? " " : "");
    buf_text(out, r->row->synopsis);
    buf_text(out, ")");
    return false;
}

static bool take_seconds(struct reader *r, struct span value)
{
    uint64_t n;

    if (!span_number(value, &n) || n == 0 || n > COMMAND_SECONDS_MAX)
        return refuse(r, "-sec ", value, " is no number of seconds, 1 to 1000000");
    r->to->seconds = (uint32_t)n;
    return true;
}

static bool take_mode(struct reader *r, struct span value)
{
    return region_spec_mode(&r->to->region.mode, value) ||
           refuse(r, "-mode ", value, " is no mode (allowed: user supervisor kernel interrupt)");
}

static bool take_address(struct reader *r, struct span value, uint64_t *address)
{
    if (!span_address(value, address))
        return refuse(r, "", value, " is no address (0x.. hexadecimal, 0.. octal, or decimal)");
    r->to->region.octal = r->to->region.octal || span_is_octal(value);
    return true;
}

static bool take_min(struct reader *r, struct span value)
{
    uint64_t n;

    if (!span_number(value, &n) || n == 0 || n > NUMBER_MAX)
        return refuse(r, "-min ", value, " is no number of hits");
    r->to->min = (uint32_t)n;
    return true;
}

static bool take_value(struct reader *r, enum command_option_bit bit, struct span value)
{
    switch (bit) {
    case OPTION_SEC:
        return take_seconds(r, value);
    case OPTION_MODE:
        return take_mode(r, value);
    case OPTION_LOW:
        r->to->from_low = true;
        return take_address(r, value, &r->to->region.low);
    case OPTION_HIGH:
        r->to->to_high = true;
        return take_address(r, value, &r->to->region.high);
    case OPTION_MIN:
        return take_min(r, value);
    case OPTION_ZOOM:
        break;
    }
    r->to->zoom = true;
    return true;
}

static bool refuse_option(struct reader *r, struct span name)
{
    struct text_buf *out = wrong(r);

    buf_text(out, "unknown option ");
    buf_quoted(out, name);
    buf_text(out, r->row->options ? " (options:" : ": it has none");
    for (const struct command_option *o = command_options; o->name; o++)
        if (r->row->options & o->bit) {
            buf_text(out, " ");
            buf_text(out, o->name);
        }
    buf_text(out, r->row->options ? ")" : "");
    return false;
}

static bool take_option(struct reader *r, struct span name)
{
    struct span value = {name.at, 0};

    for (const struct command_option *o = command_options; o->name; o++) {
        if (!(r->row->options & o->bit) || !span_is(name, o->name))
            continue;
        if (o->value && !next(r, &value))
            return refuse(r, "option ", name, " has no value");
        return take_value(r, o->bit, value);
    }
    return refuse_option(r, name);
}

static bool take_nothing(struct reader *r)
{
    struct span token;

    while (next(r, &token)) {
        if (*token.at != '-')
            return refuse(r, "it takes no ", token, "");
        if (!take_option(r, token))
            return false;
    }
    return true;
}

/* The task, and for mps a file of symbols, of which there is but one. */
static bool take_name(struct reader *r, struct span token)
{
    struct command *c = r->to;

    if (c->region.task[0] == '\0')
        return region_spec_task(c->region.task, token) ||
               refuse(r, "", token, " is no name of a task");
    if (c->symbols || c->verb != COMMAND_MPS)
        return refuse(r, "after the task it takes no ", token, "");
    c->symbols = true;
    return true;
}

static bool take_task(struct reader *r)
{
    struct command *c = r->to;
    struct span token;

    c->region.mode = MODE_USER;
    c->region.high = UINT64_MAX;
    while (next(r, &token))
        if (!(*token.at == '-' ? take_option(r, token) : take_name(r, token)))
            return false;
    if (c->region.task[0] == '\0')
        return refuse_usage(r, "no task is named");
    if (c->region.low >= c->region.high)
        return refuse_usage(r, "-low is not below -high");
    return true;
}

static bool remove_region(struct reader *r, struct span which)
{
    uint64_t n;

    if (span_is(which, "all")) {
        r->to->regions = REGIONS_REMOVE_ALL;
        return true;
    }
    if (!span_number(which, &n) || n == 0 || n > REGIONS_MAX)
        return refuse(r, "", which, " is no number of a region, nor all");
    r->to->regions = REGIONS_REMOVE;
    r->to->number = (uint32_t)n;
    return true;
}

static bool take_regions(struct reader *r)
{
    struct span what, which, more;

    if (!next(r, &what))
        return true;
    if (!next(r, &which) || next(r, &more))
        return refuse_usage(r, "it takes what to do, and one region");
    if (span_is(what, "remove"))
        return remove_region(r, which);
    if (!span_is(what, "add"))
        return refuse_usage(r, "regions can be added and removed");
    r->to->regions = REGIONS_ADD;
    return region_spec_parse(&r->to->region, which) ||
           refuse(r, "", which, " is no region (allowed: " REGION_SPEC_ALLOWED ")");
}

/* Append a word, key=value; all of them so far are known and in their range. */
static bool put_word(struct reader *r, const char *key, struct span value)
{
    struct config scratch;

    if (r->words.length != 0)
        buf_char(&r->words, ' ');
    if (key) {
        buf_text(&r->words, key);
        buf_char(&r->words, '=');
    }
    for (size_t i = 0; i < value.length; i++)
        buf_char(&r->words, value.at[i]);
    if (r->words.length + 1 == r->words.size)
        return refuse_usage(r, "the line is too long");
    config_default(&scratch);
    return config_parse(&scratch, r->to->words, r->sentence.text);
}

static bool is_word(struct span token)
{
    return span_until(token, '=').length != token.length;
}

static bool take_words(struct reader *r)
{
    struct span token;

    while (next(r, &token))
        if (!put_word(r, NULL, token))
            return false;
    return true;
}

static bool of_tick(struct span token)
{
    const struct span key = span_until(token, '=');

    for (const char *const *known = command_tick_words; *known; known++)
        if (span_is(key, *known))
            return true;
    return false;
}

/* Words of the tick, or values that only one of them has, or a rate. */
static bool take_tick(struct reader *r)
{
    struct span token;
    uint64_t unused;

    while (next(r, &token)) {
        const char *key = NULL;

        if (is_word(token) && !of_tick(token))
            return refuse(r, "", token, " is no word of the tick's: set changes others");
        if (!is_word(token)) {
            key = span_number(token, &unused) ? "rate" : config_key_of_value(command_tick_words, token);
            if (!key)
                return refuse(r, "", token, " is no source, rate, policy or delivery");
        }
        if (!put_word(r, key, token))
            return false;
    }
    return true;
}

static bool take_monitors(struct reader *r)
{
    struct span token;

    while (next(r, &token)) {
        uint32_t bit = config_monitor(token);

        if (bit == 0)
            return refuse(r, "", token, " is no monitor (allowed: system region samples)");
        r->to->monitors |= bit;
    }
    return true;
}

static bool take_output(struct reader *r)
{
    struct span what, more;

    if (!next(r, &what) || next(r, &more))
        return refuse_usage(r, "it takes what to put out");
    return put_word(r, "output", what);
}

static bool take_rows(struct reader *r)
{
    struct span rows, more;
    uint64_t n;

    r->to->number = COMMAND_ROWS;
    if (!next(r, &rows))
        return true;
    if (next(r, &more))
        return refuse_usage(r, "it takes one number");
    if (!span_number(rows, &n) || n == 1 || n > ROWS_MAX)
        return refuse(r, "", rows, " is no number of rows, 2 to 1000, or 0");
    r->to->number = (uint32_t)n;
    return true;
}

static const char *topic_named(struct span name)
{
    struct config_help help;

    for (const struct command_row *row = command_table; row->name; row++)
        if (span_is(name, row->name))
            return row->name;
    for (unsigned i = 0; config_help(i, &help); i++)
        if (span_is(name, help.key))
            return help.key;
    return NULL;
}

static bool take_topic(struct reader *r)
{
    struct span name, more;

    if (!next(r, &name))
        return true;
    if (next(r, &more))
        return refuse_usage(r, "it takes one name");
    r->to->topic = topic_named(name);
    return r->to->topic != NULL || refuse(r, "there is no command or word ", name, "");
}

static bool (*const take[])(struct reader *r) = {
    [TAKES_NOTHING] = take_nothing, [TAKES_TASK] = take_task, [TAKES_REGIONS] = take_regions,
    [TAKES_TICK] = take_tick, [TAKES_WORDS] = take_words, [TAKES_MONITORS] = take_monitors,
    [TAKES_OUTPUT] = take_output, [TAKES_ROWS] = take_rows, [TAKES_TOPIC] = take_topic,
};

static const struct command_row *row_of(enum command_verb verb)
{
    const struct command_row *row = command_table;

    while (row->verb != verb)
        row++;
    return row;
}

static bool find_row(struct reader *r, struct span name)
{
    for (r->row = command_table; r->row->name; r->row++)
        if (span_is(name, r->row->name))
            return true;
    buf_text(&r->sentence, "unknown command ");
    buf_quoted(&r->sentence, name);
    buf_text(&r->sentence, " (commands:");
    for (const struct command_row *row = command_table; row->name; row++) {
        buf_text(&r->sentence, " ");
        buf_text(&r->sentence, row->name);
    }
    buf_text(&r->sentence, ")");
    return false;
}

bool command_parse(struct command *c, const char *line, char *sentence)
{
    struct reader r = {
        .at = line, .to = c, .sentence = {.text = sentence, .size = CONFIG_MESSAGE},
        .words = TEXT_BUF(c->words),
    };
    struct span name;

    sentence[0] = '\0';
    memset(c, 0, sizeof *c);
    c->seconds = COMMAND_SECONDS;
    if (!next(&r, &name))
        return true;
    if (is_word(name)) { /* a line of words */
        r.at = name.at;
        r.row = row_of(COMMAND_SET);
    } else if (!find_row(&r, name)) {
        return false;
    }
    c->verb = r.row->verb;
    return take[r.row->takes](&r);
}
