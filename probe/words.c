/* SPDX-License-Identifier: MIT */
/*
 * The table of the configuration words (docs/ACCOUNTING.md, "Numbers and
 * codes"), and the one parser and printer that read it.
 */
#include "probe/words.h"

#include "probe/schedule.h"
#include "probe/span.h"

#define CHOICES_MAX  9
#define SEED_MAX     0x7ffffffeu

enum kind { CHOICE, LIST, NUMBER, THOUSANDTHS, SEED, CLOCK, SERIAL, SLU, TASKS, REGION };

struct word {
    const char *key;
    enum kind kind;
    size_t offset; /* in struct words */
    uint32_t low, high;
    const char *choice[CHOICES_MAX + 1]; /* names of the enum's values, in order; LIST: of bits */
    const char *allowed;
    const char *standard, *what;
};

#define WORD(name, type) .key = #name, .kind = type, .offset = offsetof(struct words, name)
#define TWO(a, b)        .choice = {a, b}, .allowed = a " " b
#define THREE(a, b, c)   .choice = {a, b, c}, .allowed = a " " b " " c
#define FOUR(a, b, c, d) .choice = {a, b, c, d}, .allowed = a " " b " " c " " d
#define RANGE(from, to)  .low = from, .high = to, .allowed = #from " to " #to

static const struct word words[] = {
    {WORD(tick, CHOICE), .choice = {"auto", "pit", "lapic", "rtc", "pit-periodic", "clock", "slu",
                                    "slu-timeout", "none"},
     .allowed = "auto pit lapic rtc pit-periodic clock slu slu-timeout none", .standard = "auto",
     .what = "source of the sampling tick"},
    {WORD(rate, NUMBER), RANGE(1, 500000), .standard = "120",
     .what = "mean rate of the tick, Hz"},
    {WORD(interval, CHOICE), .choice = {"stratified", "random", "exponential", "narrow", "fixed"},
     .allowed = "stratified random exponential narrow fixed", .standard = "stratified",
     .what = "policy of the interval between ticks"},
    {WORD(spread, THOUSANDTHS), .high = 2000, .allowed = "0.0 to 2.0, three decimals at most",
     .standard = "2.0", .what = "interval=random: full width over the mean"},
    {WORD(seed, SEED), .low = 1, .high = SEED_MAX, .allowed = "auto, or 1 to 2147483646",
     .standard = "auto", .what = "seed of the generator"},
    {WORD(rng, CHOICE), TWO("carta", "chacha8"), .standard = "carta",
     .what = "generator of the intervals; with seed=auto chacha8, unless it is given"},
    {WORD(delivery, CHOICE), TWO("irq", "nmi"), .standard = "irq",
     .what = "how the tick reaches the processor; nmi: tick=pit alone, nothing masks it"},
    {WORD(clock, CLOCK), .low = 10, .high = 1000, .allowed = "10 to 1000, or rtc", .standard = "100",
     .what = "rate of the system clock, Hz; rtc: by the RTC, at 128"},
    {WORD(sched, CHOICE), TWO("rr", "decay"), .standard = "rr",
     .what = "scheduler of the tasks: round robin, or decay-usage that charges by samples"},
    {WORD(account, CHOICE), TWO("on", "off"), .standard = "on",
     .what = "exact time beside the samples"},
    {WORD(tasks, TASKS), .allowed = "1 to 63 of a-z 0-9 , -", .standard = "figure3",
     .what = "workload"},
    {WORD(identity, CHOICE), THREE("name", "image", "task"), .standard = "name",
     .what = "what makes a row of the table"},
    {WORD(monitor, LIST), .choice = {"system", "region", "samples"},
     .allowed = "none, or of system region samples, commas between", .standard = "system",
     .what = "what is done with a sample"},
    {WORD(region, REGION), .standard = "none", .allowed = REGION_WORD_ALLOWED,
     .what = "monitor=region: one task's code by address; repeat for more, 8 at most"},
    {WORD(thin, CHOICE), TWO("off", "auto"), .standard = "off",
     .what = "monitor=samples: refuse or thin what the line cannot carry"},
    {WORD(stamp, CHOICE), TWO("us", "off"), .standard = "us",
     .what = "monitor=samples: each sample's time, to the microsecond"},
    {WORD(seconds, NUMBER), RANGE(0, 100000000), .standard = "60",
     .what = "length of the run, 0 for ever"},
    {WORD(samples, NUMBER), RANGE(0, 4294967295), .standard = "0",
     .what = "samples that end the run, 0 for no bound"},
    {WORD(precision, THOUSANDTHS), .low = 50, .high = 50000, .standard = "0.0",
     .allowed = "0, or 0.05 to 50, three decimals at most",
     .what = "half width of the widest total's interval that ends the run, points; 0 for no bound"},
    {.key = "serial", .kind = SERIAL, .offset = offsetof(struct words, line), .standard = "com1,115200",
     .allowed = SERIAL_LINE_ALLOWED, .what = "line of the output"},
    {WORD(slu, SLU), .standard = "auto", .allowed = SLU_WORD_ALLOWED,
     .what = "tick=slu, slu-timeout: the UART; its rate is that of serial= unless given"},
    {WORD(output, CHOICE), TWO("text", "frames"), .standard = "text",
     .what = "tables to read, or frames for the host"},
    {WORD(health, CHOICE), TWO("on", "off"), .standard = "off",
     .what = "output=text: say what the machine is like; frames always do"},
    {WORD(exit, CHOICE), FOUR("halt", "reboot", "qemu", "bochs"), .standard = "halt",
     .what = "what happens at the end of the run"},
};
#define WORDS (sizeof words / sizeof words[0])

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
    TOO_MANY,
};

