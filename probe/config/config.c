/* SPDX-License-Identifier: MIT */
/* Lines of configuration words, read and written by the one table (probe/config/config_table.c). */
#include "probe/config/config.h"

#include "probe/config/config_table.h"
#include "probe/text/text_span.h"

static uint64_t *member(struct config *w, const struct config_word *word)
{
    return (uint64_t *)(void *)((char *)w + word->offset);
}

static uint64_t value_of(const struct config *w, const struct config_word *word)
{
    return *(const uint64_t *)(const void *)((const char *)w + word->offset);
}

enum verdict {
    TAKEN,
    UNKNOWN,
    OUT_OF_RANGE,
    NO_DIVISOR,
    TOO_MANY,
};

static enum verdict set_choice(const struct config_word *word, struct span value, uint64_t *to)
{
    for (unsigned i = 0; word->choice[i]; i++)
        if (span_is(value, word->choice[i])) {
            *to = i;
            return TAKEN;
        }
    return UNKNOWN;
}

/* One name, or two with a comma, whose order says nothing: the first is that which the enum has first. */
static enum verdict set_tick(struct config *w, const struct config_word *word, struct span value)
{
    const struct span name = span_until(value, ',');
    uint64_t tick, second = TICK_AUTO;

    if (set_choice(word, name, &tick) != TAKEN)
        return UNKNOWN;
    if (name.length < value.length &&
        (set_choice(word, span_after(value, name.length + 1), &second) != TAKEN || second == TICK_AUTO ||
         tick == TICK_AUTO))
        return UNKNOWN;
    w->tick = second != TICK_AUTO && second < tick ? second : tick;
    w->second_tick = w->tick == tick ? second : tick;
    return TAKEN;
}

/* Names with commas between them, each a bit; "none" alone is no bit. */
static enum verdict set_list(const struct config_word *word, struct span value, uint64_t *to)
{
    uint64_t bits = 0;
    bool more = !span_is(value, "none");

    while (more) {
        struct span name = span_until(value, ',');
        uint64_t bit;

        if (set_choice(word, name, &bit) != TAKEN)
            return UNKNOWN;
        bits |= 1ull << bit;
        more = name.length < value.length;
        value = span_after(value, name.length + more);
    }
    *to = bits;
    return TAKEN;
}

/* One more region, or none at all. */
static enum verdict set_region(struct config *w, struct span value)
{
    struct region_spec region;

    if (span_is(value, "none")) {
        w->regions = 0;
        return TAKEN;
    }
    if (!region_spec_parse(&region, value))
        return UNKNOWN;
    if (w->regions == REGIONS_MAX)
        return TOO_MANY;
    w->region[w->regions++] = region;
    return TAKEN;
}

static enum verdict set_number(const struct config_word *word, struct span value, uint64_t *to)
{
    uint64_t number;

    if (!span_number_to(value, word->high, &number))
        return UNKNOWN;
    if (number < word->low || number > word->high)
        return OUT_OF_RANGE;
    *to = number;
    return TAKEN;
}

/* D or D.d, D.dd, D.ddd in thousandths; 0 is always one of them. */
static enum verdict set_thousandths(const struct config_word *word, struct span value, uint64_t *to)
{
    struct span whole = {value.at, 0};
    uint64_t number;
    size_t decimals;

    while (whole.length < value.length && value.at[whole.length] != '.')
        whole.length++;
    decimals = value.length - whole.length;
    if (!span_number(whole, &number) || decimals == 1 || decimals > 4)
        return UNKNOWN;
    for (size_t i = 1; i < 4; i++) {
        char digit = i < decimals ? whole.at[whole.length + i] : '0';

        if (digit < '0' || digit > '9')
            return UNKNOWN;
        number = number * 10 + (uint64_t)(digit - '0');
    }
    if (number != 0 && (number < word->low || number > word->high))
        return OUT_OF_RANGE;
    *to = number;
    return TAKEN;
}

static enum verdict verdict_of(enum serial_spec_result verdict)
{
    switch (verdict) {
    case SERIAL_SPEC_OK:
        return TAKEN;
    case SERIAL_SPEC_NO_DIVISOR:
        return NO_DIVISOR;
    default:
        return UNKNOWN;
    }
}

static enum verdict set_tasks(struct span value, char tasks[CONFIG_TASKS])
{
    if (value.length == 0 || value.length >= CONFIG_TASKS)
        return UNKNOWN;
    for (size_t i = 0; i < value.length; i++) {
        char c = value.at[i];

        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != ',' && c != '-')
            return UNKNOWN;
    }
    for (size_t i = 0; i < value.length; i++)
        tasks[i] = value.at[i];
    tasks[value.length] = '\0';
    return TAKEN;
}

