/* SPDX-License-Identifier: MIT */
/*
 * The table of the interval policies and what they share
 * (docs/ACCOUNTING.md, "The schedule").
 */
#include "probe/schedule.h"

#include <stddef.h>

#include "probe/carta.h"

/* Twice this many counts still fit the generator's 2^32. */
#define MEAN_MAX (1ull << 31)
/* A stratum has less than 2^32 counts, and what the minimum overruns is less than that. */
#define LEFT_MAX ((int64_t)1 << 40)

static const struct policy *const policies[] = {
    &policy_stratified,
    &policy_random,
    &policy_fixed,
};

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const struct policy *policy_named(const char *name)
{
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        if (same(policies[i]->name, name))
            return policies[i];
    return NULL;
}

const char *schedule_init(struct schedule *s, const struct schedule_request *request)
{
    *s = (struct schedule){
        .policy = policy_named(request->policy),
        .generator = carta_start(request->seed),
        .mean = request->mean,
        .minimum = request->minimum ? request->minimum : 1,
        .spread = request->spread,
    };
    if (!s->policy)
        return "there is no interval policy of this name";
    if (s->spread > 2000)
        return "the spread is above twice the mean interval";
    if (s->mean >> 16 >= MEAN_MAX)
        return "the mean interval is 2^31 counts of the source or more";
    if (s->mean < (uint64_t)s->minimum << 16)
        return "the mean interval is shorter than the smallest count that fires in time";
    s->next = s->policy->next;
    return s->policy->prepare(s, request->handler);
}

uint64_t schedule_next(struct schedule *s)
{
    uint64_t interval = s->next(s);

    s->sum += interval;
    return interval;
}

void schedule_run(struct schedule *s, uint64_t *interval, unsigned count)
{
    if (s->policy->run) {
        s->policy->run(s, interval, count);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        interval[i] = s->next(s);
}

void schedule_save(const struct schedule *s, struct schedule_state *to)
{
    *to = (struct schedule_state){
        .generator = s->generator,
        .phase = s->policy->phase(s),
        .fraction = s->fraction,
        .carry = s->carry,
        .second = s->second,
    };
}

static bool is_left(int64_t counts)
{
    return counts > -LEFT_MAX && counts < LEFT_MAX;
}

bool schedule_restore(struct schedule *s, const struct schedule_state *from)
{
    if (from->generator - 1 >= CARTA_MODULUS - 1 || from->phase > 2 || from->fraction > 0xffff)
        return false;
    if (!is_left(from->carry) || !is_left(from->second))
        return false;
    s->generator = (uint32_t)from->generator;
    s->fraction = (uint16_t)from->fraction;
    s->carry = from->carry;
    s->second = from->second;
    s->policy->resume(s, (unsigned)from->phase);
    return true;
}
