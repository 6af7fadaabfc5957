/* SPDX-License-Identifier: MIT */
/* The parser of the command language: a line, token by token, by the rows of its table. */
#include "probe/command/command.h"

#include "probe/command/command_table.h"
#include "probe/config/config_table.h"
#include "probe/schedule/memory.h"
#include "probe/text/nearest.h"
#include "probe/text/text_span.h"

#define ROWS_MAX 1000u

/* One line that is being read. */
struct reader {
    const char *at; /* what was not read yet */
    const struct command_row *row;
    struct command *to;
    struct refusal *why;
};

/* What is refused, after the name of the command; false. */
#define REFUSE_TOKEN(r, reason, token) \
    REFUSE_WITH((r)->why, "%1: " reason, REFUSAL_STRING((r)->row->name), REFUSAL_QUOTED(token))
#define REFUSE_USAGE(r, reason)                                                                \
    REFUSE_WITH((r)->why, "%1: " reason " (%1 %2)", REFUSAL_STRING((r)->row->name), \
                REFUSAL_STRING((r)->row->synopsis))

const char *command_name(unsigned index)
{
    const struct command_row *row = command_table;

    while (row->name && index-- > 0)
        row++;
    return row->name;
}

static bool next(struct reader *r, struct span *token)
{
    return span_next_word(&r->at, token);
}

static bool take_seconds(struct reader *r, struct span value)
{
    uint64_t n;

    if (!span_number(value, &n) || n == 0 || n > COMMAND_SECONDS_MAX)
        return REFUSE_TOKEN(r, "-sec %2 is no number of seconds, 1 to 1000000", value);
    r->to->seconds = (uint32_t)n;
    return true;
}

static bool take_mode(struct reader *r, struct span value)
{
    return region_spec_mode(&r->to->region.mode, value) ||
           REFUSE_TOKEN(r, "-mode %2 is no mode (allowed: user supervisor kernel interrupt)", value);
}

static bool take_address(struct reader *r, struct span value, uint64_t *address)
{
    if (!span_address(value, address))
        return REFUSE_TOKEN(r, "%2 is no address (0x.. hexadecimal, 0.. octal, or decimal)", value);
    r->to->region.octal = r->to->region.octal || span_is_octal(value);
    return true;
}

static bool take_min(struct reader *r, struct span value)
{
    uint64_t n;

    if (!span_number(value, &n) || n == 0 || n > NUMBER_MAX)
        return REFUSE_TOKEN(r, "-min %2 is no number of hits", value);
    r->to->min = (uint32_t)n;
    return true;
}

static bool take_order(struct reader *r, struct span value)
{
    return table_order_named(&r->to->order, value) ||
           REFUSE_TOKEN(r, "-sort %2 is no order (allowed: " TABLE_ORDERS_ALLOWED ")", value);
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
    case OPTION_SORT:
        return take_order(r, value);
    case OPTION_ZOOM:
        break;
    }
    r->to->zoom = true;
    return true;
}

/* The options of the command of this name. */
static void put_options(struct text_buf *out, struct span name)
{
    const struct command_row *row = command_row_named(name);

    buf_text(out, row->options ? " (options:" : ": it has none");
    for (const struct command_option *o = command_options; o->name; o++)
        if (row->options & o->bit) {
            buf_char(out, ' ');
            buf_text(out, o->name);
        }
    buf_text(out, row->options ? ")" : "");
}

static bool refuse_option(struct reader *r, struct span option)
{
    const struct span name = span_text(r->row->name);

    return REFUSE_WITH(r->why, "%1: unknown option %2%3", { .put = buf_span, .text = name }, REFUSAL_QUOTED(option),
                       { .put = put_options, .text = name });
}

static bool take_option(struct reader *r, struct span name)
{
    struct span value = {name.at, 0};

    for (const struct command_option *o = command_options; o->name; o++) {
        if (!(r->row->options & o->bit) || !span_is(name, o->name))
            continue;
        if (o->value && !next(r, &value))
            return REFUSE_TOKEN(r, "option %2 has no value", name);
        return take_value(r, o->bit, value);
    }
    return refuse_option(r, name);
}

