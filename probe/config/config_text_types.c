/* SPDX-License-Identifier: MIT */
/* The configuration words whose values are texts: workloads and files, and the note. */
#include "probe/config/config_table.h"

/* Zeros to the end: values are compared whole. */
static void keep_text(char *to, size_t size, struct span value)
{
    for (size_t i = 0; i < size; i++)
        to[i] = i < value.length ? value.at[i] : '\0';
}

/* ---- tasks= ---- */

static const char *parse_tasks(void *c, const struct config_word *word, struct span value)
{
    if (value.length >= word->size || !task_spec_check(value))
        return CONFIG_UNKNOWN_VALUE;
    keep_text(config_value(c, word), word->size, value);
    return NULL;
}

static void put_tasks(struct text_buf *out, const void *c, const struct config_word *word)
{
    buf_text(out, config_value_of(c, word));
}

const struct config_type config_tasks = {.parse = parse_tasks, .put = put_tasks};

/* ---- stdin= ---- */

static const char *parse_stdin(void *c, const struct config_word *word, struct span value)
{
    const bool none = span_is(value, "none");
    struct span rest = value;
    struct task_spec spec;

    if (!none && !(task_spec_next(&rest, &spec) && spec.file && spec.arguments.length == 0 && rest.length == 0))
        return CONFIG_UNKNOWN_VALUE;
    keep_text(config_value(c, word), word->size, none ? (struct span){value.at, 0} : value);
    return NULL;
}

static void put_stdin(struct text_buf *out, const void *c, const struct config_word *word)
{
    const char *const name = config_value_of(c, word);

    buf_text(out, name[0] ? name : "none");
}

const struct config_type config_stdin = {.parse = parse_stdin, .put = put_stdin};

/* ---- note= ---- */

static const char *parse_note(void *c, const struct config_word *word, struct span value)
{
    const struct span text = span_is(value, "none") ? (struct span){value.at, 0} : span_unquoted(value);

    if (value.length == 0 || text.length >= word->size)
        return CONFIG_UNKNOWN_VALUE;
    for (size_t i = 0; i < text.length; i++)
        if (text.at[i] < ' ' || text.at[i] > '~' || text.at[i] == '"')
            return CONFIG_UNKNOWN_VALUE;
    keep_text(config_value(c, word), word->size, text);
    return NULL;
}

static void put_note(struct text_buf *out, const void *c, const struct config_word *word)
{
    const char *const note = config_value_of(c, word), *const quote = note[0] ? "\"" : "";

    buf_parts(out, quote, note[0] ? note : "none", quote);
}

const struct config_type config_note = {.parse = parse_note, .put = put_note, .quotes = true};
