/* SPDX-License-Identifier: MIT */
/* `compare --json`: one object, schema cpuprobe-compare-1 (docs/JSON.md).  What is not known is null. */
#include <jansson.h>
#include <math.h>

#include "tools/base/json_value.h"
#include "tools/compare/compare_view.h"

static json_t *shares(const struct compare_monitor *m)
{
    json_t *const all = json_array();

    for (size_t i = 0; i < m->rows; i++) {
        json_t *const row = json_pack("{s:o, s:o}", "name", json_text_or_null(m->row[i].name),
                                      "total", json_finite(m->row[i].total));

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
    return json_pack("{s:o, s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "file", json_text_or_null(m->from->path), "place", m->hardware ? "hardware" : "software",
                     "monitor", json_text_or_null(m->name), "truth", m == c->truth,
                     "step", json_finite(m->step), "points", json_finite(m->points),
                     "off", json_finite(m->off), "mean", json_finite(m->mean),
                     "worst", isnan(m->off) ? json_null() : json_text_or_null(m->worst),
                     "bytes_per_second", json_finite(m->bytes),
                     "line_percent", json_finite(compare_line_percent(m, how)),
                     "memory_seconds", json_finite(compare_duration(m, how)), "handler", json_finite(m->handler),
                     "slows", json_finite(m->slows), "records", json_finite(m->records),
                     "entropy", json_finite(m->entropy), "each", json_finite(m->each),
                     "instructions", json_finite(compare_instructions(c, m)), "tasks", shares(m),
                     "usages", usages(c, m));
}

void compare_print_json(const struct compare *c, const struct compare_settings *how)
{
    json_t *const all = json_array();

    for (size_t i = 0; i < c->monitors; i++)
        json_array_append_new(all, monitor(c, &c->monitor[i], how));
    json_print(json_pack("{s:s, s:o, s:o, s:o}", "schema", "cpuprobe-compare-1", "line", json_finite(how->line),
                         "memory", json_finite(how->memory), "monitors", all), JSON_INDENT(2));
}
