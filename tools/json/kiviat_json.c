/* SPDX-License-Identifier: MIT */
/* Makes an object an axis, with a value for each run. */
#include "tools/json/kiviat_json.h"

#include "tools/base/json_value.h"

#define KIVIAT_SHARE_MEMBERS(M, O)                                                  \
    M(REAL, percent, "the share, percent")                                          \
    M(REAL, low, "lower end of its 95 % interval")                                  \
    M(REAL, high, "upper end of its 95 % interval")
REPORT_OBJECT(kiviat_share, KIVIAT_SHARE_MEMBERS)

#define KIVIAT_AXIS_MEMBERS(M, O)                                                   \
    M(TEXT, name, "task, TASK:MODE, row, mode, or busy, late, missed, lost, monitor") \
    O(LIST, runs, kiviat_share, "its value in each run, in the order of files")
REPORT_OBJECT(kiviat_axis, KIVIAT_AXIS_MEMBERS)

#define KIVIAT_MEMBERS(M, O)                                                        \
    M(TEXTS, files, "the stream of each run")                                       \
    O(LIST, axes, kiviat_axis, "the axes, as asked for")
REPORT_WHOLE(kiviat_report, "cpuprobe-kiviat-1", KIVIAT_MEMBERS)

static json_t *axis(const struct kiviat *k, unsigned a)
{
    json_t *values = json_array();

    for (unsigned r = 0; r < k->runs; r++) {
        const struct kiviat_value *const v = &k->of[r][a];

        REPORT_ADD(values, kiviat_share, v->value, v->low, v->high);
    }
    return REPORT_MAKE(kiviat_axis, k->axis[a], values);
}

void kiviat_json(const struct kiviat *k)
{
    json_t *files = json_array(), *axes = json_array();

    for (unsigned r = 0; r < k->runs; r++)
        json_array_append_new(files, json_text_or_null(k->run[r]));
    for (unsigned a = 0; a < k->axes; a++)
        json_array_append_new(axes, axis(k, a));
    json_print(REPORT_MAKE(kiviat_report, files, axes), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
