/* SPDX-License-Identifier: MIT */
/* `compare --json`: one object, schema cpuprobe-compare-1 (docs/JSON.md).  What is not known is null. */
#include <jansson.h>
#include <math.h>

#include "tools/view/compare_view.h"

static json_t *real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *text(const char *t)
{
    json_t *const string = json_string(t);

    return string ? string : json_null();
}

static json_t *shares(const struct compare_monitor *m)
{
    json_t *const all = json_array();

    for (size_t i = 0; i < m->rows; i++) {
        json_t *const row = json_object();

        json_object_set_new(row, "name", text(m->row[i].name));
        json_object_set_new(row, "total", real(m->row[i].total));
        for (unsigned mode = 0; mode < MODES; mode++)
            json_object_set_new(row, mode_name(mode), real(m->row[i].percent[mode]));
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
                                      answer.solved ? real(answer.error) : json_null()));
    }
    return all;
}

static json_t *monitor(const struct compare *c, const struct compare_monitor *m, const struct compare_settings *how)
{
    json_t *const o = json_object();

    json_object_set_new(o, "file", text(m->from->path));
    json_object_set_new(o, "place", json_string(m->hardware ? "hardware" : "software"));
    json_object_set_new(o, "monitor", text(m->name));
    json_object_set_new(o, "truth", json_boolean(m == c->truth));
    json_object_set_new(o, "step", real(m->step));
    json_object_set_new(o, "points", real(m->points));
    json_object_set_new(o, "off", real(m->off));
    json_object_set_new(o, "mean", real(m->mean));
    json_object_set_new(o, "worst", isnan(m->off) ? json_null() : text(m->worst));
    json_object_set_new(o, "bytes_per_second", real(m->bytes));
    json_object_set_new(o, "line_percent", real(compare_line_percent(m, how)));
    json_object_set_new(o, "memory_seconds", real(compare_duration(m, how)));
    json_object_set_new(o, "handler", real(m->handler));
    json_object_set_new(o, "slows", real(m->slows));
    json_object_set_new(o, "tasks", shares(m));
    json_object_set_new(o, "usages", usages(c, m));
    return o;
}

bool compare_print_json(const struct compare *c, const struct compare_settings *how)
{
    json_t *const root = json_object(), *const all = json_array();
    bool written;

    for (size_t i = 0; i < c->monitors; i++)
        json_array_append_new(all, monitor(c, &c->monitor[i], how));
    json_object_set_new(root, "schema", json_string("cpuprobe-compare-1"));
    json_object_set_new(root, "line", real(how->line));
    json_object_set_new(root, "memory", real(how->memory));
    json_object_set_new(root, "monitors", all);
    written = json_dumpf(root, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(root);
    return written;
}
