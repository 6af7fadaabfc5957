/* SPDX-License-Identifier: MIT */
/* The text of a class tree, cut into its statements. */
#include "probe/trace/class_compiler.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* What ends a value: everything that has a meaning of its own, and what cannot be printed. */
static bool is_value(char c)
{
    if (c <= ' ' || c > '~')
        return false;
    for (const char *mark = "+,@/#"; *mark; mark++)
        if (c == *mark)
            return false;
    return true;
}

struct class_text class_text_open(struct span text)
{
    return (struct class_text){ text.at, text.at, text.at + text.length };
}

/* Line and column of a place, both from 1. */
static void place_of(struct class_text text, const char *at, uint64_t *line, uint64_t *column)
{
    *line = *column = 1;
    for (const char *c = text.begin; c < at; c++) {
        *line += *c == '\n';
        *column = *c == '\n' ? 1 : *column + 1;
    }
}

bool class_text_refuse(struct class_text text, struct span what, const char *reason, struct span other,
                       struct refusal *why)
{
    uint64_t line, column;

    place_of(text, what.at, &line, &column);
    return REFUSE_WITH(why, reason, REFUSAL_NUMBER(line), REFUSAL_NUMBER(column), REFUSAL_QUOTED(what),
                       REFUSAL_QUOTED(other));
}

static bool refuse_here(struct class_text *text, const char *reason, struct refusal *why)
{
    const struct span what = { text->at, text->at < text->end };

    return class_text_refuse(*text, what, reason, what, why);
}

static void skip_blanks(struct class_text *text)
{
    while (text->at < text->end && is_blank(*text->at))
        text->at++;
}

static char next_char(struct class_text *text)
{
    skip_blanks(text);
    return text->at < text->end ? *text->at : '\0';
}

/* Read a mark if it comes next. */
static bool take(struct class_text *text, char mark)
{
    if (next_char(text) != mark || text->at == text->end)
        return false;
    text->at++;
    return true;
}

static struct span take_run(struct class_text *text, bool (*belongs)(char))
{
    struct span run;

    skip_blanks(text);
    run = (struct span){ text->at, 0 };
    while (text->at < text->end && belongs(*text->at))
        text->at++, run.length++;
    return run;
}

static void skip_comment(struct class_text *text)
{
    if (next_char(text) == '#')
        while (text->at < text->end && *text->at != '\n')
            text->at++;
}

/* Past blanks, comments and what separates statements. */
static void skip_between(struct class_text *text)
{
    do
        skip_comment(text);
    while (take(text, '\n') || take(text, ','));
}

static bool read_values(struct class_text *text, struct class_term *term, struct refusal *why)
{
    const char *begin;

    term->not = take(text, '!');
    begin = (skip_blanks(text), text->at);
    do
        if (take_run(text, is_value).length == 0)
            return refuse_here(text, "line %1, column %2: a value is missing", why);
    while (take(text, '/'));
    term->values = (struct span){ begin, (size_t)(text->at - begin) };
    return true;
}

static bool read_term(struct class_text *text, struct class_statement *to, struct refusal *why)
{
    struct class_term *term = &to->term[to->terms];

    if (to->terms == CLASS_TERMS)
        return refuse_here(text, "line %1, column %2: a statement has at most 6 conditions", why);
    term->key = take_run(text, is_name);
    if (term->key.length == 0)
        return refuse_here(text, "line %1, column %2: a condition is missing", why);
    if (to->terms == 0 && span_is(term->key, "else")) {
        to->otherwise = true;
        return true;
    }
    if (!take(text, '='))
        return refuse_here(text, "line %1, column %2: '=' and a value are missing", why);
    to->terms++;
    return read_values(text, term, why);
}

/* [CLASS =] [PARENT .] NAME : */
static bool read_head(struct class_text *text, struct class_statement *to, struct refusal *why)
{
    to->name = take_run(text, is_name);
    if (to->name.length && take(text, '=')) {
        to->class = to->name;
        to->name = take_run(text, is_name);
    }
    if (to->name.length && take(text, '.')) {
        to->parent = to->name;
        to->name = take_run(text, is_name);
    }
    if (to->name.length == 0)
        return refuse_here(text, "line %1, column %2: a name is missing", why);
    return take(text, ':') || refuse_here(text, "line %1, column %2: ':' and a condition are missing", why);
}

static bool read_end(struct class_text *text, struct class_statement *to, struct refusal *why)
{
    if (take(text, '@')) {
        to->attribute = take_run(text, is_name);
        if (to->attribute.length == 0)
            return refuse_here(text, "line %1, column %2: an attribute is missing", why);
    }
    skip_comment(text);
    skip_blanks(text);
    if (text->at == text->end || *text->at == '\n' || *text->at == ',')
        return true;
    return refuse_here(text, "line %1, column %2: %3 has no meaning here", why);
}

bool class_text_next(struct class_text *text, struct class_statement *to, struct refusal *why)
{
    bool more = true;

    *why = (struct refusal){ .reason = NULL };
    *to = (struct class_statement){ .terms = 0 };
    skip_between(text);
    if (text->at == text->end || !read_head(text, to, why))
        return false;
    while (more)
        if (!read_term(text, to, why))
            return false;
        else
            more = !to->otherwise && take(text, '+');
    return read_end(text, to, why);
}

bool class_text_value(struct span *values, struct span *value)
{
    struct class_text text = class_text_open(*values);

    *value = take_run(&text, is_value);
    take(&text, '/');
    skip_blanks(&text);
    *values = (struct span){ text.at, (size_t)(text.end - text.at) };
    return value->length != 0;
}
