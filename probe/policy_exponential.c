/* SPDX-License-Identifier: MIT */
/*
 * A Poisson process, as near as a timer comes to one: McCanne and Torek, "A
 * Randomized Sampling Clock for CPU Utilization Estimation and Code Profiling",
 * section 2.1.  Cut off below at the smallest count m and above at m + 8 (T - m):
 * what stands over m is exponential, drawn only where it is at most 8 times its
 * own mean, and its scale makes the mean T.
 */
#include <stddef.h>

#include "probe/draw.h"
#include "probe/schedule.h"

/*
 * With u uniform on (exp(-L), 1], -ln(u) is exponential and at most L; that is 8
 * times its mean 1 - L exp(-L)/(1 - exp(-L)) where L is 7.978108.  u is counted in
 * 1/2^32, logarithms are binary, in 1/2^28.
 */
#define U_LEAST 1472691u    /* exp(-L) */
#define U_RANGE ((1ull << 32) - U_LEAST)
#define LOG_BITS 28u

/* Of the numbers that minus_log() gives, over all 2^32 u: they make the mean right to 1e-9. */
#define MEAN_INVERSE 2985183148u /* 2^32 over their mean in ones, 1.438761738510 */
#define VARIANCE     4224174679u /* over their mean squared, 1/2^32: 0.983517309497 */

#define SEGMENTS 64u
#define SEGMENT_BITS 25u /* of a number of 31 bits below its leading one, those within a segment */

/* log2(1 + i/64): straight lines between are 4.4e-5 off at most. */
static const uint32_t logs[SEGMENTS + 1] = {
            0,   6004314,  11916956,  17740682,  23478128,  29131812,  34704146,  40197436,
     45613895,  50955642,  56224710,  61423050,  66552535,  71614967,  76612075,  81545524,
     86416915,  91227790,  95979635, 100673881, 105311906, 109895043, 114424574, 118901739,
    123327736, 127703720, 132030810, 136310086, 140542592, 144729341, 148871311, 152969450,
    157024676, 161037877, 165009917, 168941631, 172833830, 176687300, 180502803, 184281082,
    188022855, 191728821, 195399659, 199036029, 202638571, 206207910, 209744651, 213249385,
    216722687, 220165114, 223577211, 226959507, 230312520, 233636750, 236932689, 240200814,
    243441591, 246655472, 249842902, 253004311, 256140122, 259250745, 262336582, 265398025,
    268435456,
};

/* -log2(u / 2^32), for u > 0. */
static inline uint32_t minus_log(uint32_t u)
{
    const unsigned zeros = (unsigned)__builtin_clz(u);
    const uint32_t shifted = u << zeros;
    const uint32_t *log = &logs[shifted >> SEGMENT_BITS & (SEGMENTS - 1)];
    const uint32_t rest = shifted & ((1u << SEGMENT_BITS) - 1);
    const uint32_t more = (uint32_t)((uint64_t)(log[1] - log[0]) * rest >> SEGMENT_BITS);

    return ((zeros + 1) << LOG_BITS) - log[0] - more;
}

/* a * b >> shift, of a below 2^47: 64 bits do not hold the product. */
static inline uint64_t scale(uint64_t a, uint32_t b, unsigned shift)
{
    return ((uint32_t)a * (uint64_t)b >> shift) + ((a >> 32) * b << (32 - shift));
}

static const char *prepare(struct schedule *s, uint32_t handler)
{
    (void)handler;
    s->base = s->minimum;
    s->width = scale(s->mean - ((uint64_t)s->minimum << 16), MEAN_INVERSE, 32);
    return NULL;
}

/* Parts of a count are carried over: rounding does not change the mean. */
static uint64_t next(struct schedule *s)
{
    const uint32_t log = minus_log(U_LEAST + (uint32_t)draw_below(s, U_RANGE));
    const uint64_t exact = scale(s->width, log, LOG_BITS) + s->fraction;

    s->pair = s->begun;
    s->begun = true;
    s->fraction = (uint16_t)exact;
    return s->base + (exact >> 16);
}

static unsigned phase(const struct schedule *s)
{
    return (unsigned)s->begun + s->pair;
}

static void resume(struct schedule *s, unsigned phase)
{
    s->begun = phase > 0;
    s->pair = phase > 1;
}

const struct policy policy_exponential = {
    .name = "exponential",
    .pairing = PAIR_EACH,
    .prepare = prepare,
    .next = next,
    .phase = phase,
    .resume = resume,
    .variance = VARIANCE,
};
