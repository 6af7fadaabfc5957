/* SPDX-License-Identifier: MIT */
/* A tree with shares, drawn. */

#include "tools/draw/tree_chart.h"

#include <string.h>

#include "tools/draw/svg.h"

#define BAR     30    /* columns of a share of 1, in a terminal */
#define LABEL   34    /* columns of lines and label there */
#define ROW     26.0  /* px between two lines of a drawing */
#define LEVEL   150.0 /* px between two levels */
#define BOX     132.0 /* px of a node */
#define HIGH    20.0
#define STRIP   4.0   /* px of the share, at the lower edge of a node */
#define MARGIN  16.0
#define HEAD    34.0
#define SHARES  230.0 /* px for the bar and the number of a leaf */
#define PX_BAR  150.0

static bool is_last(const struct tree_chart *t, size_t node)
{
    for (size_t i = node + 1; i < t->nodes; i++)
        if (t->node[i].parent == t->node[node].parent)
            return false;
    return true;
}

static unsigned level_of(const struct tree_chart *t, size_t node)
{
    unsigned level = 0;

    for (; node != 0; node = t->node[node].parent)
        level++;
    return level;
}

/* The children of each node, depth first: order[] and how many. */
static size_t walk(const struct tree_chart *t, size_t node, size_t *order, size_t count)
{
    order[count++] = node;
    for (size_t i = 1; i < t->nodes; i++)
        if (t->node[i].parent == node)
            count = walk(t, i, order, count);
    return count;
}

/* ---- terminal ---- */

static void lines_above(const struct tree_chart *t, size_t node, char *text, size_t size, bool ascii)
{
    const bool last = is_last(t, node);

    if (node == 0)
        return;
    if (t->node[node].parent != 0) {
        size_t above[TREE_NODES], levels = 0;

        for (size_t up = t->node[node].parent; up != 0; up = t->node[up].parent)
            above[levels++] = up;
        while (levels--)
            strncat(text, is_last(t, above[levels]) ? "   " : ascii ? "|  " : "\u2502  ", size - strlen(text) - 1);
    }
    strncat(text, ascii ? last ? "`- " : "|- " : last ? "\u2514\u2500 " : "\u251c\u2500 ", size - strlen(text) - 1);
}

static void print_bar(FILE *out, double share, bool ascii)
{
    const unsigned columns = (unsigned)(share * BAR + 0.5);

    for (unsigned i = 0; i < columns && i <= BAR; i++)
        fputs(ascii ? "#" : "\u2588", out);
}

void tree_chart_print(const struct tree_chart *t, FILE *out, bool ascii)
{
    size_t order[TREE_NODES];
    const size_t count = walk(t, 0, order, 0);

    for (size_t i = 0; i < count; i++) {
        const struct tree_node *n = &t->node[order[i]];
        const int wide = LABEL - 3 * (int)level_of(t, order[i]);
        char lines[1024] = "";

        lines_above(t, order[i], lines, sizeof(lines), ascii);
        fprintf(out, "%s%-*s %8.3f %%  ", lines, wide < 1 ? 1 : wide, n->label, 100.0 * n->share);
        if (n->leaf)
            print_bar(out, n->share, ascii);
        fputc('\n', out);
    }
}

/* ---- SVG ---- */

/* Where the nodes' middles are: leaves on lines of their own, a branch in the middle of its children. */
static double place(const struct tree_chart *t, size_t node, double *y, double next)
{
    double first = -1.0, last = 0.0;

    for (size_t i = 1; i < t->nodes; i++)
        if (t->node[i].parent == node) {
            next = place(t, i, y, next);
            first = first < 0.0 ? y[i] : first;
            last = y[i];
        }
    y[node] = first < 0.0 ? next : (first + last) / 2;
    return first < 0.0 ? next + ROW : next;
}

static double left_of(const struct tree_chart *t, size_t node)
{
    return MARGIN + LEVEL * level_of(t, node);
}

static void draw_edge(const struct tree_chart *t, FILE *out, size_t node, const double *y)
{
    const size_t parent = t->node[node].parent;
    const double from = left_of(t, parent) + BOX, to = left_of(t, node), middle = (from + to) / 2;
    const struct svg_point point[] = {{from, y[parent]}, {middle, y[parent]}, {middle, y[node]}, {to, y[node]}};

    svg_polyline(out, point, 4, "axis");
}

static void draw_node(const struct tree_chart *t, FILE *out, size_t node, const double *y, double shares)
{
    const struct tree_node *n = &t->node[node];
    const double left = left_of(t, node), base = y[node] + 3.0;
    char share[32];

    svg_rect(out, (struct svg_box){left, y[node] + HIGH / 2 - STRIP, BOX * n->share, STRIP}, n->leaf ? "f0" : "f4");
    svg_polyline(out, (struct svg_point[]){{left, y[node] - HIGH / 2}, {left + BOX, y[node] - HIGH / 2},
                 {left + BOX, y[node] + HIGH / 2}, {left, y[node] + HIGH / 2}, {left, y[node] - HIGH / 2}}, 5,
                 "axis");
    svg_text(out, (struct svg_point){left + 6.0, base}, SVG_START, "text", n->label);
    if (!n->leaf)
        return;
    snprintf(share, sizeof(share), "%.3f %%", 100.0 * n->share);
    svg_rect(out, (struct svg_box){shares, y[node] - 5.0, PX_BAR * n->share, 10.0}, "f0");
    svg_text(out, (struct svg_point){shares + PX_BAR * n->share + 6.0, base}, SVG_START, "small", share);
}

bool tree_chart_svg(const struct tree_chart *t, FILE *out)
{
    double y[TREE_NODES];
    const double bottom = place(t, 0, y, HEAD + ROW);
    unsigned deepest = 0;

    for (size_t i = 0; i < t->nodes; i++)
        deepest = level_of(t, i) > deepest ? level_of(t, i) : deepest;
    svg_begin(out, 2 * MARGIN + LEVEL * (deepest + 1) + SHARES, bottom, t->title);
    svg_text(out, (struct svg_point){MARGIN, 22.0}, SVG_START, "title", t->title);
    for (size_t i = 1; i < t->nodes; i++)
        draw_edge(t, out, i, y);
    for (size_t i = 0; i < t->nodes; i++)
        draw_node(t, out, i, y, MARGIN + LEVEL * (deepest + 1));
    return svg_end(out);
}