static enum verdict set(struct config *w, const struct config_word *word, struct span value)
{
    uint64_t *to = member(w, word);

    switch (word->kind) {
    case WORD_CHOICE:
        return set_choice(word, value, to);
    case WORD_TICK:
        return set_tick(w, word, value);
    case WORD_LIST:
        return set_list(word, value, to);
    case WORD_REGION:
        return set_region(w, value);
    case WORD_THOUSANDTHS:
        return set_thousandths(word, value, to);
    case WORD_SERIAL:
        return verdict_of(serial_spec_parse(&w->line, value));
    case WORD_SLU:
        return verdict_of(slu_spec_parse(&w->slu, value));
    case WORD_TASKS:
        return set_tasks(value, w->tasks);
    case WORD_SEED:
        if (span_is(value, "auto")) {
            *to = 0;
            return TAKEN;
        }
        break;
    case WORD_CLOCK:
        if (span_is(value, "rtc")) {
            *to = CLOCK_RTC;
            return TAKEN;
        }
        break;
    case WORD_NUMBER:
        break;
    }
    return set_number(word, value, to);
}

void config_default(struct config *w)
{
    for (const struct config_word *row = config_table; row->key; row++)
        set(w, row, span_text(row->standard));
    w->given = 0;
}

static void put_allowed(struct text_buf *out, const struct config_word *word)
{
    buf_text(out, " (allowed: ");
    if (word)
        buf_text(out, word->allowed);
    for (const struct config_word *row = config_table; !word && row->key; row++) {
        buf_text(out, row != config_table ? " " : "");
        buf_text(out, row->key);
    }
    buf_text(out, ")");
}

static void refuse_word(struct text_buf *out, struct span key)
{
    buf_text(out, "unknown word ");
    buf_quoted(out, key);
    put_allowed(out, NULL);
}

static void refuse_value(struct text_buf *out, const struct config_word *word, struct span value,
                         enum verdict verdict)
{
    if (verdict == NO_DIVISOR) {
        buf_text(out, "no divisor of the UART makes the rate in ");
        buf_text(out, word->key);
        buf_text(out, "=");
        buf_quoted(out, value);
        serial_spec_put_nearest(out, value);
        return;
    }
    if (verdict == TOO_MANY) {
        buf_text(out, "there are more than eight region= words");
        return;
    }
    buf_text(out, verdict == OUT_OF_RANGE ? "value " : "unknown value ");
    buf_quoted(out, value);
    buf_text(out, " for ");
    buf_text(out, word->key);
    buf_text(out, verdict == OUT_OF_RANGE ? " is out of range" : "");
    put_allowed(out, word);
}

static const struct config_word *word_named(struct span key)
{
    for (const struct config_word *row = config_table; row->key; row++)
        if (span_is(key, row->key))
            return row;
    return NULL;
}

/* One word, key=value; false with the sentence in `out`. */
static bool take(struct config *w, struct span token, struct text_buf *out)
{
    struct span key = {token.at, 0}, value;
    const struct config_word *word;
    enum verdict verdict;

    while (key.length < token.length && token.at[key.length] != '=')
        key.length++;
    word = word_named(key);
    if (!word) {
        refuse_word(out, key);
        return false;
    }
    if (key.length == token.length) {
        buf_text(out, "word ");
        buf_quoted(out, key);
        buf_text(out, " has no value");
        put_allowed(out, word);
        return false;
    }
    value = (struct span){key.at + key.length + 1, token.length - key.length - 1};
    verdict = set(w, word, value);
    if (verdict != TAKEN)
        refuse_value(out, word, value, verdict);
    else
        w->given |= 1u << (word - config_table);
    return verdict == TAKEN;
}

bool config_parse(struct config *w, const char *line, char *sentence)
{
    struct text_buf out = {.text = sentence, .size = CONFIG_MESSAGE};

    sentence[0] = '\0';
    while (*line) {
        struct span token = {line, 0};

        while (*line && *line != '#' && !span_is_separator(*line))
            line++;
        token.length = (size_t)(line - token.at);
        if (token.length && !take(w, token, &out))
            return false;
        if (*line == '#')
            while (*line && *line != '\n' && *line != '\r')
                line++;
        else if (*line)
            line++;
    }
    return true;
}

