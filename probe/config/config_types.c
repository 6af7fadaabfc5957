/* SPDX-License-Identifier: MIT */
/* The types of the configuration words: how a value of each is read and written. */
#include "probe/config/config_table.h"

static uint64_t *number_in(void *c, const struct config_word *word)
{
    return config_value(c, word);
}

static uint64_t number_of(const void *c, const struct config_word *word)
{
    return *(const uint64_t *)config_value_of(c, word);
}

/* ---- one of some names ---- */

bool config_choice_named(const struct config_word *word, struct span name, uint64_t *to)
{
    for (unsigned i = 0; word->choice[i]; i++)
        if (span_is(name, word->choice[i])) {
            *to = i;
            return true;
        }
    return false;
}

static const char *parse_choice(void *c, const struct config_word *word, struct span value)
{
    return config_choice_named(word, value, number_in(c, word)) ? NULL : CONFIG_UNKNOWN_VALUE;
}

static void put_choice(struct text_buf *out, const void *c, const struct config_word *word)
{
    buf_text(out, word->choice[number_of(c, word)]);
}

const struct config_type config_choice = {.parse = parse_choice, .put = put_choice};

/* ---- tick=: one name, or two with a comma, in any order ---- */

static const char *parse_tick(void *values, const struct config_word *word, struct span value)
{
    struct config *const c = values;
    const struct span name = span_until(value, ',');
    uint64_t first, second = TICK_AUTO;

    if (!config_choice_named(word, name, &first))
        return CONFIG_UNKNOWN_VALUE;
    if (name.length < value.length &&
        (!config_choice_named(word, span_after(value, name.length + 1), &second) || second == TICK_AUTO ||
         first == TICK_AUTO))
        return CONFIG_UNKNOWN_VALUE;
    c->tick = second != TICK_AUTO && second < first ? second : first;
    c->second_tick = c->tick == first ? second : first;
    return NULL;
}

static void put_tick(struct text_buf *out, const void *values, const struct config_word *word)
{
    const struct config *const c = values;

    buf_text(out, word->choice[c->tick]);
    if (c->second_tick == TICK_AUTO)
        return;
    buf_char(out, ',');
    buf_text(out, word->choice[c->second_tick]);
}

static bool same_tick(const struct config *a, const struct config *b)
{
    return a->tick == b->tick && a->second_tick == b->second_tick;
}

static bool merge_tick(struct config *to, const struct config *from)
{
    to->tick = from->tick;
    to->second_tick = from->second_tick;
    return true;
}

const struct config_type config_tick = {.parse = parse_tick, .put = put_tick, .same = same_tick, .merge = merge_tick};

/* ---- names with commas between them, each a bit; "none" alone is no bit ---- */

static const char *parse_list(void *c, const struct config_word *word, struct span value)
{
    uint64_t bits = 0;
    bool more = !span_is(value, "none");

    while (more) {
        const struct span name = span_until(value, ',');
        uint64_t bit;

        if (!config_choice_named(word, name, &bit))
            return CONFIG_UNKNOWN_VALUE;
        bits |= 1ull << bit;
        more = name.length < value.length;
        value = span_after(value, name.length + more);
    }
    *number_in(c, word) = bits;
    return NULL;
}

static void put_list(struct text_buf *out, const void *c, const struct config_word *word)
{
    const uint64_t bits = number_of(c, word);
    bool some = false;

    for (unsigned i = 0; word->choice[i]; i++)
        if (bits & 1ull << i) {
            buf_text(out, some ? "," : "");
            buf_text(out, word->choice[i]);
            some = true;
        }
    buf_text(out, some ? "" : "none");
}

const struct config_type config_list = {.parse = parse_list, .put = put_list};

/* ---- numbers ---- */

static const char *in_range(void *c, const struct config_word *word, uint64_t number)
{
    if (number < word->low || number > word->high)
        return CONFIG_OUT_OF_RANGE;
    *number_in(c, word) = number;
    return NULL;
}

/* A number, or the name that the row has for 0. */
static const char *parse_number(void *c, const struct config_word *word, struct span value)
{
    uint64_t number;

    if (config_choice_named(word, value, number_in(c, word)))
        return NULL;
    return span_number_to(value, word->high, &number) ? in_range(c, word, number) : CONFIG_UNKNOWN_VALUE;
}

static void put_number(struct text_buf *out, const void *c, const struct config_word *word)
{
    if (number_of(c, word) == 0 && word->choice[0])
        buf_text(out, word->choice[0]);
    else
        buf_number(out, number_of(c, word));
}

const struct config_type config_number = {.parse = parse_number, .put = put_number};

/* D or D.d, D.dd, D.ddd in thousandths; 0 is always one of them. */
static const char *parse_thousandths(void *c, const struct config_word *word, struct span value)
{
    const struct span whole = span_until(value, '.');
    const size_t decimals = value.length - whole.length; /* the point counted */
    uint64_t number;

    if (!span_number(whole, &number) || decimals == 1 || decimals > 4)
        return CONFIG_UNKNOWN_VALUE;
    for (size_t i = 1; i < 4; i++) {
        const char digit = i < decimals ? value.at[whole.length + i] : '0';

        if (digit < '0' || digit > '9')
            return CONFIG_UNKNOWN_VALUE;
        number = number * 10 + (uint64_t)(digit - '0');
    }
    if (number != 0)
        return in_range(c, word, number);
    *number_in(c, word) = 0;
    return NULL;
}

