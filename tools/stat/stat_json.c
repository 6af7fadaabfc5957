/* SPDX-License-Identifier: MIT */
/*
 * The table as JSON, schema cpuprobe-stat-1: docs/JSON.md has each member.
 * What was not measured is null.
 */
#include "tools/stat/stat_json.h"

#include "tools/analysis/load_json.h"
#include "tools/analysis/plausible.h"
#include "tools/base/json_value.h"
#include "tools/json/record_json.h"
#include "tools/stat/stat_json_parts.h"
#include "tools/view/callers_view.h"
#include "tools/view/procstat_json.h"

static void put(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value);
}

static const char *interval_name(const struct stat_report *r)
{
    if (r->options->wald)
        return "wald";
    return r->options->estimator.reason ? NULL : config_value_name(&r->epoch->words, CONFIG_INTERVAL);
}

static void append(void *context, const char *sentence)
{
    json_array_append_new(context, json_text_or_null(sentence));
}

/* What cannot be of a table. */
static json_t *unsound(const struct epoch *e)
{
    json_t *sentences = json_array();

    plausible_table(e, append, sentences);
    return sentences;
}

/* The members for one source. */
static void put_table(json_t *root, const struct stat_report *r)
{
    const struct epoch *e = r->epoch;

    put(root, "words", json_text_or_null(e->has_hello ? e->hello.words.bytes : NULL));
    put(root, "policy", stat_json_policy(e));
    put(root, "interval", json_text_or_null(interval_name(r)));
    put(root, "interval_reason",
        json_text_or_null(r->options->wald ? NULL : r->options->estimator.reason));
    stat_json_put_losses(root, r);
    stat_json_put_window(root, r);
    put(root, "tasks", stat_json_rows(r));
    put(root, "modes", stat_json_modes(r));
    put(root, "unsound", unsound(e));
}

static json_t *beside(const struct stat_report *r)
{
    json_t *object;

    if (!r->second_source)
        return json_null();
    object = json_object();
    put_table(object, r->second_source);
    return object;
}

json_t *stat_json_object(const struct stat_report *r)
{
    const struct epoch *e = r->epoch;
    json_t *root = json_object();

    put(root, "schema", json_text_or_null("cpuprobe-stat-1"));
    put(root, "complete", json_boolean(epoch_complete(e)));
    put(root, "epoch", stat_json_epoch(r));
    put_table(root, r);
    put(root, "beside", beside(r));
    put(root, "alias", stat_json_alias(r->alias));
    put(root, "callers", callers_json(e));
    put(root, "stacks", stack_walks_json(&e->stacks.walks));
    put(root, "procstat", procstat_json_whole(e));
    put(root, "idletask", idle_task_json(e));
    put(root, "perfcall", perf_call_json(e));
    put(root, "proctable", process_table_json_last(e));
    put(root, "profil", stat_json_profils(e));
    put(root, "faults", stat_json_faults(e));
    put(root, "reports", stat_json_reports(e));
    put(root, "texts", stat_json_texts(e));
    put(root, "events", stat_json_events(e));
    put(root, "damage", stat_json_damage(r));
    return root;
}

void stat_json(const struct stat_report *r)
{
    json_print(stat_json_object(r), JSON_INDENT(1) | JSON_REAL_PRECISION(STAT_JSON_DIGITS));
}
