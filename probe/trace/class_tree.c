/* SPDX-License-Identifier: MIT */
/* A compiled class tree: the values of a state's properties. */
#include "probe/trace/class_tree.h"

#define HOLE_STEPS 200000u /* of a search for a hole: some milliseconds */

const char class_tree_default[] =
    "0=user:mode=user+masked=no@task,1=user-off:mode=user+masked=yes@task,"
    "2=supervisor:mode=supervisor+masked=no@task,3=supervisor-off:mode=supervisor+masked=yes@task,"
    "4=kernel:mode=kernel+masked=no@task,5=kernel-off:mode=kernel+masked=yes@task,"
    "6=interrupt:mode=interrupt+masked=no@task,7=interrupt-off:mode=interrupt+masked=yes@task,"
    "8=monitor:mode=monitor";

char class_letter(unsigned code)
{
    return code < CLASS_CODES ? "0123456789abcdefghijklmnopqrstuvRP"[code] : '?';
}

const char *class_tree_name(const struct class_tree *tree, unsigned code)
{
    if (code == CLASS_REST || code == CLASS_PAUSE)
        return code == CLASS_REST ? "REST" : "PAUSE";
    for (unsigned i = 1; i < tree->nodes; i++)
        if (!tree->node[i].inner && tree->node[i].code == code)
            return tree->node[i].name;
    return "";
}

unsigned class_tree_task(const struct class_tree *tree, struct span name)
{
    for (unsigned i = 0; i < tree->tasks; i++)
        if (span_is(name, tree->task[i]))
            return i + 1;
    return 0;
}

unsigned class_tree_number(const struct class_tree *tree, enum class_field field, uint32_t number)
{
    const struct class_numbers *all = &tree->number[field];
    const uint32_t most = field == CLASS_FIELD_NEST ? CLASS_NEST_MOST : CLASS_NUMBER_MOST;
    const uint32_t shown = number == CLASS_NONE ? 0 : (number > most ? most : number) + (field != CLASS_FIELD_NEST);
    unsigned low = 0, high = all->count;

    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;

        if (all->begin[middle] <= shown)
            low = middle;
        else
            high = middle;
    }
    return low;
}

unsigned class_tree_values(const struct class_tree *tree, enum class_field field)
{
    switch (field) {
    case CLASS_FIELD_MODE: return CLASS_MONITOR + 1;
    case CLASS_FIELD_MASKED: return 2;
    case CLASS_FIELD_TASK: return tree->tasks + 1;
    default: return tree->number[field].count;
    }
}

bool class_tree_asks(const struct class_tree *tree, enum class_field field)
{
    for (unsigned v = 1; v < class_tree_values(tree, field); v++)
        if (tree->match[field][v] != tree->match[field][0])
            return true;
    return false;
}

/* ---- holes ---- */

struct hole_search {
    const struct class_tree *tree;
    unsigned *value;
    uint32_t steps;
};

/* Values of the fields from `field` on whose state falls to REST, given what the fields before leave open. */
static enum class_hole search(struct hole_search *s, unsigned field, uint64_t open)
{
    if (!(open & s->tree->rest))
        return CLASS_HOLE_NONE;
    if (field == CLASS_FIELDS)
        return class_tree_leaf(s->tree, open)->code == CLASS_REST ? CLASS_HOLE_FOUND : CLASS_HOLE_NONE;
    for (unsigned v = 0; v < class_tree_values(s->tree, field); v++) {
        enum class_hole found;

        if (++s->steps > HOLE_STEPS)
            return CLASS_HOLE_UNKNOWN;
        s->value[field] = v;
        found = search(s, field + 1, open & s->tree->match[field][v]);
        if (found != CLASS_HOLE_NONE)
            return found;
    }
    return CLASS_HOLE_NONE;
}

enum class_hole class_tree_hole(const struct class_tree *tree, unsigned value[CLASS_FIELDS])
{
    struct hole_search s = { .tree = tree, .value = value };

    return search(&s, 0, ~(CLASS_START | CLASS_STOP));
}
