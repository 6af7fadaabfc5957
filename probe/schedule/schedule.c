/* SPDX-License-Identifier: MIT */
/*
 * The table of the interval policies, and the code that they share
 * (docs/ACCOUNTING.md, "The schedule").
 */
#include "probe/schedule/schedule.h"

#include "probe/schedule/rng_draw.h"

/* Twice this many counts fit into the 2^32 of draw_below(). */
#define MEAN_MAX (1ull << 31)
/* Bound of carry and second: a stratum and the overrun of the minimum are each below 2^32 counts. */
#define LEFT_MAX ((int64_t)1 << 40)
#define CROWD 4096u /* points */
/* Bound of the words drawn from a keyed generator: 140 years at 500000 Hz and two words per tick. */
#define DRAWN_MAX ((uint64_t)1 << 52)

const struct policy *const interval_policies[INTERVALS] = {
    [INTERVAL_STRATIFIED] = &policy_stratified,
    [INTERVAL_RANDOM] = &policy_random,
    [INTERVAL_EXPONENTIAL] = &policy_exponential,
    [INTERVAL_NARROW] = &policy_narrow,
    [INTERVAL_FIXED] = &policy_fixed,
    [INTERVAL_ARITHMETIC] = &policy_arithmetic,
};

const char *schedule_init(struct schedule *s, const struct schedule_request *request)
{
    *s = (struct schedule){
        .policy = interval_policies[request->policy],
        .mean = request->mean,
        .minimum = request->minimum,
        .spread = request->spread,
        .keyed = request->rng == RNG_CHACHA8,
        .seed = request->seed,
        .generator = request->rng == RNG_CHACHA8 ? 0 : carta_start(request->seed),
    };
    if (s->spread > 2000)
        return "the spread is above twice the mean interval";
    if (s->mean >> 16 >= MEAN_MAX)
        return "the mean interval is 2^31 counts of the source or more";
    if (s->mean < (uint64_t)(s->minimum ? s->minimum : 1) << 16)
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

unsigned schedule_phase(const struct schedule *s)
{
    return s->policy->phase ? s->policy->phase(s) : (unsigned)s->begun + s->pair;
}

static void resume(struct schedule *s, unsigned phase)
{
    if (s->policy->resume) {
        s->policy->resume(s, phase);
    } else if (s->policy->pairing != PAIR_NEVER) {
        s->begun = phase > 0;
        s->pair = phase > 1;
    }
}

void schedule_save(const struct schedule *s, struct schedule_state *to)
{
    *to = (struct schedule_state){
        .generator = s->generator,
        .phase = schedule_phase(s),
        .fraction = s->fraction,
        .carry = s->carry,
        .second = s->second,
    };
}

static bool is_left(int64_t counts)
{
    return counts > -LEFT_MAX && counts < LEFT_MAX;
}

static bool is_generator(const struct schedule *s, uint64_t generator)
{
    return s->keyed ? generator < DRAWN_MAX : generator - 1 < CARTA_MODULUS - 1;
}

bool schedule_restore(struct schedule *s, const struct schedule_state *from)
{
    if (!is_generator(s, from->generator) || from->phase > 2 || from->fraction > 0xffff)
        return false;
    if (!is_left(from->carry) || !is_left(from->second))
        return false;
    s->generator = from->generator;
    s->fraction = (uint16_t)from->fraction;
    s->carry = from->carry;
    s->second = from->second;
    resume(s, (unsigned)from->phase);
    if (s->keyed && s->generator % CHACHA8_WORDS != 0)
        draw_block(s);
    return true;
}

unsigned schedule_crowded(const struct schedule *s, uint64_t handler)
{
    struct schedule draw = *s;
    uint64_t since = handler;
    unsigned dropped = 0;

    for (unsigned i = 0; i < CROWD; i++) {
        since += schedule_next(&draw);
        if (since < handler)
            dropped++;
        else
            since = 0;
    }
    return dropped * 1000 / CROWD;
}
