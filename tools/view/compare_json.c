/* SPDX-License-Identifier: MIT */
/* `compare --json`: one object, schema cpuprobe-compare-1 (docs/JSON.md).  What is not known is null. */
#include <jansson.h>
#include <math.h>

#include "tools/base/json_value.h"
#include "tools/view/compare_view.h"

static json_t *shares(const struct compare_monitor *m)
{
    json_t *const all = json_array();

    for (size_t i = 0; i < m->rows; i++) {
        json_t *const row = json_object();

        json_object_set_new(row, "name", json_text_or_null(m->row[i].name));
        json_object_set_new(row, "total", json_finite(m->row[i].total));
        for (unsigned mode = 0; mode < MODES; mode++)
            json_object_set_new(row, mode_name(mode), json_finite(m->row[i].percent[mode]));
        json_array_append_new(all, row);
    }
    return all;
}

static json_t *usages(const struct compare *c, const struct compare_monitor *m)
{
    json_t *const all = json_object();

    for (enum compare_usage usage = 0; usage < USAGES; usage++) {
        const struct compare_answer answer = compare_answer(c, m, usage);

        json_object_set_new(all, compare_usage_name(usage),
                            json_pack("{s:b, s:o}", "solved", answer.solved, "error",
                                      answer.solved ? json_finite(answer.error) : json_null()));
    }
    return all;
}

static json_t *monitor(const struct compare *c, const struct compare_monitor *m, const struct compare_settings *how)
{
    json_t *const o = json_object();

    json_object_set_new(o, "file", json_text_or_null(m->from->path));
    json_object_set_new(o, "place", json_string(m->hardware ? "hardware" : "software"));
    json_object_set_new(o, "monitor", json_text_or_null(m->name));
    json_object_set_new(o, "truth", json_boolean(m == c->truth));
    json_object_set_new(o, "step", json_finite(m->step));
    json_object_set_new(o, "points", json_finite(m->points));
    json_object_set_new(o, "off", json_finite(m->off));
    json_object_set_new(o, "mean", json_finite(m->mean));
    json_object_set_new(o, "worst", isnan(m->off) ? json_null() : json_text_or_null(m->worst));
    json_object_set_new(o, "bytes_per_second", json_finite(m->bytes));
    json_object_set_new(o, "line_percent", json_finite(compare_line_percent(m, how)));
    json_object_set_new(o, "memory_seconds", json_finite(compare_duration(m, how)));
    json_object_set_new(o, "handler", json_finite(m->handler));
    json_object_set_new(o, "slows", json_finite(m->slows));
    json_object_set_new(o, "records", json_finite(m->records));
    json_object_set_new(o, "entropy", json_finite(m->entropy));
    json_object_set_new(o, "each", json_finite(m->each));
    json_object_set_new(o, "instructions", json_finite(compare_instructions(c, m)));
    json_object_set_new(o, "tasks", shares(m));
    json_object_set_new(o, "usages", usages(c, m));
    return o;
}

void compare_print_json(const struct compare *c, const struct compare_settings *how)
{
    json_t *const root = json_object(), *const all = json_array();

    for (size_t i = 0; i < c->monitors; i++)
        json_array_append_new(all, monitor(c, &c->monitor[i], how));
    json_object_set_new(root, "schema", json_string("cpuprobe-compare-1"));
    json_object_set_new(root, "line", json_finite(how->line));
    json_object_set_new(root, "memory", json_finite(how->memory));
    json_object_set_new(root, "monitors", all);
    json_print(root, JSON_INDENT(2));
}
