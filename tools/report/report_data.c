/* SPDX-License-Identifier: MIT */
/* The numbers of the table are those of `stat --json`, by the same function. */
#include "tools/report/report_data.h"

#include <stdbool.h>
#include <string.h>

#include "probe/stream/version.h"
#include "tools/base/json_value.h"
#include "tools/json/survey_json.h"
#include "tools/report/report_calls.h"
#include "tools/report/report_classes.h"
#include "tools/report/report_code.h"
#include "tools/report/report_compare.h"
#include "tools/report/report_lanes.h"
#include "tools/report/report_trust.h"
#include "tools/stat/stat_json.h"

struct shown { /* a run, while its data is made */
    struct stat_report_parts stat;
    struct code_tree code, calls;
    bool has_code, has_calls;
};

/* A page is sent to others: it does not tell the folders of its maker. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static json_t *health_json(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->health_count; i++)
        json_array_append_new(array, json_pack("[o, o]", json_text_or_null(e->health[i].name.bytes), json_text_or_null(e->health[i].value.bytes)));
    return array;
}

static json_t *run_json(const struct report_run *run, struct shown *s)
{
    stat_report_make(&s->stat, run->stream, run->model, run->epoch);
    s->has_code = code_tree_make(&s->code, run->epoch, run->names);
    s->has_calls = s->has_code && report_calls_make(&s->calls, run);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "file", json_text_or_null(file_name(run->path)), "trust",
                     report_trust_json(run, &s->stat.whole), "stat", stat_json_object(&s->stat.whole), "health", health_json(run->epoch),
                     "lanes", report_lanes_json(run), "classes", report_classes_json(run), "code",
                     report_code_json(s->has_code ? &s->code : NULL, s->has_calls ? &s->calls : NULL), "survey",
                     run->epoch->survey.told ? survey_json(run->epoch->survey.survey) : json_null());
}

static json_t *compare(const struct shown *s)
{
    const struct report_side a = {&s[0].stat.whole, s[0].has_code ? &s[0].code : NULL}, b = {&s[1].stat.whole, s[1].has_code ? &s[1].code : NULL};

    return report_compare_json(&a, &b);
}

json_t *report_data_json(const struct report_run *run, unsigned runs)
{
    struct shown shown[REPORT_RUNS];
    json_t *array = json_array(), *all;

    for (unsigned i = 0; i < runs; i++)
        json_array_append_new(array, run_json(&run[i], &shown[i]));
    all = json_pack("{s:s, s:s, s:o, s:o}", "schema", "cpuprobe-report-1", "tool", "cpuprobe " CPUPROBE_VERSION, "runs", array, "compare",
                    runs == REPORT_RUNS ? compare(shown) : json_null());
    for (unsigned i = 0; i < runs; i++) {
        if (shown[i].has_code)
            code_tree_free(&shown[i].code);
        if (shown[i].has_calls)
            code_tree_free(&shown[i].calls);
    }
    return all;
}
