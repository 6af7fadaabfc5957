/* SPDX-License-Identifier: MIT */
/* The two profiles as JSON, schema cpuprobe-profile-1: docs/JSON.md has each member. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "tools/base/json_value.h"
#include "tools/view/profile_json.h"

static json_t *share(const struct sampled_share *s)
{
    return json_pack("{so so so so}", "hits", json_count(s->hits), "percent", json_finite(s->percent), "low", json_finite(s->low),
                     "high", json_finite(s->high));
}

/* Times in seconds. */
static json_t *function(const struct profile_report *r, const struct call_profile_row *row)
{
    const double unit = r->hz > 0.0 ? 1.0 / r->hz : NAN;

    return json_pack("{ss? so sb sb sb so so so so so so so so}", "name", row->name, "address",
                     json_address(row->function), "counted", row->counted, "instrumented",
                     row->instrumented, "impossible", row->impossible, "calls", json_count(row->calls), "inclusive",
                     json_finite(row->inclusive * unit), "exclusive", json_finite(row->exclusive * unit), "net", json_finite(row->net * unit),
                     "percent", json_finite(row->share), "net_percent", json_finite(row->net_share), "sampled", share(&row->sampled),
                     "plain", share(&row->plain));
}

void profile_json(const struct profile_report *r)
{
    const struct wire_calls *const head = &r->calls->head;
    const double unit = r->hz > 0.0 ? 1.0 / r->hz : NAN;
    json_t *functions = json_array();
    json_t *all;

    for (size_t i = 0; i < r->profile->rows; i++)
        json_array_append_new(functions, function(r, &r->profile->row[i]));
    all = json_pack("{ss ss ss? so so so so so so so so so}", "schema", "cpuprobe-profile-1", "task", r->task, "beside",
                    r->plain, "since", json_finite((double)head->since * unit), "read", json_finite((double)head->time * unit), "ran",
                    json_finite((double)head->ran * unit), "call_cost", json_finite(r->profile->call_cost * unit), "cost_percent",
                    json_finite(r->profile->cost_share), "deep", json_count(head->deep), "lost", json_count(head->lost),
                    "missing", json_count(r->profile->missing), "functions", functions);
    json_print(all, JSON_INDENT(1));
}
