/* SPDX-License-Identifier: MIT */
/*
 * The text of a class tree, cut into its statements:
 *
 *   [CLASS =] [PARENT .] NAME : else | KEY = [!] VALUE [/ VALUE]... [+ KEY = ...]... [@ ATTRIBUTE]
 *
 * Commas and line ends separate statements, blanks mean nothing, `#` begins a comment up to the end
 * of its line.  Nothing is looked up here.  Any context.
 */
#pragma once

#include "probe/text/refusal.h"
#include "probe/text/text_span.h"

#define CLASS_TERMS 6 /* conditions of one statement: one for each property of a state */

/* KEY = VALUE / VALUE, or with `not` KEY = ! VALUE / VALUE: none of them. */
struct class_term {
    struct span key, values;
    bool not;
};

/* One statement; spans point into the text. */
struct class_statement {
    struct span name, class, parent, attribute; /* empty where absent, but never the name */
    bool otherwise; /* the condition is `else` */
    struct class_term term[CLASS_TERMS];
    unsigned terms;
};

/* Where in a text one reads. */
struct class_text {
    const char *begin, *at, *end;
};

/* Begin at the start of a text. */
struct class_text class_text_open(struct span text);

/*
 * Read the next statement.  False at the end of the text, or at a statement that is none: *why is
 * then set, with line and column; its reason is NULL at the end.
 */
bool class_text_next(struct class_text *text, struct class_statement *to, struct refusal *why);

/* The next of a term's values, and *values past it; false where none is left. */
bool class_text_value(struct span *values, struct span *value);

/*
 * Refuse `what`, a part of the text: %1 and %2 in the reason are its line and column, %3 what it is, %4 another
 * part of the text.  False.
 */
bool class_text_refuse(struct class_text text, struct span what, const char *reason, struct span other,
                       struct refusal *why);
