/* SPDX-License-Identifier: MIT */
/* Makes the JSON of the two profiles, schema cpuprobe-profile-1. */
#include "tools/view/profile_json.h"

#include <math.h>

#define SHARE_MEMBERS(M, O)                                                         \
    M(COUNT, hits, "samples in it")                                                 \
    M(REAL, percent, "their share, percent; null: not known")                       \
    M(REAL, low, "lower end of its 95 % interval, percent; null: there is none")    \
    M(REAL, high, "upper end of its 95 % interval, percent; null: there is none")
REPORT_OBJECT(share, SHARE_MEMBERS)

#define FUNCTION_MEMBERS(M, O)                                                      \
    M(TEXT, name, "name of the function; null: the address is in none")             \
    M(ADDRESS, address, "its address")                                              \
    M(FLAG, counted, "the program counted it")                                      \
    M(FLAG, instrumented, "it has the instrumentation; if it is not counted, it was never called") \
    M(FLAG, impossible, "its times contradict each other")                          \
    M(COUNT, calls, "calls")                                                        \
    M(REAL, inclusive, "time with what it called, s")                               \
    M(REAL, exclusive, "time without what it called, s")                            \
    M(REAL, net, "exclusive time without the instrumentation, s")                   \
    M(REAL, percent, "its share of the exclusive times, percent")                   \
    M(REAL, net_percent, "its share after the instrumentation was subtracted, percent") \
    O(OBJECT, sampled, share, "its share of the samples of the task in user mode")  \
    O(OBJECT, plain, share, "its share of the samples in user mode of the task without instrumentation")
REPORT_OBJECT(function, FUNCTION_MEMBERS)

#define PROFILE_MEMBERS(M, O)                                                       \
    M(TEXT, task, "name of the task that counted its calls")                        \
    M(TEXT, beside, "name of the task of --beside, without instrumentation; null: it was not given") \
    M(REAL, since, "when the program began to count, s since the image started; null: the clock is not known") \
    M(REAL, read, "when its table was read last, s since the image started")        \
    M(REAL, ran, "time of the task that was counted, s")                            \
    M(REAL, call_cost, "what the instrumentation of a call takes, s")               \
    M(REAL, cost_percent, "what that of all calls takes, percent of `ran`")         \
    M(COUNT, deep, "calls that were nested too deep: they are in no row")           \
    M(COUNT, lost, "calls of functions that had no room in the table: they are in no row") \
    M(COUNT, missing, "rows that did not arrive, or are more than a table has")     \
    O(LIST, functions, function, "every function of the program's file, and counted addresses in none; the program " \
                                 "counted their numbers itself")
REPORT_WHOLE(profile, "cpuprobe-profile-1", PROFILE_MEMBERS)

static json_t *share(const struct sampled_share *s)
{
    return REPORT_MAKE(share, .hits = s->hits, .percent = s->percent, .low = s->low, .high = s->high);
}

static json_t *function(const struct call_profile_row *row, double unit)
{
    return REPORT_MAKE(function, .name = row->name, .address = row->function, .counted = row->counted,
                       .instrumented = row->instrumented, .impossible = row->impossible, .calls = row->calls,
                       .inclusive = row->inclusive * unit, .exclusive = row->exclusive * unit, .net = row->net * unit,
                       .percent = row->share, .net_percent = row->net_share, .sampled = share(&row->sampled),
                       .plain = share(&row->plain));
}

json_t *profile_json(const struct profile_report *r)
{
    const struct wire_calls *const head = record_last(r->calls);
    const double unit = r->hz > 0.0 ? 1.0 / r->hz : NAN; /* seconds */
    json_t *functions = json_array();

    for (size_t i = 0; i < r->profile->rows; i++)
        json_array_append_new(functions, function(&r->profile->row[i], unit));
    return REPORT_MAKE(profile, .task = r->task, .beside = r->plain, .since = (double)head->since * unit,
                       .read = (double)head->time * unit, .ran = (double)head->ran * unit,
                       .call_cost = r->profile->call_cost * unit, .cost_percent = r->profile->cost_share,
                       .deep = head->deep, .lost = head->lost, .missing = r->profile->missing,
                       .functions = functions);
}

json_t *profile_json_counted(const struct epoch *e)
{
    const struct record_store *calls = NULL;
    json_t *list = NULL;

    while ((calls = record_store_next(&e->kept, WIRE_CALLS, calls))) {
        struct call_profile c;
        char name[NAME_SIZE];

        list = list ? list : json_array();
        epoch_name_of(e, record_head_id(calls), name);
        call_profile_make(&c, &(struct call_profile_sources){.calls = calls});
        json_array_append_new(list, profile_json(&(struct profile_report){
            .profile = &c, .calls = calls, .task = name, .hz = (double)e->hello.clock_hz}));
        call_profile_free(&c);
    }
    return list;
}
