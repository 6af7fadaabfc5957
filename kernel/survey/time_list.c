/* SPDX-License-Identifier: MIT */
/* The list of times, and what is told of it. */
#include "kernel/survey/survey_parts.h"

#include "kernel/lib/string.h"
#include "probe/core/order_statistics.h"
#include "probe/core/timed.h"

uint64_t time_list[TIME_LIST];

void time_list_add(struct survey *s, const char *name, unsigned count, uint64_t grain)
{
    const struct order_statistics o = order_statistics_of(time_list, count);

    if (s->times == SURVEY_TIMES)
        return;
    s->time[s->times++] = (struct wire_survey_times_row){
        .name = { name, string_length(name) }, .count = o.count, .median = timed_beyond(o.median, grain),
        .most = timed_beyond(o.most, grain), .worst = timed_beyond(o.worst, grain),
    };
}
