/* SPDX-License-Identifier: MIT */
/* Draws a tree with a share at each node, to the right (Thurner, figure 7).  For a terminal and as SVG. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct tree_node {
    char label[32];
    size_t parent; /* index; of node 0, the root, void.  A node stands behind its parent */
    double share;  /* 0 to 1 */
    bool leaf;
};

struct tree_chart {
    const char *title;
    const struct tree_node *node;
    size_t nodes; /* at most TREE_NODES */
};

#define TREE_NODES 128

void tree_chart_print(const struct tree_chart *t, FILE *out, bool ascii);

/* False, if it could not be written. */
bool tree_chart_svg(const struct tree_chart *t, FILE *out);
