/* SPDX-License-Identifier: MIT */
/* Finds a word among choices, and names the nearest where it is none of them. */
#include "tools/base/choice.h"

#include <string.h>

#include "probe/text/nearest.h"

/* Offer each of "a|b|c". */
static void suggest_each(struct nearest *n, const char *names)
{
    for (size_t length; *names; names += length + (names[length] == '|')) {
        length = strcspn(names, "|");
        nearest_offer(n, (struct span){names, length});
    }
}

/* "a|b|c" as "a, b or c". */
static void in_words(const char *choices, char text[512])
{
    size_t length = 0;

    for (const char *c = choices; *c && length + 8 < 512; c++)
        if (*c == '|')
            length += (size_t)(stpcpy(text + length, strchr(c + 1, '|') ? ", " : " or ") - (text + length));
        else
            text[length++] = *c;
    text[length] = '\0';
}

unsigned suggest_choice(const char *text, const char *choices, const struct argp_state *state)
{
    struct nearest near = {.typed = span_text(text)};
    const size_t typed = strlen(text);
    unsigned index = 0;
    char all[512];

    for (const char *c = choices; *c; index++) {
        const size_t length = strcspn(c, "|");

        if (length == typed && !memcmp(c, text, length))
            return index;
        c += length + (c[length] == '|');
    }
    in_words(choices, all);
    suggest_each(&near, choices);
    if (near.name.length)
        argp_error(state, "'%s' is not a choice: %s; did you mean '%.*s'?", text, all, (int)near.name.length,
                   near.name.at);
    argp_error(state, "'%s' is not a choice: %s", text, all);
    return 0;
}