static void put_thousandths(struct text_buf *out, const void *c, const struct config_word *word)
{
    const uint32_t thousandths = (uint32_t)number_of(c, word);
    uint32_t rest = thousandths % 1000;

    buf_number(out, thousandths / 1000);
    buf_char(out, '.');
    do {
        buf_char(out, (char)('0' + rest / 100));
        rest = rest % 100 * 10;
    } while (rest);
}

const struct config_type config_thousandths = {.parse = parse_thousandths, .put = put_thousandths};

/* ---- UARTs ---- */

static const char *parse_uart(void *c, const struct config_word *word, struct span value)
{
    static const char *const refused[] = {
        [SERIAL_SPEC_OK] = NULL,
        [SERIAL_SPEC_UNKNOWN] = CONFIG_UNKNOWN_VALUE,
        [SERIAL_SPEC_NO_DIVISOR] = CONFIG_NO_DIVISOR,
    };

    return refused[word->type == &config_serial ? serial_spec_parse(config_value(c, word), value)
                                                : slu_spec_parse(config_value(c, word), value)];
}

static void put_serial(struct text_buf *out, const void *c, const struct config_word *word)
{
    serial_spec_put(out, config_value_of(c, word));
}

static void put_slu(struct text_buf *out, const void *c, const struct config_word *word)
{
    slu_spec_put(out, config_value_of(c, word));
}

const struct config_type config_serial = {.parse = parse_uart, .put = put_serial};
const struct config_type config_slu = {.parse = parse_uart, .put = put_slu};

/* ---- region=: each word adds one; "none" removes them ---- */

static bool add_region(struct config *c, const struct region_spec *region)
{
    if (c->regions == REGIONS_MAX)
        return false;
    c->region[c->regions++] = *region;
    return true;
}

static const char *parse_region(void *values, const struct config_word *word, struct span value)
{
    struct config *const c = values;
    struct region_spec region;

    (void)word;
    if (span_is(value, "none")) {
        c->regions = 0;
        c->regions_cleared = true;
        return NULL;
    }
    if (!region_spec_parse(&region, span_unquoted(value)))
        return CONFIG_UNKNOWN_VALUE;
    return add_region(c, &region) ? NULL : CONFIG_TOO_MANY_REGIONS;
}

/* The first region, and the others each as a word of its own. */
static void put_regions(struct text_buf *out, const void *values, const struct config_word *word)
{
    const struct config *const c = values;
    size_t from;

    (void)word;
    for (uint64_t i = 0; i < c->regions; i++) {
        buf_text(out, i ? " region=" : "");
        from = out->length;
        region_spec_put(out, &c->region[i]);
        buf_quote(out, from);
    }
    buf_text(out, c->regions ? "" : "none");
}

static bool same_regions(const struct config *a, const struct config *b)
{
    for (uint64_t i = 0; i < a->regions && i < b->regions; i++)
        if (!region_spec_same(&a->region[i], &b->region[i]))
            return false;
    return a->regions == b->regions;
}

static bool merge_regions(struct config *to, const struct config *from)
{
    bool all = true;

    if (from->regions_cleared)
        to->regions = 0;
    for (uint64_t i = 0; i < from->regions; i++)
        all = add_region(to, &from->region[i]) && all;
    return all;
}

const struct config_type config_region = {.parse = parse_region, .put = put_regions, .quotes = true,
                                          .same = same_regions, .merge = merge_regions};

/* ---- events= ---- */

static const char *parse_events(void *c, const struct config_word *word, struct span value)
{
    return event_specs_parse(config_value(c, word), value) ? NULL : CONFIG_UNKNOWN_VALUE;
}

static void put_events(struct text_buf *out, const void *c, const struct config_word *word)
{
    event_specs_put(out, config_value_of(c, word));
}

static bool same_events(const struct config *a, const struct config *b)
{
    return event_specs_same(&a->events, &b->events);
}

const struct config_type config_events = {.parse = parse_events, .put = put_events, .same = same_events};

/* ---- when= ---- */

static const char *parse_rules(void *c, const struct config_word *word, struct span value)
{
    return rule_specs_parse(config_value(c, word), value) ? NULL : CONFIG_UNKNOWN_VALUE;
}

static void put_rules(struct text_buf *out, const void *c, const struct config_word *word)
{
    rule_specs_put(out, config_value_of(c, word));
}

static bool same_rules(const struct config *a, const struct config *b)
{
    return rule_specs_same(&a->when, &b->when);
}

const struct config_type config_rules = {.parse = parse_rules, .put = put_rules, .same = same_rules};

/* ---- classes= ---- */

static const char *parse_classes(void *c, const struct config_word *word, struct span value)
{
    return class_spec_parse(config_value(c, word), value) ? NULL : CONFIG_UNKNOWN_VALUE;
}

static void put_classes(struct text_buf *out, const void *c, const struct config_word *word)
{
    class_spec_put(out, config_value_of(c, word));
}

const struct config_type config_classes = {.parse = parse_classes, .put = put_classes};
