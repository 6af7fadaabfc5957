/* SPDX-License-Identifier: MIT */
/* A parser by recursive descent, which makes nodes in postfix order. */
#include "tools/trace/item_filter.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"

#define DEPTH_MOST 32 /* of parentheses and `not` */

struct parser {
    const char *text, *at;
    struct item_filter *filter;
    struct filter_error *error;
    unsigned depth;
};

static bool fail(struct parser *p, const char *why)
{
    p->error->at = (unsigned)(p->at - p->text);
    p->error->why = why;
    return false;
}

static void skip_blanks(struct parser *p)
{
    p->at += strspn(p->at, " \t\n");
}

/* A word ends before a blank, a sign, a comma or a parenthesis. */
static struct span next_word(struct parser *p)
{
    skip_blanks(p);
    return (struct span){p->at, strcspn(p->at, " \t\n=!<>,()&|")};
}

static bool take_word(struct parser *p, const char *word, const char *sign)
{
    const struct span next = next_word(p);

    if (span_is(next, word)) {
        p->at += next.length;
        return true;
    }
    if (strncmp(p->at, sign, strlen(sign)))
        return false;
    p->at += strlen(sign);
    return true;
}

static bool add_node(struct parser *p, const struct filter_node *node)
{
    if (p->filter->nodes == FILTER_NODES)
        return fail(p, "the expression has too many parts");
    p->filter->node[p->filter->nodes++] = *node;
    return true;
}

/* ---- values ---- */

static bool read_class(struct parser *p, struct span word, struct filter_node *node)
{
    node->number = span_is(word, "state") ? FILTER_STATE
                                          : span_is(word, "gap") ? FILTER_GAP : trace_classes_named(word);
    return node->number || fail(p, "there is no class or group of this name");
}

static bool read_mode(struct parser *p, struct span word, struct filter_node *node)
{
    for (node->number = 0; node->number < MODES; node->number++)
        if (span_is(word, mode_name((enum mode)node->number)))
            return true;
    return span_is(word, "monitor") || fail(p, "a mode is user, supervisor, kernel, interrupt or monitor");
}

static bool read_task(struct parser *p, struct span word, struct filter_node *node)
{
    if (word.length >= NAME_SIZE)
        return fail(p, "a task's name has at most 14 characters");
    memcpy(node->task, word.at, word.length);
    return true;
}

static bool read_number(struct parser *p, struct span word, struct filter_node *node)
{
    char *end;

    errno = 0;
    node->number = strtoull(p->at, &end, 0);
    return (isdigit((unsigned char)*p->at) && end == word.at + word.length && !errno) || fail(p, "this is no number");
}

