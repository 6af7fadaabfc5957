/* SPDX-License-Identifier: MIT */
/* The list of times, and what is told of it. */
#include "kernel/survey/time_list.h"

#include "kernel/lib/string.h"
#include "probe/survey/order_statistics.h"

uint64_t time_list[TIME_LIST];

static uint64_t less(uint64_t time, uint64_t grain)
{
    return time > grain ? time - grain : 0;
}

void time_list_add(struct survey *s, const char *name, unsigned count, uint64_t grain)
{
    const struct order_statistics o = order_statistics_of(time_list, count);

    if (s->times == SURVEY_TIMES)
        return;
    s->time[s->times++] = (struct wire_survey_times_row){
        .name = { name, string_length(name) }, .count = o.count, .median = less(o.median, grain), .most = less(o.most, grain),
        .worst = less(o.worst, grain),
    };
}