static enum verdict set_choice(const struct word *word, struct span value, uint64_t *to)
{
    for (unsigned i = 0; word->choice[i]; i++)
        if (span_is(value, word->choice[i])) {
            *to = i;
            return TAKEN;
        }
    return UNKNOWN;
}

/* Names with commas between them, each a bit; "none" alone is no bit. */
static enum verdict set_list(const struct word *word, struct span value, uint64_t *to)
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
static enum verdict set_region(struct words *w, struct span value)
{
    struct region_word region;

    if (span_is(value, "none")) {
        w->regions = 0;
        return TAKEN;
    }
    if (!region_word_parse(&region, value))
        return UNKNOWN;
    if (w->regions == REGIONS_MAX)
        return TOO_MANY;
    w->region[w->regions++] = region;
    return TAKEN;
}

static enum verdict set_number(const struct word *word, struct span value, uint64_t *to)
{
    uint64_t number;

    if (!span_number(value, &number))
        return UNKNOWN;
    if (number < word->low || number > word->high)
        return OUT_OF_RANGE;
    *to = number;
    return TAKEN;
}

/* D or D.d, D.dd, D.ddd in thousandths; 0 is always one of them. */
static enum verdict set_thousandths(const struct word *word, struct span value, uint64_t *to)
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

static enum verdict verdict_of(enum serial_line_verdict verdict)
{
    switch (verdict) {
    case SERIAL_LINE_TAKEN:
        return TAKEN;
    case SERIAL_LINE_NO_DIVISOR:
        return NO_DIVISOR;
    default:
        return UNKNOWN;
    }
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
    case LIST:
        return set_list(word, value, to);
    case REGION:
        return set_region(w, value);
    case THOUSANDTHS:
        return set_thousandths(word, value, to);
    case SERIAL:
        return verdict_of(serial_line_parse(&w->line, value));
    case SLU:
        return verdict_of(slu_word_parse(&w->slu, value));
    case TASKS:
        return set_tasks(value, w->tasks);
    case SEED:
        if (span_is(value, "auto")) {
            *to = 0;
            return TAKEN;
        }
        break;
    case CLOCK:
        if (span_is(value, "rtc")) {
            *to = CLOCK_RTC;
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
    w->given = 0;
}

static void put_allowed(struct sink *out, const struct word *word)
{
    sink_text(out, " (allowed: ");
    if (word)
        sink_text(out, word->allowed);
    for (size_t i = 0; !word && i < WORDS; i++) {
        sink_text(out, i ? " " : "");
        sink_text(out, words[i].key);
    }
    sink_text(out, ")");
}

static void refuse_word(struct sink *out, struct span key)
{
    sink_text(out, "unknown word ");
    sink_quoted(out, key);
    put_allowed(out, NULL);
}

static void refuse_value(struct sink *out, const struct word *word, struct span value,
                         enum verdict verdict)
{
    if (verdict == NO_DIVISOR) {
        sink_text(out, "no divisor of the UART makes the rate in ");
        sink_text(out, word->key);
        sink_text(out, "=");
        sink_quoted(out, value);
        serial_line_put_nearest(out, value);
        return;
    }
    if (verdict == TOO_MANY) {
        sink_text(out, "there are more than eight region= words");
        return;
    }
    sink_text(out, verdict == OUT_OF_RANGE ? "value " : "unknown value ");
    sink_quoted(out, value);
    sink_text(out, " for ");
    sink_text(out, word->key);
    sink_text(out, verdict == OUT_OF_RANGE ? " is out of range" : "");
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
        sink_text(out, "word ");
        sink_quoted(out, key);
        sink_text(out, " has no value");
        put_allowed(out, word);
        return false;
    }
    value = (struct span){key.at + key.length + 1, token.length - key.length - 1};
    verdict = set(w, word, value);
    if (verdict != TAKEN)
        refuse_value(out, word, value, verdict);
    else
        w->given |= 1u << (word - words);
    return verdict == TAKEN;
}