static bool read_seconds(struct parser *p, struct span word, struct filter_node *node)
{
    static const struct {
        const char *name;
        double seconds;
    } unit[] = {{"", 1.0}, {"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    char *end;
    const double value = strtod(p->at, &end);
    const struct span rest = {end, (size_t)(word.at + word.length - end)};

    if (!isdigit((unsigned char)*p->at) || end > word.at + word.length || !isfinite(value))
        return fail(p, "this is no time: 0.5, 3ms, 20us, 100ns");
    for (size_t i = 0; i < sizeof(unit) / sizeof(unit[0]); i++)
        if (span_is(rest, unit[i].name)) {
            node->seconds = value * unit[i].seconds;
            return true;
        }
    return fail(p, "a time is in s, ms, us or ns");
}

static const struct {
    const char *name;
    bool (*read)(struct parser *p, struct span word, struct filter_node *node);
    bool ordered; /* it can be compared with < and > */
} fields[] = {
    [FILTER_TASK] = {"task", read_task, false}, [FILTER_CLASS] = {"class", read_class, false},
    [FILTER_MODE] = {"mode", read_mode, false}, [FILTER_ARGUMENT] = {"arg", read_number, true},
    [FILTER_TIME] = {"time", read_seconds, true}, [FILTER_DURATION] = {"duration", read_seconds, true},
};

/* ---- comparisons ---- */

static bool read_field(struct parser *p, struct filter_node *node)
{
    const struct span word = next_word(p);

    for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (span_is(word, fields[i].name)) {
            node->field = (enum filter_field)i;
            p->at += word.length;
            return true;
        }
    return fail(p, "a field is task, class, mode, arg, time or duration");
}

static bool read_sign(struct parser *p, struct filter_node *node)
{
    static const struct {
        const char *text;
        enum filter_sign sign;
    } signs[] = {{"==", FILTER_EQUAL}, {"=", FILTER_EQUAL}, {"!=", FILTER_UNEQUAL}, {"<=", FILTER_AT_MOST},
                 {"<", FILTER_BELOW}, {">=", FILTER_AT_LEAST}, {">", FILTER_ABOVE}};

    skip_blanks(p);
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        if (strncmp(p->at, signs[i].text, strlen(signs[i].text)))
            continue;
        node->sign = signs[i].sign;
        if (node->sign > FILTER_UNEQUAL && !fields[node->field].ordered)
            return fail(p, "a name is compared with = or != only");
        p->at += strlen(signs[i].text);
        return true;
    }
    return fail(p, "a sign belongs here: = != < <= > >=");
}

static bool read_value(struct parser *p, struct filter_node *node)
{
    const struct span word = next_word(p);

    if (!word.length)
        return fail(p, "a value belongs here");
    if (!fields[node->field].read(p, word, node))
        return false;
    p->at += word.length;
    return add_node(p, node);
}

/* a=x,y is a=x or a=y; a!=x,y is a!=x and a!=y. */
static bool read_comparison(struct parser *p, unsigned *result)
{
    struct filter_node node = {.kind = FILTER_COMPARISON};

    if (!read_field(p, &node) || !read_sign(p, &node) || !read_value(p, &node))
        return false;
    *result = p->filter->nodes - 1;
    for (skip_blanks(p); *p->at == ','; skip_blanks(p)) {
        struct filter_node both = {.kind = node.sign == FILTER_UNEQUAL ? FILTER_AND : FILTER_OR, .left = *result};

        p->at++;
        if (node.sign > FILTER_UNEQUAL)
            return fail(p, "several values go with = and != only");
        if (!read_value(p, &node))
            return false;
        both.right = p->filter->nodes - 1;
        if (!add_node(p, &both))
            return false;
        *result = p->filter->nodes - 1;
    }
    return true;
}

/* ---- operators ---- */

static bool read_or(struct parser *p, unsigned *result);

static bool read_group(struct parser *p, unsigned *result)
{
    p->at++;
    if (!read_or(p, result))
        return false;
    skip_blanks(p);
    if (*p->at != ')')
        return fail(p, "a closing parenthesis belongs here");
    p->at++;
    return true;
}

static bool read_negated(struct parser *p, unsigned *result);

static bool read_not(struct parser *p, unsigned *result)
{
    bool well;

    if (p->depth == DEPTH_MOST)
        return fail(p, "the expression is nested too deeply");
    p->depth++;
    skip_blanks(p);
    if (*p->at == '(')
        well = read_group(p, result);
    else
        well = take_word(p, "not", "!") ? read_negated(p, result) : read_comparison(p, result);
    p->depth--;
    return well;
}

static bool read_negated(struct parser *p, unsigned *result)
{
    struct filter_node node = {.kind = FILTER_NOT};

    if (!read_not(p, &node.left) || !add_node(p, &node))
        return false;
    *result = p->filter->nodes - 1;
    return true;
}

static bool read_and(struct parser *p, unsigned *result)
{
    if (!read_not(p, result))
        return false;
    while (take_word(p, "and", "&&")) {
        struct filter_node node = {.kind = FILTER_AND, .left = *result};

        if (!read_not(p, &node.right) || !add_node(p, &node))
            return false;
        *result = p->filter->nodes - 1;
    }
    return true;
}

static bool read_or(struct parser *p, unsigned *result)
{
    if (!read_and(p, result))
        return false;
    while (take_word(p, "or", "||")) {
        struct filter_node node = {.kind = FILTER_OR, .left = *result};

        if (!read_and(p, &node.right) || !add_node(p, &node))
            return false;
        *result = p->filter->nodes - 1;
    }
    return true;
}

bool item_filter_parse(struct item_filter *f, const char *text, struct filter_error *error)
{
    struct parser p = {.text = text, .at = text, .filter = f, .error = error};
    unsigned result;

    f->nodes = 0;
    if (!read_or(&p, &result))
        return false;
    skip_blanks(&p);
    return !*p.at || fail(&p, "`and` or `or` belongs here");
}

/* ---- matching ---- */

static bool holds(enum filter_sign sign, double a, double b)
{
    switch (sign) {
    case FILTER_EQUAL: return a == b;
    case FILTER_UNEQUAL: return a != b;
    case FILTER_BELOW: return a < b;
    case FILTER_AT_MOST: return a <= b;
    case FILTER_ABOVE: return a > b;
    default: return a >= b;
    }
}

static bool holds_number(enum filter_sign sign, uint64_t a, uint64_t b)
{
    return holds(sign, a < b ? -1.0 : a > b ? 1.0 : 0.0, 0.0);
}

static bool compare(const struct filter_node *n, const struct filter_subject *s)
{
    switch (n->field) {
    case FILTER_TASK: return *s->task && !strcmp(s->task, n->task) == (n->sign == FILTER_EQUAL);
    case FILTER_CLASS: return !!(s->class & n->number) == (n->sign == FILTER_EQUAL);
    case FILTER_MODE: return s->mode_told && holds_number(n->sign, s->mode, n->number);
    case FILTER_ARGUMENT: return s->argument_told && holds_number(n->sign, s->argument, n->number);
    case FILTER_TIME: return s->time_told && holds(n->sign, s->time, n->seconds);
    default: return s->duration_told && holds(n->sign, s->duration, n->seconds);
    }
}

/* Operands stand before their operator. */
bool item_filter_matches(const struct item_filter *f, const struct filter_subject *s)
{
    bool value[FILTER_NODES];

    for (unsigned i = 0; i < f->nodes; i++) {
        const struct filter_node *n = &f->node[i];

        value[i] = n->kind == FILTER_COMPARISON ? compare(n, s) : n->kind == FILTER_NOT ? !value[n->left] :
                   n->kind == FILTER_AND ? value[n->left] && value[n->right] : value[n->left] || value[n->right];
    }
    return !f->nodes || value[f->nodes - 1];
}