static bool take_nothing(struct reader *r)
{
    struct span token;

    while (next(r, &token)) {
        if (*token.at != '-')
            return REFUSE_TOKEN(r, "it takes no %2", token);
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
               REFUSE_TOKEN(r, "%2 is no name of a task", token);
    if (c->symbols || c->verb != COMMAND_MPS)
        return REFUSE_TOKEN(r, "after the task it takes no %2", token);
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
        return REFUSE_USAGE(r, "no task is named");
    if (c->region.low >= c->region.high)
        return REFUSE_USAGE(r, "-low is not below -high");
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
        return REFUSE_TOKEN(r, "%2 is no number of a region, nor all", which);
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
        return REFUSE_USAGE(r, "it takes what to do, and one region");
    if (span_is(what, "remove"))
        return remove_region(r, which);
    if (!span_is(what, "add"))
        return REFUSE_USAGE(r, "regions can be added and removed");
    r->to->regions = REGIONS_ADD;
    return region_spec_parse(&r->to->region, which) ||
           REFUSE_TOKEN(r, "%2 is no region (allowed: " REGION_SPEC_ALLOWED ")", which);
}

static bool is_word(struct span token)
{
    return span_until(token, '=').length != token.length;
}

static bool take_words(struct reader *r)
{
    struct span token;

    while (next(r, &token))
        if (!config_parse_word(&r->to->change, token, r->why))
            return false;
    return true;
}

static bool of_tick(enum config_key key)
{
    const enum config_key *known = command_tick_words;

    while (*known != key && *known != CONFIG_KEYS)
        known++;
    return *known == key;
}

/* A word of the tick, a value that only one of them has, or a rate. */
static bool take_tick_word(struct reader *r, struct span token)
{
    uint64_t unused;
    enum config_key key;

    if (is_word(token)) {
        key = config_key_named(span_until(token, '='));
        if (key == CONFIG_KEYS || !of_tick(key))
            return REFUSE_TOKEN(r, "%2 is no word of the tick's: set changes others", token);
        return config_parse_word(&r->to->change, token, r->why);
    }
    key = span_number(token, &unused) ? CONFIG_RATE : config_key_of_value(command_tick_words, token);
    if (key == CONFIG_KEYS)
        return REFUSE_TOKEN(r, "%2 is no source, rate, policy or delivery", token);
    return config_set(&r->to->change, key, token, r->why);
}

static bool take_tick(struct reader *r)
{
    struct span token;

    while (next(r, &token))
        if (!take_tick_word(r, token))
            return false;
    return true;
}

static bool take_monitors(struct reader *r)
{
    struct span token;

    while (next(r, &token)) {
        uint32_t bit = config_monitor_named(token);

        if (bit == 0)
            return REFUSE_WITH(r->why, "%1: %2 is no monitor (allowed: %3)", REFUSAL_STRING(r->row->name),
                               REFUSAL_QUOTED(token), REFUSAL_STRING(config_monitor_names));
        r->to->monitors |= bit;
    }
    return true;
}

static bool take_output(struct reader *r)
{
    struct span what, more;

    if (!next(r, &what) || next(r, &more))
        return REFUSE_USAGE(r, "it takes what to put out");
    return config_set(&r->to->change, CONFIG_OUTPUT, what, r->why);
}

static bool take_rows(struct reader *r)
{
    struct span rows, more;
    uint64_t n;

    r->to->number = COMMAND_ROWS;
    if (!next(r, &rows))
        return true;
    if (next(r, &more))
        return REFUSE_USAGE(r, "it takes one number");
    if (!span_number(rows, &n) || n == 1 || n > ROWS_MAX)
        return REFUSE_TOKEN(r, "%2 is no number of rows, 2 to 1000, or 0", rows);
    r->to->number = (uint32_t)n;
    return true;
}

static const char *topic_named(struct span name)
{
    const struct command_row *row = command_row_named(name);
    const enum config_key key = config_key_named(name);

    return row ? row->name : key != CONFIG_KEYS ? config_table[key].key : NULL;
}

static bool take_topic(struct reader *r)
{
    struct span name, more;

    if (!next(r, &name))
        return true;
    if (next(r, &more))
        return REFUSE_USAGE(r, "it takes one name");
    r->to->topic = topic_named(name);
    return r->to->topic != NULL || REFUSE_TOKEN(r, "there is no command or word %2", name);
}

static bool (*const take[])(struct reader *r) = {
    [TAKES_NOTHING] = take_nothing, [TAKES_TASK] = take_task, [TAKES_REGIONS] = take_regions,
    [TAKES_TICK] = take_tick, [TAKES_WORDS] = take_words, [TAKES_MONITORS] = take_monitors,
    [TAKES_OUTPUT] = take_output, [TAKES_ROWS] = take_rows, [TAKES_TOPIC] = take_topic,
};

bool command_takes_task(const char *line)
{
    struct span name;
    const struct command_row *row = span_next_word(&line, &name) ? command_row_named(name) : NULL;

    return row && row->takes == TAKES_TASK;
}

static void put_names(struct text_buf *out, struct span unused)
{
    (void)unused;
    for (const struct command_row *row = command_table; row->name; row++) {
        buf_text(out, row == command_table ? "" : " ");
        buf_text(out, row->name);
    }
}

/* The command that is nearest to a name that is none. */
static struct span nearest_command(struct span name)
{
    struct nearest near = {.typed = name};

    for (const struct command_row *row = command_table; row->name; row++)
        nearest_offer(&near, span_text(row->name));
    return near.name;
}

bool command_parse(struct command *c, const char *line, struct refusal *why)
{
    struct reader r = {.at = line, .to = c, .why = why};
    struct span name;

    memset(c, 0, sizeof *c);
    config_default(&c->change);
    c->seconds = COMMAND_SECONDS;
    c->order = TABLE_BY_TOTAL;
    if (!next(&r, &name))
        return true;
    if (is_word(name)) { /* a line of words */
        r.at = name.at;
        r.row = command_row_named(span_text("set"));
    } else {
        r.row = command_row_named(name);
    }
    if (!r.row)
        return REFUSE_WITH(why, "unknown command %1%2 (commands: %3)", REFUSAL_QUOTED(name),
                           { .put = nearest_put, .text = nearest_command(name) }, { .put = put_names });
    c->verb = r.row->verb;
    return take[r.row->takes](&r);
}
