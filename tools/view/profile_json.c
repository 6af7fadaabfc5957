/* SPDX-License-Identifier: MIT */
/* The two profiles as JSON, schema cpuprobe-profile-1: docs/JSON.md has each member. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "tools/view/profile_json.h"

static json_t *real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* Beyond 2^63 as a real. */
static json_t *integer(uint64_t n)
{
    return n <= INT64_MAX ? json_integer((json_int_t)n) : json_real((double)n);
}

static json_t *share(const struct sampled_share *s)
{
    return json_pack("{so so so so}", "hits", integer(s->hits), "percent", real(s->percent), "low", real(s->low),
                     "high", real(s->high));
}

/* Times in seconds. */
static json_t *function(const struct profile_report *r, const struct call_profile_row *row)
{
    const double unit = r->hz > 0.0 ? 1.0 / r->hz : NAN;

    return json_pack("{ss? so sb sb sb so so so so so so so so}", "name", row->name, "address",
                     json_sprintf("0x%" PRIx64, row->function), "counted", row->counted, "instrumented",
                     row->instrumented, "impossible", row->impossible, "calls", integer(row->calls), "inclusive",
                     real(row->inclusive * unit), "exclusive", real(row->exclusive * unit), "net", real(row->net * unit),
                     "percent", real(row->share), "net_percent", real(row->net_share), "sampled", share(&row->sampled),
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
                    r->plain, "since", real((double)head->since * unit), "read", real((double)head->time * unit), "ran",
                    real((double)head->ran * unit), "call_cost", real(r->profile->call_cost * unit), "cost_percent",
                    real(r->profile->cost_share), "deep", integer(head->deep), "lost", integer(head->lost),
                    "missing", integer(r->profile->missing), "functions", functions);
    json_dumpf(all, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(all);
}
