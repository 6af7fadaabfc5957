/* SPDX-License-Identifier: MIT */
/* The values that the conditions of a class tree name, and conditions as sets of them. */
#include "probe/schedule/memory.h"
#include "probe/trace/class_compiler.h"

#define ALL UINT64_MAX

static const char *const field_name[CLASS_FIELDS] = { "mode", "masked", "task", "nest", "call", "event" };

/* ---- numbers ---- */

static uint32_t number_most(unsigned field)
{
    return field == CLASS_FIELD_NEST ? CLASS_NEST_MOST : CLASS_NUMBER_MOST;
}

/* The same as a range has it. */
static uint32_t shown_most(unsigned field)
{
    return number_most(field) + (field != CLASS_FIELD_NEST);
}

static bool read_bound(struct span s, uint32_t most, uint32_t *to)
{
    uint64_t number;

    if (!span_number_to(s, most, &number) || number > most)
        return false;
    *to = (uint32_t)number;
    return true;
}

/* N, A-B, A-, and for calls and events `none` or `any`: first and last, shifted by one where 0 stands for `none`. */
static bool read_range(unsigned field, struct span value, uint32_t *first, uint32_t *last)
{
    const bool shifted = field != CLASS_FIELD_NEST;
    const struct span low = span_until(value, '-');

    *first = *last = 0;
    if (shifted && span_is(value, "none"))
        return true;
    *last = number_most(field);
    if (!(shifted && span_is(value, "any"))) {
        if (!read_bound(low, *last, first))
            return false;
        if (low.length == value.length)
            *last = *first;
        else if (low.length + 1 < value.length && !read_bound(span_after(value, low.length + 1), *last, last))
            return false;
    }
    *first += shifted;
    *last += shifted;
    return *first <= *last;
}

static bool add_begin(struct class_numbers *all, uint32_t number)
{
    unsigned at = all->count;

    while (at > 0 && all->begin[at - 1] > number)
        at--;
    if (at > 0 && all->begin[at - 1] == number)
        return true;
    if (all->count == CLASS_VALUES)
        return false;
    for (unsigned i = all->count++; i > at; i--)
        all->begin[i] = all->begin[i - 1];
    all->begin[at] = number;
    return true;
}

/* ---- values, first pass: what has to be told apart ---- */

static bool add_task(struct class_compiler *c, struct span name)
{
    struct class_tree *t = c->tree;

    if (class_tree_task(t, name))
        return true;
    if (name.length >= CLASS_TASK)
        return class_refuse(c, name, "line %1, column %2: %3 is too long for a task's name");
    if (t->tasks == CLASS_VALUES - 1)
        return class_refuse(c, name, "line %1, column %2: a tree names at most 63 tasks");
    memcpy(t->task[t->tasks++], name.at, name.length);
    return true;
}

static bool add_number(struct class_compiler *c, unsigned field, struct span value)
{
    uint32_t first, last;

    if (!read_range(field, value, &first, &last))
        return class_refuse(c, value, "line %1, column %2: %3 is no number, no range A-B or A-, and not none or any");
    if (add_begin(&c->tree->number[field], first) &&
        (last == shown_most(field) || add_begin(&c->tree->number[field], last + 1)))
        return true;
    return class_refuse(c, value, "line %1, column %2: more bounds of numbers than a tree can tell apart, 63");
}

static bool field_of(struct class_compiler *c, struct span key, unsigned *field)
{
    for (*field = 0; *field < CLASS_FIELDS; ++*field)
        if (span_is(key, field_name[*field]))
            return true;
    return class_refuse(c, key, "line %1, column %2: %3 is none of mode masked task nest call event");
}

bool class_values_collect(struct class_compiler *c, const struct class_statement *s)
{
    struct span value;
    unsigned field;

    for (unsigned i = 0; i < s->terms; i++) {
        struct span values = s->term[i].values;

        if (!field_of(c, s->term[i].key, &field))
            return false;
        while (field >= CLASS_FIELD_TASK && class_text_value(&values, &value))
            if (!(field == CLASS_FIELD_TASK ? add_task(c, value) : add_number(c, field, value)))
                return false;
    }
    return true;
}

/* ---- values, second pass: sets ---- */

static bool mode_set(struct class_compiler *c, struct span value, uint64_t *set)
{
    for (unsigned m = 0; m < MODES; m++)
        if (span_is(value, mode_name((enum mode)m)))
            *set |= 1ull << m;
    if (span_is(value, "monitor"))
        *set |= 1ull << CLASS_MONITOR;
    return *set ||
           class_refuse(c, value, "line %1, column %2: %3 is no mode: user supervisor kernel interrupt monitor");
}

static bool masked_set(struct class_compiler *c, struct span value, uint64_t *set)
{
    *set = span_is(value, "no") ? 1 : span_is(value, "yes") ? 2 : 0;
    return *set || class_refuse(c, value, "line %1, column %2: %3 is neither yes nor no");
}

/* It was read in the first pass: it has a range. */
static uint64_t number_set(const struct class_tree *t, unsigned field, struct span value)
{
    uint64_t set = 0;
    uint32_t first, last;

    read_range(field, value, &first, &last);
    for (unsigned i = 0; i < t->number[field].count; i++)
        if (t->number[field].begin[i] >= first && t->number[field].begin[i] <= last)
            set |= 1ull << i;
    return set;
}

static bool value_set(struct class_compiler *c, unsigned field, struct span value, uint64_t *set)
{
    *set = 0;
    switch (field) {
    case CLASS_FIELD_MODE: return mode_set(c, value, set);
    case CLASS_FIELD_MASKED: return masked_set(c, value, set);
    case CLASS_FIELD_TASK: *set = 1ull << class_tree_task(c->tree, value); return true;
    default: *set = number_set(c->tree, field, value); return true;
    }
}

/* All values that a field has in this tree. */
static uint64_t full(const struct class_tree *t, unsigned field)
{
    return ALL >> (CLASS_VALUES - class_tree_values(t, field));
}

/* A field that is named twice has to fulfil both conditions. */
bool class_values_sets(struct class_compiler *c, const struct class_statement *s, uint64_t in[CLASS_FIELDS])
{
    for (unsigned i = 0; i < CLASS_FIELDS; i++)
        in[i] = full(c->tree, i);
    for (unsigned i = 0; i < s->terms; i++) {
        struct span values = s->term[i].values, value;
        uint64_t set, all = 0;
        unsigned field;

        field_of(c, s->term[i].key, &field);
        while (class_text_value(&values, &value)) {
            if (!value_set(c, field, value, &set))
                return false;
            all |= set;
        }
        in[field] &= s->term[i].not ? ~all : all;
    }
    return true;
}