bool words_parse(struct words *w, const char *line, char *sentence)
{
    struct sink out = {sentence, WORDS_SENTENCE};

    sentence[0] = '\0';
    while (*line) {
        struct span token = {line, 0};

        while (*line && *line != '#' && !span_separator(*line))
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

static void put_thousandths(struct sink *out, uint32_t thousandths)
{
    uint32_t rest = thousandths % 1000;

    sink_number(out, thousandths / 1000);
    sink_char(out, '.');
    do {
        sink_char(out, (char)('0' + rest / 100));
        rest = rest % 100 * 10;
    } while (rest);
}

static void put_list(struct sink *out, const struct word *word, uint32_t bits)
{
    bool some = false;

    for (unsigned i = 0; word->choice[i]; i++)
        if (bits & 1u << i) {
            sink_text(out, some ? "," : "");
            sink_text(out, word->choice[i]);
            some = true;
        }
    sink_text(out, some ? "" : "none");
}

/* The first region, and the others each as a word of its own. */
static void put_regions(struct sink *out, const struct words *w)
{
    for (uint64_t i = 0; i < w->regions; i++) {
        sink_text(out, i ? " region=" : "");
        region_word_put(out, &w->region[i]);
    }
    sink_text(out, w->regions ? "" : "none");
}

static void put_value(struct sink *out, const struct words *w, const struct word *word)
{
    const bool number = word->kind != TASKS && word->kind != SERIAL && word->kind != SLU &&
                        word->kind != REGION;
    uint32_t value = number ? (uint32_t)value_of(w, word) : 0;

    switch (word->kind) {
    case LIST:
        put_list(out, word, value);
        break;
    case REGION:
        put_regions(out, w);
        break;
    case CHOICE:
        sink_text(out, word->choice[value]);
        break;
    case NUMBER:
        sink_number(out, value);
        break;
    case SEED:
        if (value)
            sink_number(out, value);
        else
            sink_text(out, "auto");
        break;
    case CLOCK:
        if (value != CLOCK_RTC)
            sink_number(out, value);
        else
            sink_text(out, "rtc");
        break;
    case THOUSANDTHS:
        put_thousandths(out, value);
        break;
    case SERIAL:
        serial_line_put(out, &w->line);
        break;
    case SLU:
        slu_word_put(out, &w->slu);
        break;
    case TASKS:
        sink_text(out, w->tasks);
        break;
    }
}

static uint32_t clock_rate(const struct words *w)
{
    return w->clock == CLOCK_RTC ? CLOCK_RTC_HZ : (uint32_t)w->clock;
}

/* One timer has one owner. */
static void agree_timers(const struct words *w, struct sink *out)
{
    if (w->tick == TICK_LAPIC && w->clock != CLOCK_RTC) {
        sink_text(out, "tick=lapic takes the timer that the system clock has: it needs clock=rtc");
    } else if (w->tick == TICK_RTC && w->clock == CLOCK_RTC) {
        sink_text(out, "tick=rtc and clock=rtc both want the one RTC");
    } else if (w->tick == TICK_CLOCK && words_given(w, "rate") && w->rate != clock_rate(w)) {
        sink_text(out, "tick=clock ticks as the system clock does, at ");
        sink_number(out, clock_rate(w));
        sink_text(out, " Hz: rate=");
        sink_number(out, (uint32_t)w->rate);
        sink_text(out, " is another");
    }
}

/* What precision= looks at must be there: totals, and intervals on them. */
static void agree_precision(const struct words *w, struct sink *out)
{
    if (w->tick == TICK_NONE || !(w->monitor & MONITOR_SYSTEM)) {
        sink_text(out, "precision= looks at the totals of monitor=system, and there are none");
    } else if (policy_named(words_name(w, "interval"))->pairing == PAIR_NEVER) {
        sink_text(out, "precision= needs an interval, and interval=");
        sink_text(out, words_name(w, "interval"));
        sink_text(out, " gives none");
    }
}

bool words_agree(const struct words *w, char *sentence)
{
    struct sink out = {sentence, WORDS_SENTENCE};
    const bool wanted = w->monitor & MONITOR_REGION;

    sentence[0] = '\0';
    if (wanted && w->regions == 0)
        sink_text(&out, "monitor= has region, and no region= says which");
    else if (!wanted && w->regions != 0)
        sink_text(&out, "region= is given, and monitor= has no region");
    else if (w->monitor & MONITOR_SAMPLES && w->output == OUTPUT_TEXT)
        sink_text(&out, "monitor= has samples, which need output=frames");
    else if (w->sched == SCHED_DECAY && (w->tick == TICK_NONE || !(w->monitor & MONITOR_SYSTEM)))
        sink_text(&out, "sched=decay charges by the samples of monitor=system, and there are none");
    else if (w->delivery == DELIVERY_NMI && w->tick != TICK_AUTO && w->tick != TICK_PIT)
        sink_text(&out, "delivery=nmi is for tick=pit alone");
    else
        agree_timers(w, &out);
    if (!*sentence && w->precision != 0)
        agree_precision(w, &out);
    return !*sentence;
}

bool words_unmasked(const struct words *w)
{
    return w->delivery == DELIVERY_NMI;
}

void words_print(const struct words *w, char *line)
{
    struct sink out = {line, WORDS_LINE};

    for (size_t i = 0; i < WORDS; i++) {
        sink_text(&out, i ? " " : "");
        sink_text(&out, words[i].key);
        sink_text(&out, "=");
        put_value(&out, w, &words[i]);
    }
}

const char *words_name(const struct words *w, const char *key)
{
    const struct word *word = word_named(text_span(key));

    if (word && word->kind == CHOICE)
        return word->choice[value_of(w, word)];
    return word && word->kind == TASKS ? w->tasks : "";
}

bool words_given(const struct words *w, const char *key)
{
    const struct word *word = word_named(text_span(key));

    return word && w->given & 1u << (word - words);
}

bool words_help(unsigned index, struct word_help *help)
{
    if (index >= WORDS)
        return false;
    *help = (struct word_help){words[index].key, words[index].allowed,
                               words[index].standard, words[index].what};
    return true;
}
