/* SPDX-License-Identifier: MIT */
/* The value of classes=, read and written. */
#include "probe/config/class_spec.h"

#include "probe/schedule/memory.h"
#include "probe/trace/class_tree.h"

/* What stays one word in a line, and in HELLO. */
static bool is_printable(struct span value)
{
    for (size_t i = 0; i < value.length; i++)
        if (value.at[i] <= ' ' || value.at[i] > '~' || value.at[i] == '#')
            return false;
    return true;
}

bool class_spec_parse(struct class_spec *s, struct span value)
{
    if (value.length == 0 || value.length >= CLASS_VALUE_SIZE || !is_printable(value))
        return false;
    memset(s, 0, sizeof *s); /* values are compared whole */
    memcpy(s->text, value.at, value.length);
    return true;
}

void class_spec_put(struct text_buf *out, const struct class_spec *s)
{
    buf_text(out, s->text);
}

const char *class_spec_tree(const struct class_spec *s)
{
    return span_is(span_text(CLASS_SPEC_CELLS), s->text) ? class_tree_default : s->text;
}
