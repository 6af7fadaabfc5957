/* SPDX-License-Identifier: MIT */
/* The numbers of the table are those of `stat --json`, by the same function. */
#include "tools/report/report_page.h"

#include "probe/stream/version.h"
#include "tools/json/report_json.h"

struct shown { /* a run, while its data is made */
    struct stat_report_parts stat;
    struct code_tree code, calls;
    bool has_code, has_calls;
};

#define HEALTH_MEMBERS(M, O)                                                        \
    M(TEXT, name, "name of the record")                                             \
    M(TEXT, value, "its value")
REPORT_TUPLE(health, HEALTH_MEMBERS)

#define RUN_MEMBERS(M, O)                                                           \
    M(TEXT, file, "its name, without its folder")                                   \
    M(TEXT, title, "its note, else its programs (tasks=); null: its words tell neither") \
    O(OBJECT, trust, report_trust, "whether the numbers may be believed")           \
    M(ANY, stat, "the object of `cpuprobe stat --json`")                            \
    O(LIST, health, health, "each record about the machine")                        \
    O(OBJECT, lanes, report_lanes, "time lines")                                    \
    O(LIST_OR_NULL, classes, report_class, "by class of states (monitor=states); null: the image recorded none") \
    O(OBJECT, code, report_code, "samples by task, mode, function and line")        \
    O(OBJECT, range, report_range, "the same by time")                              \
    O(OBJECT, listings, report_listings, "the code of its functions, by instruction")   \
    O(OBJECT_OR_NULL, waits, report_waits, "who ran, was ready and slept (monitor=events); null: no events tell it") \
    O(OBJECT_OR_NULL, survey, machine, "the survey of the machine as `cpuprobe survey` tells it; null: there is none")
REPORT_OBJECT(run, RUN_MEMBERS)

#define REPORT_MEMBERS(M, O)                                                        \
    M(TEXT, tool, "version of the program")                                         \
    O(LIST, runs, run, "one or two runs")                                           \
    O(OBJECT_OR_NULL, compare, report_compare, "the comparison of two; null: there is one") \
    O(OBJECT, limits, report_limits, "what intervals of a part of the time are made with")
REPORT_WHOLE(report_data, "cpuprobe-report-1", REPORT_MEMBERS)

static json_t *health_json(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_HEALTH);
    json_t *array = json_array();

    for (size_t i = 0; i < s->row.count; i++) {
        const struct wire_health_row *const row = record_row(s, i);

        REPORT_ADD(array, health, row->name.bytes, row->value.bytes);
    }
    return array;
}

static const char *title_of(const struct epoch *e)
{
    if (!e->words_known)
        return NULL;
    if (e->words.note[0])
        return e->words.note;
    return config_given(&e->words, CONFIG_TASKS) ? e->words.tasks : NULL;
}

static json_t *run_json(const struct report_run *run, struct shown *s)
{
    const struct report_run *const single = run->single ? run->single : run;

    stat_report_make(&s->stat, run->stream, run->model, run->epoch);
    s->has_code = code_tree_make(&s->code, single->epoch, run->names);
    s->has_calls = s->has_code && report_calls_make(&s->calls, run);
    return REPORT_MAKE(run, .file = run->name, .title = title_of(run->epoch),
                       .trust = report_trust_json(run, &s->stat.whole),
                       .stat = stat_json_object(&s->stat.whole), .health = health_json(run->epoch),
                       .lanes = report_lanes_json(single), .classes = report_classes_json(single),
                       .code = report_code_json(s->has_code ? &s->code : NULL, s->has_calls ? &s->calls : NULL),
                       .range = report_range_json(single, s->has_code ? &s->code : NULL),
                       .listings = report_listings_json(single, s->has_code ? &s->code : NULL),
                       .waits = report_waits_json(single),
                       .survey = survey_json(run->epoch));
}

static json_t *compare(const struct shown *s)
{
    const struct report_side a = {&s[0].stat.whole, s[0].has_code ? &s[0].code : NULL},
                             b = {&s[1].stat.whole, s[1].has_code ? &s[1].code : NULL};

    return report_compare_json(&a, &b);
}

json_t *report_data_json(const struct report_run *run, unsigned runs)
{
    struct shown shown[REPORT_RUNS];
    json_t *array = json_array(), *all;

    for (unsigned i = 0; i < runs; i++)
        json_array_append_new(array, run_json(&run[i], &shown[i]));
    all = REPORT_MAKE(report_data, .tool = "cpuprobe " CPUPROBE_VERSION, .runs = array,
                      .compare = runs == REPORT_RUNS ? compare(shown) : NULL,
                      .limits = report_limits_json());
    for (unsigned i = 0; i < runs; i++) {
        if (shown[i].has_code)
            code_tree_free(&shown[i].code);
        if (shown[i].has_calls)
            code_tree_free(&shown[i].calls);
    }
    return all;
}
