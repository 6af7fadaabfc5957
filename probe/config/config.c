/* SPDX-License-Identifier: MIT */
/* Lines of configuration words, read and written by the rows of the table. */
#include "probe/config/config.h"

#include "probe/config/config_table.h"
#include "probe/schedule/memory.h"
#include "probe/text/nearest.h"

static const struct config_words all = {config_table, CONFIG_KEYS};

void config_words_default(const struct config_words *words, void *values)
{
    for (const struct config_word *word = words->row; word < words->row + words->count; word++)
        if (word->standard)
            word->type->parse(values, word, span_text(word->standard));
}

void config_default(struct config *c)
{
    config_words_default(&all, c);
    c->regions_cleared = false;
    c->given = 0;
}

/* ---- reading ---- */

/* The row of this name; past the last one where there is none. */
static const struct config_word *named(const struct config_words *words, struct span name)
{
    const struct config_word *word = words->row;

    while (word < words->row + words->count && !span_is(name, word->key))
        word++;
    return word;
}

/* Append the names of all; `text` has the bytes of struct config_words. */
static void put_keys(struct text_buf *out, struct span text)
{
    const struct config_words *const words = (const void *)text.at;

    for (unsigned i = 0; i < words->count; i++)
        buf_parts(out, i ? " " : "", words->row[i].key);
}

/* The word that is nearest to a name that is none. */
static struct span nearest_word(const struct config_words *words, struct span name)
{
    struct nearest near = {.typed = name};

    for (unsigned i = 0; i < words->count; i++)
        nearest_offer(&near, span_text(words->row[i].key));
    return near.name;
}

/* The name that is nearest to the first in a value, "a,b", that the word does not have. */
static struct span nearest_choice(const struct config_word *word, struct span value)
{
    struct nearest near = {.typed = span_until(value, ',')};
    uint64_t unused;

    while (near.typed.length < value.length && config_choice_named(word, near.typed, &unused)) {
        value = span_after(value, near.typed.length + 1);
        near.typed = span_until(value, ',');
    }
    for (unsigned i = 0; word->choice[i]; i++)
        nearest_offer(&near, span_text(word->choice[i]));
    return near.name;
}

static bool has(struct span text, char c)
{
    return span_until(text, c).length < text.length;
}

static bool set(const struct config_word *word, void *values, struct span value, struct refusal *why)
{
    const struct span bare = word->type->quotes ? value : span_unquoted(value);
    const char *const reason = !word->type->quotes && has(bare, '"') ? CONFIG_UNKNOWN_VALUE :
                               word->type->parse(values, word, bare);

    return !reason || REFUSE_WITH(why, reason, REFUSAL_QUOTED(value), REFUSAL_STRING(word->key),
                                  REFUSAL_STRING(word->allowed), { .put = serial_spec_put_nearest, .text = value },
                                  { .put = nearest_put, .text = nearest_choice(word, value) });
}

const struct config_word *config_words_take(const struct config_words *words, void *values, struct span word,
                                            struct refusal *why)
{
    const struct span bare = span_unquoted(word), name = span_until(bare, '=');
    const struct config_word *const row = named(words, name);
    bool taken;

    if (row == words->row + words->count)
        taken = REFUSE_WITH(why, "unknown word %1%2 (allowed: %3)", REFUSAL_QUOTED(name),
                            { .put = nearest_put, .text = nearest_word(words, name) },
                            { .put = put_keys, .text = {(const char *)words, sizeof *words} });
    else if (name.length == bare.length)
        taken = REFUSE_WITH(why, "word %1 has no value (allowed: %2)", REFUSAL_QUOTED(name),
                            REFUSAL_STRING(row->allowed));
    else
        taken = set(row, values, span_after(bare, name.length + 1), why);
    return taken ? row : NULL;
}

static bool given(struct config *c, enum config_key key)
{
    c->given |= config_bit(key);
    return true;
}

bool config_set(struct config *c, enum config_key key, struct span value, struct refusal *why)
{
    return set(&config_table[key], c, value, why) && given(c, key);
}

bool config_parse_word(struct config *c, struct span word, struct refusal *why)
{
    const struct config_word *const row = config_words_take(&all, c, word, why);

    return row && given(c, (enum config_key)(row - config_table));
}

bool config_parse(struct config *c, const char *line, struct refusal *why)
{
    struct span word;

    while (span_next_word(&line, &word))
        if (!config_parse_word(c, word, why))
            return false;
    return true;
}

/* ---- writing ---- */

static void put_word(struct text_buf *out, const void *values, const struct config_word *word, bool first)
{
    size_t from;

    buf_parts(out, first ? "" : " ", word->key, "=");
    from = out->length;
    word->type->put(out, values, word);
    if (!word->type->quotes)
        buf_quote(out, from);
}

void config_words_put(struct text_buf *out, const struct config_words *words, const void *values)
{
    for (unsigned i = 0; i < words->count; i++)
        put_word(out, values, &words->row[i], i == 0);
}

void config_print(const struct config *c, char *line)
{
    config_words_put(&(struct text_buf){ .text = line, .size = CONFIG_LINE }, &all, c);
}

bool config_fits(const struct config *c)
{
    char line[CONFIG_LINE];

    config_print(c, line);
    return span_text(line).length < CONFIG_LINE - 1;
}

void config_print_some(const struct config *c, const enum config_key keys[], char *line)
{
    struct text_buf out = {.text = line, .size = CONFIG_LINE};

    line[0] = '\0';
    for (size_t i = 0; keys[i] != CONFIG_KEYS; i++)
        put_word(&out, c, &config_table[keys[i]], i == 0);
}

/* ---- two configurations ---- */

bool config_same(const struct config *a, const struct config *b, enum config_key key)
{
    const struct config_word *word = &config_table[key];

    if (word->type->same)
        return word->type->same(a, b);
    return !memcmp((const char *)a + word->offset, (const char *)b + word->offset, word->size);
}

bool config_equal(const struct config *a, const struct config *b)
{
    for (unsigned key = 0; key < CONFIG_KEYS; key++)
        if (!config_same(a, b, key))
            return false;
    return true;
}

bool config_merge(struct config *c, const struct config *change, struct refusal *why)
{
    for (unsigned key = 0; key < CONFIG_KEYS; key++) {
        const struct config_word *word = &config_table[key];

        if (!config_given(change, key))
            continue;
        if (!word->type->merge)
            memcpy((char *)c + word->offset, (const char *)change + word->offset, word->size);
        else if (!word->type->merge(c, change))
            return REFUSE(why, CONFIG_TOO_MANY_REGIONS);
    }
    c->given |= change->given;
    return true;
}

/* ---- names ---- */

enum config_key config_key_named(struct span name)
{
    return (enum config_key)(named(&all, name) - config_table);
}

const char *config_value_name(const struct config *c, enum config_key key)
{
    const struct config_word *word = &config_table[key];

    if (word->type == &config_choice || word->type == &config_tick)
        return word->choice[*(const uint64_t *)(const void *)((const char *)c + word->offset)];
    return key == CONFIG_TASKS ? c->tasks : "";
}

enum config_key config_key_of_value(const enum config_key keys[], struct span value)
{
    uint64_t unused;

    while (*keys != CONFIG_KEYS && (config_table[*keys].type == &config_list ||
                                    !config_choice_named(&config_table[*keys], value, &unused)))
        keys++;
    return *keys;
}

uint32_t config_monitor_named(struct span name)
{
    uint64_t bit;

    return config_choice_named(&config_table[CONFIG_MONITOR], name, &bit) ? 1u << bit : 0;
}
