/* SPDX-License-Identifier: MIT */
/* The distance of Damerau and Levenshtein in its simple form: no part of a text is changed twice. */
#include "tools/base/suggest.h"

#include <stdint.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned suggest_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned row[3][SUGGEST_LONGEST + 1];

    if (a_length > SUGGEST_LONGEST || b_length > SUGGEST_LONGEST)
        return UINT16_MAX;
    for (size_t j = 0; j <= b_length; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *const now = row[i % 3], *const before = row[(i + 2) % 3], *const two_before = row[(i + 1) % 3];

        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], two_before[j - 2] + 1);
        }
    }
    return row[a_length % 3][b_length];
}

void suggest_offer(struct suggestion *s, const char *name, size_t length)
{
    const size_t typed = s->length ? s->length : strlen(s->typed);
    const unsigned distance = suggest_distance(s->typed, typed, name, length);

    if (3 * (size_t)distance > (typed > length ? typed : length) || (*s->best && distance >= s->distance))
        return;
    memcpy(s->best, name, length);
    s->best[length] = '\0';
    s->distance = distance;
}

void suggest_offer_each(struct suggestion *s, const char *names)
{
    for (size_t length; *names; names += length + (names[length] == '|')) {
        length = strcspn(names, "|");
        suggest_offer(s, names, length);
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
    struct suggestion near = {.typed = text};
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
    suggest_offer_each(&near, choices);
    if (*near.best)
        argp_error(state, "'%s' is not a choice: %s; did you mean '%s'?", text, all, near.best);
    argp_error(state, "'%s' is not a choice: %s", text, all);
    return 0;
}
