/* SPDX-License-Identifier: MIT */
/* The text of one survey is the image's own; of two, a line for each number. */
#include "tools/view/survey_view.h"

#include <stdio.h>

static void put_line(void *context, const char *text)
{
    (void)context;
    puts(text);
}

void survey_view_print(const struct survey *s)
{
    survey_print(s, put_line, NULL);
}

static const char *value_text(char text[48], const struct survey_value *v)
{
    if (!v->known)
        snprintf(text, 48, "-");
    else if (v->interval)
        snprintf(text, 48, "%.4g (%.4g to %.4g)", v->value, v->low, v->high);
    else
        snprintf(text, 48, "%.6g", v->value);
    return text;
}

void survey_view_compare(const struct survey_diff *d, const char *const path[2])
{
    unsigned differ = 0;

    printf("A: %s\nB: %s\n\n%-34s %32s %32s\n", path[0], path[1], "", "A", "B");
    for (unsigned i = 0; i < d->rows; i++) {
        const struct survey_diff_row *row = &d->row[i];
        char a[48], b[48];

        printf("%-34s %32s %32s%s\n", row->name, value_text(a, &row->of[0]), value_text(b, &row->of[1]),
               row->differ ? "  differ" : "");
        differ += row->differ;
    }
    printf("\n%u of the numbers that have intervals differ by more than these allow\n", differ);
}
