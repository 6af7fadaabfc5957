/* SPDX-License-Identifier: MIT */
/* The tree of classes with its measured shares. */
#include <string.h>

#include "tools/draw/tree_chart.h"
#include "tools/view/states_report.h"

struct drawn {
    struct tree_chart chart;
    struct tree_node node[TREE_NODES];
    size_t at[CLASS_NODES + 1]; /* by number of the tree's node */
};

_Static_assert(TREE_NODES > 2 * (CLASS_NODES + 1), "room for each node, its REST, and PAUSE");

static size_t add(struct drawn *d, const char *label, size_t parent, int64_t time, const struct states *s)
{
    struct tree_node *n = &d->node[d->chart.nodes];

    snprintf(n->label, sizeof(n->label), "%s", label);
    n->parent = parent;
    n->share = s->total > 0 && time > 0 ? (double)time / (double)s->total : 0.0;
    n->leaf = true;
    return d->chart.nodes++;
}

static size_t add_code(struct drawn *d, unsigned code, const char *name, size_t parent, int64_t time,
                       const struct states *s)
{
    char label[32];

    snprintf(label, sizeof(label), "%c %s", class_letter(code), name);
    return add(d, label, parent, time, s);
}

/* The time in a node's own leaf. */
static int64_t time_of(const struct states *s, unsigned node)
{
    int64_t time = 0;

    for (unsigned i = 0; i < s->tree->leaves; i++)
        if (s->tree->leaf[i].node == node)
            time += s->sequence.leaf_time[i];
    return time;
}

/* Those below a node of the tree, then its REST where time fell to it. */
static void add_below(struct drawn *d, const struct states *s, unsigned node)
{
    const struct class_tree *t = s->tree;

    for (unsigned i = 1; i < t->nodes; i++) {
        if (t->node[i].parent != node)
            continue;
        d->at[i] = t->node[i].inner ? add(d, t->node[i].name, d->at[node], 0, s)
                                    : add_code(d, t->node[i].code, t->node[i].name, d->at[node], time_of(s, i), s);
        if (t->node[i].inner)
            add_below(d, s, i);
    }
    if (time_of(s, node) != 0)
        add_code(d, CLASS_REST, "REST", d->at[node], time_of(s, node), s);
}

/* A branch has the sum of what is below it.  Nodes stand behind their parents. */
static void sum_up(struct drawn *d)
{
    for (size_t i = d->chart.nodes; i-- > 1;) {
        d->node[d->node[i].parent].share += d->node[i].share;
        d->node[d->node[i].parent].leaf = false;
    }
}

static void make(struct drawn *d, const struct states *s, const char *title)
{
    memset(d, 0, sizeof(*d));
    d->chart.title = title;
    d->chart.node = d->node;
    add(d, "all", 0, 0, s);
    add_below(d, s, 0);
    if (s->sequence.pause_time)
        add_code(d, CLASS_PAUSE, "PAUSE", 0, s->sequence.pause_time, s);
    sum_up(d);
}

void states_print_tree(const struct states *s, bool ascii)
{
    struct drawn d;

    make(&d, s, "");
    tree_chart_print(&d.chart, stdout, ascii);
}

bool states_svg_tree(const void *states, FILE *out)
{
    const struct states *s = states;
    char title[160];
    struct drawn d;

    snprintf(title, sizeof(title), "Classes of states: %.100s%s%.20s", s->in->path, s->task ? ", " : "",
             s->task ? s->task : "");
    make(&d, s, title);
    return tree_chart_svg(&d.chart, out);
}
