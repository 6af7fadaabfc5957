/* SPDX-License-Identifier: MIT */
/*
 * The table of the configuration words (docs/ACCOUNTING.md, "Numbers and
 * codes"), and the one parser and printer that read it.
 */
#include "probe/words.h"

#define UART_CLOCK   115200u /* bit/s at divisor 1 */
#define DIVISOR_MAX  65535u
#define QUOTE_MAX    24 /* bytes of a wrong word that its sentence repeats */
#define CHOICES_MAX  4
#define NUMBER_MAX   0xffffffffu
#define SPREAD_MAX   2000u
#define SEED_MAX     0x7ffffffeu

enum kind { CHOICE, NUMBER, SPREAD, SEED, SERIAL, TASKS };

struct word {
    const char *key;
    enum kind kind;
    size_t offset; /* in struct words */
    uint32_t low, high;
    const char *choice[CHOICES_MAX + 1]; /* the names of the enum's values, in order */
    const char *allowed;
    const char *later; /* values that are defined and not built yet */
    const char *standard, *what;
};

#define WORD(name, type) .key = #name, .kind = type, .offset = offsetof(struct words, name)
#define ONLY(a)          .choice = {a}, .allowed = a
#define TWO(a, b)        .choice = {a, b}, .allowed = a " " b
#define THREE(a, b, c)   .choice = {a, b, c}, .allowed = a " " b " " c
#define FOUR(a, b, c, d) .choice = {a, b, c, d}, .allowed = a " " b " " c " " d
#define RANGE(from, to)  .low = from, .high = to, .allowed = #from " to " #to

static const struct word words[] = {
    {WORD(tick, CHOICE), THREE("auto", "pit", "none"), .standard = "auto",
     .later = "slu slu-timeout rtc lapic clock pit-periodic",
     .what = "source of the sampling tick"},
    {WORD(rate, NUMBER), RANGE(1, 500000), .standard = "120",
     .what = "mean rate of the tick, Hz"},
    {WORD(interval, CHOICE), THREE("stratified", "random", "fixed"),
     .standard = "stratified", .later = "exponential narrow",
     .what = "policy of the interval between ticks"},
    {WORD(spread, SPREAD), .allowed = "0.0 to 2.0, three decimals at most",
     .standard = "2.0", .what = "interval=random: full width over the mean"},
    {WORD(seed, SEED), .low = 1, .high = SEED_MAX, .allowed = "auto, or 1 to 2147483646",
     .standard = "auto", .what = "seed of the generator"},
    {WORD(rng, CHOICE), ONLY("carta"), .later = "chacha8", .standard = "carta",
     .what = "generator of the intervals"},
    {WORD(delivery, CHOICE), ONLY("irq"), .later = "nmi", .standard = "irq",
     .what = "how the tick reaches the processor"},
    {WORD(clock, NUMBER), RANGE(10, 1000), .later = "rtc", .standard = "100",
     .what = "rate of the system clock, Hz"},
    {WORD(sched, CHOICE), ONLY("rr"), .later = "decay", .standard = "rr",
     .what = "scheduler of the tasks: round robin"},
    {WORD(account, CHOICE), TWO("on", "off"), .standard = "on",
     .what = "exact time beside the samples"},
    {WORD(tasks, TASKS), .allowed = "1 to 63 of a-z 0-9 , -", .standard = "figure3",
     .what = "workload"},
    {WORD(identity, CHOICE), THREE("name", "image", "task"), .standard = "name",
     .what = "what makes a row of the table"},
    {WORD(monitor, CHOICE), TWO("system", "none"), .later = "region samples",
     .standard = "system", .what = "what is done with a sample"},
    {WORD(seconds, NUMBER), RANGE(0, 100000000), .standard = "60",
     .what = "length of the run, 0 for ever"},
    {WORD(samples, NUMBER), RANGE(0, 4294967295), .standard = "0",
     .what = "samples that end the run, 0 for no bound"},
    {WORD(serial, SERIAL), .choice = {"com1", "com2"}, .standard = "com1,115200",
     .allowed = "com1 or com2, then perhaps ,BAUD", .what = "line of the output"},
    {WORD(output, CHOICE), TWO("text", "frames"), .standard = "text",
     .what = "tables to read, or frames for the host"},
    {WORD(exit, CHOICE), FOUR("halt", "reboot", "qemu", "bochs"), .standard = "halt",
     .what = "what happens at the end of the run"},
};
#define WORDS (sizeof words / sizeof words[0])

