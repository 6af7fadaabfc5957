/* SPDX-License-Identifier: MIT */
/* Values of JSON that may be missing; output. */
#include "tools/base/json_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probe/coding/crc32.h"

#define LATELY 64

json_t *json_finite(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_count(uint64_t n)
{
    return n <= INT64_MAX ? json_integer((json_int_t)n) : json_real((double)n);
}

json_t *json_reals(const double *x, size_t count)
{
    json_t *const list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_finite(x[i]));
    return list;
}

json_t *json_counts(const uint64_t *n, size_t count)
{
    json_t *const list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_count(n[i]));
    return list;
}

json_t *json_address(uint64_t a)
{
    return json_sprintf("0x%" PRIx64, a);
}

/*
 * The names of thousands of rows are a few: a string that was made lately is given again.  Nobody changes a string.
 * The last ones are kept until the program ends.
 */
json_t *json_text_or_null(const char *text)
{
    static json_t *lately[LATELY];
    json_t **at, *made;

    if (!text)
        return json_null();
    at = &lately[crc32_update(0, text, strlen(text)) % LATELY];
    if (!*at || strcmp(json_string_value(*at), text) != 0) {
        made = json_string(text);
        if (!made)
            return json_null();
        json_decref(*at);
        *at = made;
    }
    return json_incref(*at);
}

void json_print(json_t *object, size_t flags)
{
    json_dumpf(object, stdout, flags);
    putchar('\n');
    json_decref(object);
}
