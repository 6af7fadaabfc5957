/* SPDX-License-Identifier: MIT */
/* The edit distance between two names, with three rows of its matrix at a time. */
#include "probe/text/nearest.h"

#include "probe/schedule/arithmetic.h"

unsigned nearest_distance(struct span a, struct span b)
{
    uint8_t row[3][NEAREST_LONGEST + 1]; /* no distance is above the length of the longer text */

    if (a.length > NEAREST_LONGEST || b.length > NEAREST_LONGEST)
        return NEAREST_LONGEST + 1;
    for (size_t j = 0; j <= b.length; j++)
        row[0][j] = (uint8_t)j;
    for (size_t i = 1; i <= a.length; i++) {
        uint8_t *const now = row[i % 3], *const before = row[(i + 2) % 3], *const two_before = row[(i + 1) % 3];

        now[0] = (uint8_t)i;
        for (size_t j = 1; j <= b.length; j++) {
            unsigned d = least_of(least_of(before[j], now[j - 1]) + 1u, before[j - 1] + (a.at[i - 1] != b.at[j - 1]));

            if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1])
                d = least_of(d, two_before[j - 2] + 1u);
            now[j] = (uint8_t)d;
        }
    }
    return row[a.length % 3][b.length];
}

void nearest_offer(struct nearest *n, struct span name)
{
    const size_t longer = n->typed.length > name.length ? n->typed.length : name.length;
    const unsigned distance = nearest_distance(n->typed, name);

    if (3 * (size_t)distance > longer || (n->name.length && distance >= n->distance))
        return;
    n->name = name;
    n->distance = distance;
}

void nearest_put(struct text_buf *out, struct span name)
{
    if (name.length == 0)
        return;
    buf_text(out, ", did you mean ");
    buf_quoted(out, name);
    buf_char(out, '?');
}