static const char later_words[] = "region thin precision";

/* Part of a line: not ended by a zero. */
struct span {
    const char *at;
    size_t length;
};

/* Text that is being written: always ended, cut at its room. */
struct sink {
    char *at;
    size_t room; /* bytes left, the ending zero counted */
};

static void put_char(struct sink *out, char c)
{
    if (out->room > 1) {
        *out->at++ = c;
        out->room--;
    }
    *out->at = '\0';
}

static void put(struct sink *out, const char *text)
{
    while (*text)
        put_char(out, *text++);
}

static void put_number(struct sink *out, uint32_t number)
{
    char digits[11];
    char *at = digits + sizeof digits;

    *--at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    put(out, at);
}

/* Foreign bytes reach a terminal through this: what cannot be printed becomes ?. */
static void put_quoted(struct sink *out, struct span s)
{
    put_char(out, '\'');
    for (size_t i = 0; i < s.length && i < QUOTE_MAX; i++)
        put_char(out, s.at[i] >= ' ' && s.at[i] <= '~' ? s.at[i] : '?');
    if (s.length > QUOTE_MAX)
        put(out, "...");
    put_char(out, '\'');
}

static bool is_separator(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool span_is(struct span s, const char *text)
{
    size_t i = 0;

    while (i < s.length && text[i] && s.at[i] == text[i])
        i++;
    return i == s.length && !text[i];
}

/* Whether `s` is one of the words of a list with single blanks; NULL has none. */
static bool listed(struct span s, const char *list)
{
    while (list && *list) {
        const char *end = list;
        size_t i = 0;

        while (*end && *end != ' ')
            end++;
        while (i < s.length && list + i < end && s.at[i] == list[i])
            i++;
        if (i == s.length && list + i == end)
            return true;
        list = *end ? end + 1 : end;
    }
    return false;
}

static uint64_t *member(struct words *w, const struct word *word)
{
    return (uint64_t *)(void *)((char *)w + word->offset);
}

static uint64_t value_of(const struct words *w, const struct word *word)
{
    return *(const uint64_t *)(const void *)((const char *)w + word->offset);
}

enum verdict {
    TAKEN,
    UNKNOWN,
    OUT_OF_RANGE,
    NO_DIVISOR,
};

/* Decimal digits alone, no leading zero; what is over 32 bits stays above them. */
static bool read_number(struct span s, uint64_t *number)
{
    *number = 0;
    if (s.length == 0 || (s.length > 1 && s.at[0] == '0'))
        return false;
    for (size_t i = 0; i < s.length; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
        if (*number <= NUMBER_MAX)
            *number = *number * 10 + (uint64_t)(s.at[i] - '0');
    }
    return true;
}

static enum verdict set_choice(const struct word *word, struct span value, uint64_t *to)
{
    for (unsigned i = 0; word->choice[i]; i++)
        if (span_is(value, word->choice[i])) {
            *to = i;
            return TAKEN;
        }
    return UNKNOWN;
}

static enum verdict set_number(const struct word *word, struct span value, uint64_t *to)
{
    uint64_t number;

    if (!read_number(value, &number))
        return UNKNOWN;
    if (number < word->low || number > word->high)
        return OUT_OF_RANGE;
    *to = number;
    return TAKEN;
}

/* D or D.d, D.dd, D.ddd in thousandths. */
static enum verdict set_spread(struct span value, uint64_t *to)
{
    struct span whole = {value.at, 0};
    uint64_t number;
    size_t decimals;

    while (whole.length < value.length && value.at[whole.length] != '.')
        whole.length++;
    decimals = value.length - whole.length;
    if (!read_number(whole, &number) || decimals == 1 || decimals > 4)
        return UNKNOWN;
    for (size_t i = 1; i < 4; i++) {
        char digit = i < decimals ? whole.at[whole.length + i] : '0';

        if (digit < '0' || digit > '9')
            return UNKNOWN;
        number = number * 10 + (uint64_t)(digit - '0');
    }
    if (number > SPREAD_MAX)
        return OUT_OF_RANGE;
    *to = number;
    return TAKEN;
}

/* Whether a divisor of the UART's clock comes within 2 % of this rate. */
static bool baud_can_be(uint32_t baud)
{
    uint32_t divisor = (UART_CLOCK + baud / 2) / baud;
    uint64_t made = (uint64_t)divisor * baud;
    uint64_t off = made > UART_CLOCK ? made - UART_CLOCK : UART_CLOCK - made;

    return divisor >= 1 && divisor <= DIVISOR_MAX && off * 50 <= made;
}

static enum verdict set_serial(const struct word *word, struct span value,
                               struct words *w)
{
    struct span port = {value.at, 0}, rate;
    uint64_t chosen, baud = UART_CLOCK;

    while (port.length < value.length && value.at[port.length] != ',')
        port.length++;
    if (set_choice(word, port, &chosen) != TAKEN)
        return UNKNOWN;
    if (port.length < value.length) {
        rate = (struct span){port.at + port.length + 1, value.length - port.length - 1};
        if (!read_number(rate, &baud))
            return UNKNOWN;
        if (baud == 0 || baud > UART_CLOCK * 2 || !baud_can_be((uint32_t)baud))
            return NO_DIVISOR;
    }
    w->serial = chosen;
    w->baud = baud;
    return TAKEN;
}

static enum verdict set_tasks(struct span value, char tasks[WORDS_TASKS])
{
    if (value.length == 0 || value.length >= WORDS_TASKS)
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

static enum verdict set(struct words *w, const struct word *word, struct span value)
{
    uint64_t *to = member(w, word);

    switch (word->kind) {
    case CHOICE:
        return set_choice(word, value, to);
    case SPREAD:
        return set_spread(value, to);
    case SERIAL:
        return set_serial(word, value, w);
    case TASKS:
        return set_tasks(value, w->tasks);
    case SEED:
        if (span_is(value, "auto")) {
            *to = 0;
            return TAKEN;
        }
        break;
    case NUMBER:
        break;
    }
    return set_number(word, value, to);
}

static struct span text_span(const char *text)
{
    struct span s = {text, 0};

    while (text[s.length])
        s.length++;
    return s;
}

void words_default(struct words *w)
{
    for (size_t i = 0; i < WORDS; i++)
        set(w, &words[i], text_span(words[i].standard));
}

static void put_allowed(struct sink *out, const struct word *word)
{
    put(out, " (allowed: ");
    if (word)
        put(out, word->allowed);
    for (size_t i = 0; !word && i < WORDS; i++) {
        put(out, i ? " " : "");
        put(out, words[i].key);
    }
    put(out, ")");
}

static void refuse_word(struct sink *out, struct span key)
{
    if (listed(key, later_words)) {
        put_quoted(out, key);
        put(out, " is not built yet");
    } else {
        put(out, "unknown word ");
        put_quoted(out, key);
    }
    put_allowed(out, NULL);
}

static void put_rate(struct sink *out, uint32_t divisor)
{
    put_number(out, (UART_CLOCK + divisor / 2) / divisor);
}

/* What the divisors on both sides of a rate that cannot be made would give. */
static void put_nearest(struct sink *out, struct span value)
{
    struct span rate = {value.at + 5, value.length - 5}; /* behind com1, */
    uint64_t baud;

    read_number(rate, &baud);
    put(out, " (nearest: ");
    if (baud < 2) {
        put_rate(out, DIVISOR_MAX);
    } else if (baud >= UART_CLOCK) {
        put_rate(out, 1);
    } else {
        put_rate(out, UART_CLOCK / (uint32_t)baud);
        put(out, " ");
        put_rate(out, UART_CLOCK / (uint32_t)baud + 1);
    }
    put(out, ")");
}

static void refuse_value(struct sink *out, const struct word *word, struct span value,
                         enum verdict verdict)
{
    bool later = listed(value, word->later);

    if (verdict == NO_DIVISOR) {
        put(out, "no divisor of the UART makes the rate in serial=");
        put_quoted(out, value);
        put_nearest(out, value);
        return;
    }
    put(out, later || verdict == OUT_OF_RANGE ? "value " : "unknown value ");
    put_quoted(out, value);
    put(out, " for ");
    put(out, word->key);
    put(out, later ? " is not built yet" : "");
    put(out, verdict == OUT_OF_RANGE ? " is out of range" : "");
    put_allowed(out, word);
}

static const struct word *word_named(struct span key)
{
    for (size_t i = 0; i < WORDS; i++)
        if (span_is(key, words[i].key))
            return &words[i];
    return NULL;
}

/* One word, key=value; false with the sentence in `out`. */
static bool take(struct words *w, struct span token, struct sink *out)
{
    struct span key = {token.at, 0}, value;
    const struct word *word;
    enum verdict verdict;

    while (key.length < token.length && token.at[key.length] != '=')
        key.length++;
    word = word_named(key);
    if (!word) {
        refuse_word(out, key);
        return false;
    }
    if (key.length == token.length) {
        put(out, "word ");
        put_quoted(out, key);
        put(out, " has no value");
        put_allowed(out, word);
        return false;
    }
    value = (struct span){key.at + key.length + 1, token.length - key.length - 1};
    verdict = set(w, word, value);
    if (verdict != TAKEN)
        refuse_value(out, word, value, verdict);
    return verdict == TAKEN;
}

bool words_parse(struct words *w, const char *line, char *sentence)
{
    struct sink out = {sentence, WORDS_SENTENCE};

    sentence[0] = '\0';
    while (*line) {
        struct span token = {line, 0};

        while (*line && *line != '#' && !is_separator(*line))
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

static void put_spread(struct sink *out, uint32_t thousandths)
{
    uint32_t rest = thousandths % 1000;

    put_number(out, thousandths / 1000);
    put_char(out, '.');
    do {
        put_char(out, (char)('0' + rest / 100));
        rest = rest % 100 * 10;
    } while (rest);
}

static void put_value(struct sink *out, const struct words *w, const struct word *word)
{
    uint32_t value = word->kind == TASKS ? 0 : (uint32_t)value_of(w, word);

    switch (word->kind) {
    case CHOICE:
        put(out, word->choice[value]);
        break;
    case NUMBER:
        put_number(out, value);
        break;
    case SEED:
        if (value)
            put_number(out, value);
        else
            put(out, "auto");
        break;
    case SPREAD:
        put_spread(out, value);
        break;
    case SERIAL:
        put(out, word->choice[value]);
        put_char(out, ',');
        put_number(out, (uint32_t)w->baud);
        break;
    case TASKS:
        put(out, w->tasks);
        break;
    }
}

void words_print(const struct words *w, char *line)
{
    struct sink out = {line, WORDS_LINE};

    for (size_t i = 0; i < WORDS; i++) {
        put(&out, i ? " " : "");
        put(&out, words[i].key);
        put(&out, "=");
        put_value(&out, w, &words[i]);
    }
}

const char *words_name(const struct words *w, const char *key)
{
    const struct word *word = word_named(text_span(key));

    if (!word || word->kind == NUMBER || word->kind == SPREAD || word->kind == SEED)
        return "";
    return word->kind == TASKS ? w->tasks : word->choice[value_of(w, word)];
}

bool words_help(unsigned index, struct word_help *help)
{
    if (index >= WORDS)
        return false;
    *help = (struct word_help){words[index].key, words[index].allowed,
                               words[index].standard, words[index].what};
    return true;
}