static void put_thousandths(struct text_buf *out, uint32_t thousandths)
{
    uint32_t rest = thousandths % 1000;

    buf_number(out, thousandths / 1000);
    buf_char(out, '.');
    do {
        buf_char(out, (char)('0' + rest / 100));
        rest = rest % 100 * 10;
    } while (rest);
}

static void put_list(struct text_buf *out, const struct config_word *word, uint32_t bits)
{
    bool some = false;

    for (unsigned i = 0; word->choice[i]; i++)
        if (bits & 1u << i) {
            buf_text(out, some ? "," : "");
            buf_text(out, word->choice[i]);
            some = true;
        }
    buf_text(out, some ? "" : "none");
}

/* The first region, and the others each as a word of its own. */
static void put_regions(struct text_buf *out, const struct config *w)
{
    for (uint64_t i = 0; i < w->regions; i++) {
        buf_text(out, i ? " region=" : "");
        region_spec_put(out, &w->region[i]);
    }
    buf_text(out, w->regions ? "" : "none");
}

static void put_value(struct text_buf *out, const struct config *w, const struct config_word *word)
{
    const bool number = word->kind != WORD_TASKS && word->kind != WORD_SERIAL && word->kind != WORD_SLU &&
                        word->kind != WORD_REGION;
    uint64_t value = number ? value_of(w, word) : 0;

    switch (word->kind) {
    case WORD_LIST:
        put_list(out, word, value);
        break;
    case WORD_REGION:
        put_regions(out, w);
        break;
    case WORD_CHOICE:
        buf_text(out, word->choice[value]);
        break;
    case WORD_TICK:
        buf_text(out, word->choice[value]);
        buf_text(out, w->second_tick != TICK_AUTO ? "," : "");
        buf_text(out, w->second_tick != TICK_AUTO ? word->choice[w->second_tick] : "");
        break;
    case WORD_NUMBER:
        buf_number(out, value);
        break;
    case WORD_SEED:
        if (value)
            buf_number(out, value);
        else
            buf_text(out, "auto");
        break;
    case WORD_CLOCK:
        if (value != CLOCK_RTC)
            buf_number(out, value);
        else
            buf_text(out, "rtc");
        break;
    case WORD_THOUSANDTHS:
        put_thousandths(out, value);
        break;
    case WORD_SERIAL:
        serial_spec_put(out, &w->line);
        break;
    case WORD_SLU:
        slu_spec_put(out, &w->slu);
        break;
    case WORD_TASKS:
        buf_text(out, w->tasks);
        break;
    }
}

static void put_word(struct text_buf *out, const struct config *w, const struct config_word *row, bool first)
{
    buf_text(out, first ? "" : " ");
    buf_text(out, row->key);
    buf_text(out, "=");
    put_value(out, w, row);
}

void config_print(const struct config *w, char *line)
{
    struct text_buf out = {.text = line, .size = CONFIG_LINE};

    for (const struct config_word *row = config_table; row->key; row++)
        put_word(&out, w, row, row == config_table);
}

void config_print_some(const struct config *w, const char *const keys[], char *line)
{
    struct text_buf out = {.text = line, .size = CONFIG_LINE};

    line[0] = '\0';
    for (size_t i = 0; keys[i]; i++)
        put_word(&out, w, word_named(span_text(keys[i])), i == 0);
}

const char *config_value_name(const struct config *w, const char *key)
{
    const struct config_word *word = word_named(span_text(key));

    if (word && (word->kind == WORD_CHOICE || word->kind == WORD_TICK))
        return word->choice[value_of(w, word)];
    return word && word->kind == WORD_TASKS ? w->tasks : "";
}

bool config_given(const struct config *w, const char *key)
{
    const struct config_word *word = word_named(span_text(key));

    return word && w->given & 1u << (word - config_table);
}

const char *config_key_of_value(const char *const keys[], struct span value)
{
    uint64_t unused;

    for (size_t i = 0; keys[i]; i++) {
        const struct config_word *word = word_named(span_text(keys[i]));

        if (word && (word->kind == WORD_CHOICE || word->kind == WORD_TICK) && set_choice(word, value, &unused) == TAKEN)
            return word->key;
    }
    return NULL;
}

uint32_t config_monitor(struct span name)
{
    uint64_t bit;

    return set_choice(word_named(span_text("monitor")), name, &bit) == TAKEN ? 1u << bit : 0;
}

bool config_help(unsigned index, struct config_help *help)
{
    for (const struct config_word *row = config_table; row->key; row++)
        if (index-- == 0) {
            *help = (struct config_help){row->key, row->allowed, row->standard, row->what};
            return true;
        }
    return false;
}
