/* SPDX-License-Identifier: MIT */
/*
 * Gives the static build functions that Debian 13's libdw.a calls and does not have: elfutils 0.192
 * keeps them in lib/eu-search.c, of which Debian packs no archive.  There they lock; this tool has one
 * thread.
 */
#include <search.h>
#include <stddef.h>

/* What elfutils knows of one; its lock follows. */
struct search_tree {
    void *root;
};

void *eu_tsearch(const void *key, struct search_tree *tree, int (*compare)(const void *, const void *))
{
    return tsearch(key, &tree->root, compare);
}

void *eu_tfind(const void *key, struct search_tree *tree, int (*compare)(const void *, const void *))
{
    return tfind(key, &tree->root, compare);
}

void *eu_tdelete(const void *key, struct search_tree *tree, int (*compare)(const void *, const void *))
{
    return tdelete(key, &tree->root, compare);
}

void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *))
{
    tdestroy(tree->root, free_node);
    tree->root = NULL;
}

void eu_search_tree_init(struct search_tree *tree)
{
    tree->root = NULL;
}

void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *))
{
    eu_tdestroy(tree, free_node);
}
