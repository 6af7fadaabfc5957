/* SPDX-License-Identifier: MIT */
/* The tree of an option --classes. */
#include "tools/input/class_tree_input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/config/class_spec.h"
#include "probe/text/text_buf.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"

#define FILE_MOST 65536u /* bytes of a file: far more than 61 statements need */

static bool compile(struct class_tree *tree, const char *name, struct span text)
{
    struct refusal why;
    char sentence[REFUSAL_TEXT];

    if (class_tree_parse(tree, text, &why))
        return true;
    cli_error("%s: %s", name, refusal_text(&why, sentence));
    return false;
}

static bool read_file(struct class_tree *tree, const char *path)
{
    char *text = xrealloc_array(NULL, FILE_MOST + 1, 1);
    FILE *in = fopen(path, "r");
    size_t length = in ? fread(text, 1, FILE_MOST + 1, in) : 0;
    bool good = false;

    if (!in || ferror(in))
        cli_error("%s: %s", path, strerror(errno));
    else if (length > FILE_MOST)
        cli_error("%s: a tree has at most %u bytes", path, FILE_MOST);
    else
        good = compile(tree, path, (struct span){text, length});
    if (in)
        fclose(in);
    free(text);
    return good;
}

bool class_tree_input(struct class_tree *tree, const char *option)
{
    return *option == '@' ? read_file(tree, option + 1) : compile(tree, "--classes", span_text(option));
}

bool class_tree_of_image(struct class_tree *tree, const char *path, const struct epoch *e)
{
    if (e->words_known)
        return class_tree_input(tree, class_spec_tree(&e->words.classes));
    cli_error("%s: no HELLO arrived with the tree of its classes", path);
    return false;
}

/* ---- holes ---- */

static void put_value(struct text_buf *to, const struct class_tree *t, unsigned field, unsigned value)
{
    const bool shifted = field != CLASS_FIELD_NEST;

    switch (field) {
    case CLASS_FIELD_MODE: buf_text(to, value == CLASS_MONITOR ? "monitor" : mode_name((enum mode)value)); return;
    case CLASS_FIELD_MASKED: buf_text(to, value ? "yes" : "no"); return;
    case CLASS_FIELD_TASK: buf_text(to, value ? t->task[value - 1] : "(any other)"); return;
    default: break;
    }
    if (shifted && t->number[field].begin[value] == 0)
        buf_text(to, "none");
    else
        buf_number(to, t->number[field].begin[value] - shifted);
}

void class_tree_warn_hole(const struct class_tree *tree)
{
    static const char *const name[CLASS_FIELDS] = { " mode=", " masked=", " task=", " nest=", " call=", " event=" };
    unsigned value[CLASS_FIELDS];
    char text[256];
    struct text_buf to = TEXT_BUF(text);

    if (class_tree_hole(tree, value) != CLASS_HOLE_FOUND)
        return;
    for (unsigned f = 0; f < CLASS_FIELDS; f++)
        if (class_tree_asks(tree, (enum class_field)f)) {
            buf_text(&to, name[f]);
            put_value(&to, tree, f, value[f]);
        }
    cli_error("the tree has no class for some states, which are REST; one of them:%s", text);
}

bool class_tree_was_known(const char *path, const struct class_sequence *s)
{
    for (unsigned bit = 1; bit <= s->missing; bit *= 2)
        if (s->missing & bit)
            cli_error("%s: the tree asks for %s, which is not known of %" PRIu64 " states", path,
                      class_sequence_needs(bit), s->unknown);
    return !s->missing;
}
