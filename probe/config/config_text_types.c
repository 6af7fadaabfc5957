/* SPDX-License-Identifier: MIT */
/* The configuration words whose values are texts: the name of the workload, and the note. */
#include "probe/config/config_table.h"

/* ---- tasks= ---- */

/* Zeros to the end: values are compared whole. */
static void keep_text(char *to, size_t size, struct span value)
{
    for (size_t i = 0; i < size; i++)
        to[i] = i < value.length ? value.at[i] : '\0';
}

static const char *parse_tasks(struct config *c, const struct config_word *word, struct span value)
{
    if (value.length == 0 || value.length >= CONFIG_TASKS_SIZE)
        return CONFIG_UNKNOWN_VALUE;
    for (size_t i = 0; i < value.length; i++) {
        const char at = value.at[i];

        if (!(at >= 'a' && at <= 'z') && !(at >= '0' && at <= '9') && at != ',' && at != '-')
            return CONFIG_UNKNOWN_VALUE;
    }
    keep_text(c->tasks, word->size, value);
    return NULL;
}

static void put_tasks(struct text_buf *out, const struct config *c, const struct config_word *word)
{
    (void)word;
    buf_text(out, c->tasks);
}

const struct config_type config_tasks = {.parse = parse_tasks, .put = put_tasks};

/* ---- note= ---- */

/* Without the double quotes that it begins and ends with. */
static struct span unquoted(struct span value)
{
    if (value.length < 2 || value.at[0] != '"' || value.at[value.length - 1] != '"')
        return value;
    return (struct span){value.at + 1, value.length - 2};
}

static const char *parse_note(struct config *c, const struct config_word *word, struct span value)
{
    const struct span text = span_is(value, "none") ? (struct span){value.at, 0} : unquoted(value);

    if (value.length == 0 || text.length >= word->size)
        return CONFIG_UNKNOWN_VALUE;
    for (size_t i = 0; i < text.length; i++)
        if (text.at[i] < ' ' || text.at[i] > '~' || text.at[i] == '"')
            return CONFIG_UNKNOWN_VALUE;
    keep_text(c->note, word->size, text);
    return NULL;
}

static void put_note(struct text_buf *out, const struct config *c, const struct config_word *word)
{
    (void)word;
    if (!c->note[0]) {
        buf_text(out, "none");
        return;
    }
    buf_char(out, '"');
    buf_text(out, c->note);
    buf_char(out, '"');
}

const struct config_type config_note = {.parse = parse_note, .put = put_note};
