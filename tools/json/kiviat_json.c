/* SPDX-License-Identifier: MIT */
/* An object an axis, with a value for each run. */
#include "tools/json/kiviat_json.h"

#include "tools/base/json_value.h"

static json_t *value(const struct kiviat_value *v)
{
    return json_pack("{so so so}", "percent", json_finite(v->value), "low", json_finite(v->low), "high", json_finite(v->high));
}

static json_t *axis(const struct kiviat *k, unsigned a)
{
    json_t *values = json_array();

    for (unsigned r = 0; r < k->runs; r++)
        json_array_append_new(values, value(&k->of[r][a]));
    return json_pack("{so so}", "name", json_text_or_null(k->axis[a]), "runs", values);
}

void kiviat_json(const struct kiviat *k)
{
    json_t *files = json_array(), *axes = json_array();

    for (unsigned r = 0; r < k->runs; r++)
        json_array_append_new(files, json_text_or_null(k->run[r]));
    for (unsigned a = 0; a < k->axes; a++)
        json_array_append_new(axes, axis(k, a));
    json_print(json_pack("{ss so so}", "schema", "cpuprobe-kiviat-1", "files", files, "axes", axes), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
