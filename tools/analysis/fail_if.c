/* SPDX-License-Identifier: MIT */
/* Conditions of --fail-if: parsed from a text and tested on a row. */
#include "tools/analysis/fail_if.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

/* Decimal digits only: no "inf", no "0x1", nothing after them. */
static bool read_points(const char *text, double *points, bool *falls)
{
    const char *digits = text + (*text == '+' || *text == '-');
    char *end;

    if (!*digits || strspn(digits, "0123456789.") != strlen(digits))
        return false;
    *points = strtod(text, &end);
    *falls = *text == '-';
    return end != text && !*end;
}

/* Where the last " > " or " < " begins: a name may hold others, `operator<` or `a<b>`. */
static const char *find_sign(const char *text)
{
    for (const char *at = text + strlen(text); at > text; at--)
        if (at[0] == ' ' && (at[1] == '>' || at[1] == '<') && at[2] == ' ')
            return at;
    return NULL;
}

bool fail_if_parse(struct fail_condition *c, const char *text)
{
    const char *sign = find_sign(text), *number;
    bool less;

    *c = (struct fail_condition){.any = !strcmp(text, "any")};
    if (c->any)
        return true;
    if (!sign)
        return (*text == '+' || *text == '-') && read_points(text, &c->points, &c->falls);
    number = sign + 3 + strspn(sign + 3, " ");
    less = sign[1] == '<';
    /* A sign that contradicts the comparison, as in "NAME < +0.5", is a typing error. */
    if (!read_points(number, &c->points, &c->falls) || c->falls != less)
        return false;
    c->name = xrealloc_array(NULL, (size_t)(sign - text) + 1, 1);
    memcpy(c->name, text, (size_t)(sign - text));
    c->name[sign - text] = '\0';
    return true;
}

void fail_if_free(struct fail_condition *c)
{
    free(c->name);
    *c = (struct fail_condition){0};
}

bool fail_if_matches(const struct fail_condition *c, const struct share_diff_row *row)
{
    double points = 100 * row->difference;

    if (!row->significant || (c->name && strcmp(c->name, row->name)))
        return false;
    return c->any || (c->falls ? points < c->points : points > c->points);
}
