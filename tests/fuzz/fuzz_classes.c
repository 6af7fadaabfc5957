/* SPDX-License-Identifier: MIT */
/* The text of a class tree.  What is compiled says of a state what a walk down the tree says. */
#include "tests/fuzz/fuzz.h"

#include "tests/host/class_walk.h"

static void check_sentence(const struct refusal *why)
{
    char sentence[REFUSAL_TEXT];
    size_t length = strnlen(refusal_text(why, sentence), REFUSAL_TEXT);

    FUZZ_CHECK(length > 0 && length < REFUSAL_TEXT - 1);
    for (size_t i = 0; i < length; i++)
        FUZZ_CHECK(sentence[i] >= ' ' && sentence[i] <= '~');
}

static void check_hole(const struct class_tree *tree)
{
    unsigned value[CLASS_FIELDS];

    if (class_tree_hole(tree, value) == CLASS_HOLE_FOUND)
        FUZZ_CHECK(class_walk(tree, value) == CLASS_REST);
}

static void check_tree(const char *text, size_t size)
{
    struct class_tree tree;
    struct refusal why;

    if (!class_tree_parse(&tree, (struct span){text, size}, &why)) {
        check_sentence(&why);
        return;
    }
    FUZZ_CHECK(tree.leaves && tree.leaves <= CLASS_NODES + 1);
    FUZZ_CHECK(class_walk_agrees(&tree));
    check_hole(&tree);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return fuzz_silence();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_text(data, size, check_tree);
}
