/* SPDX-License-Identifier: MIT */
/*
 * The text of a class tree, or behind a first character '?' an expression and behind a line end the sequence that is
 * searched for it.  What is compiled says of a state what a walk down the tree says; hits are in order and not empty.
 */
#include "tests/fuzz/fuzz.h"

#include "tests/host/class_walk.h"
#include "tools/trace/class_match.h"
#include "tools/trace/class_sequence.h"

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

/* ---- expressions ---- */

static void check_hit(void *next, const struct class_hit *hit)
{
    FUZZ_CHECK(hit->runs && hit->runs <= CLASS_SPAN && hit->run[0].number >= *(uint64_t *)next);
    for (size_t i = 1; i < hit->runs; i++)
        FUZZ_CHECK(hit->run[i].number == hit->run[0].number + i);
    *(uint64_t *)next = hit->run[0].number + hit->runs;
}

static void search(struct class_match *m, const char *sequence, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (sequence[i] == '|')
            class_match_cut(m);
        else
            class_match_run(m, &(struct class_run){ .number = i, .code = (uint8_t)sequence[i] % CLASS_CODES });
    class_match_end(m);
}

static void check_expression(const char *text)
{
    const char *sequence = strchr(text, '\n');
    char *expression = strndup(text, sequence ? (size_t)(sequence - text) : strlen(text)), why[256] = "";
    uint64_t next = 0, at;
    struct class_match *m = class_match_new(expression, check_hit, &next, why, sizeof(why));

    FUZZ_CHECK(!m == (why[0] != '\0'));
    if (m) {
        if (sequence)
            search(m, sequence + 1, strlen(sequence + 1));
        class_match_given_up(m, &at);
    }
    class_match_free(m);
    free(expression);
}

static void check_text(const char *text, size_t size)
{
    if (*text == '?')
        check_expression(text + 1);
    else
        check_tree(text, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_text(data, size, check_text);
}
