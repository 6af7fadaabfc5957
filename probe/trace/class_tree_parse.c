/* SPDX-License-Identifier: MIT */
/* The statements of a class tree's text made into nodes. */
#include "probe/schedule/memory.h"
#include "probe/trace/class_compiler.h"

static const char *const attribute_name[] = { "", "task", "number", "value" };

static bool is_trigger(struct span name)
{
    return span_is(name, "START") || span_is(name, "STOP");
}

/* ---- nodes ---- */

static unsigned node_named(const struct class_tree *t, struct span name)
{
    for (unsigned i = 1; i < t->nodes; i++)
        if (span_is(name, t->node[i].name))
            return i;
    return 0;
}

static bool read_class(struct class_compiler *c, struct span text, uint8_t *code)
{
    *code = CLASS_AUTOMATIC;
    for (unsigned i = 0; text.length == 1 && i < CLASS_COUNT; i++)
        if (*text.at == class_letter(i))
            *code = (uint8_t)i;
    return *code != CLASS_AUTOMATIC || text.length == 0 ||
           class_refuse(c, text, "line %1, column %2: %3 is no class: 0-9 or a-v, 32 in all");
}

static bool read_attribute(struct class_compiler *c, struct span text, uint8_t *attribute)
{
    for (*attribute = 0; *attribute <= CLASS_ATTRIBUTE_VALUE; ++*attribute)
        if (span_is(text, attribute_name[*attribute]))
            return true;
    return class_refuse(c, text, "line %1, column %2: %3 is no attribute: task number value");
}

static bool check_name(struct class_compiler *c, struct span name)
{
    if (name.length >= CLASS_NAME)
        return class_refuse(c, name, "line %1, column %2: %3 is longer than a name's 15 characters");
    if (span_is(name, "REST") || span_is(name, "PAUSE"))
        return class_refuse(c, name, "line %1, column %2: %3 is a class that every tree has");
    if (node_named(c->tree, name))
        return class_refuse(c, name, "line %1, column %2: %3 is there already");
    return c->tree->nodes <= CLASS_NODES ||
           class_refuse(c, name, "line %1, column %2: a tree has at most 61 statements");
}

static bool add_node(struct class_compiler *c, const struct class_statement *s)
{
    struct class_node *node = &c->tree->node[c->tree->nodes];

    if (!check_name(c, s->name) || !read_class(c, s->class, &node->code) ||
        !read_attribute(c, s->attribute, &node->attribute))
        return false;
    memcpy(node->name, s->name.at, s->name.length);
    node->otherwise = s->otherwise;
    c->name[c->tree->nodes] = s->name;
    c->parent[c->tree->nodes++] = s->parent;
    return true;
}

static bool add_trigger(struct class_compiler *c, const struct class_statement *s)
{
    bool *const has = span_is(s->name, "STOP") ? &c->tree->stops : &c->tree->starts;

    if (*has)
        return class_refuse(c, s->name, "line %1, column %2: %3 is there already");
    if (s->class.length || s->parent.length || s->attribute.length || s->otherwise)
        return class_refuse(c, s->name, "line %1, column %2: %3 has a condition only");
    *has = true;
    return true;
}

static bool first_pass(struct class_compiler *c)
{
    struct class_text text = c->text;
    struct class_statement s;

    while (class_text_next(&text, &s, c->why))
        if (!(is_trigger(s.name) ? add_trigger(c, &s) : add_node(c, &s)) || !class_values_collect(c, &s))
            return false;
    return !c->why->reason;
}

static bool second_pass(struct class_compiler *c)
{
    struct class_text text = c->text;
    struct class_statement s;
    unsigned node = 1;

    while (class_text_next(&text, &s, c->why)) {
        uint64_t *const in = is_trigger(s.name) ? c->trigger[span_is(s.name, "STOP")] : c->tree->node[node++].in;

        if (!class_values_sets(c, &s, in))
            return false;
    }
    return true;
}

bool class_tree_parse(struct class_tree *tree, struct span text, struct refusal *why)
{
    struct class_compiler c = { .tree = tree, .text = class_text_open(text), .why = why };

    *tree = (struct class_tree){ .nodes = 1 };
    for (unsigned field = CLASS_FIELD_NEST; field < CLASS_FIELDS; field++)
        tree->number[field].count = 1; /* begins at 0 */
    if (!first_pass(&c) || !second_pass(&c))
        return false;
    if (tree->nodes == 1)
        return REFUSE(why, "a tree without a class");
    return class_tree_link(&c);
}
