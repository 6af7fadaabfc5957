/* SPDX-License-Identifier: MIT */
/*
 * The best approximation to a Poisson process that a timer allows: McCanne and Torek,
 * "A Randomized Sampling Clock for CPU Utilization Estimation and Code Profiling",
 * section 2.1.  An interval is the smallest count m plus an exponential part, which is
 * cut off at 8 times its own mean: at most m + 8 (T - m).  Its scale makes the mean T.
 */
#include <stddef.h>

#include "probe/schedule/arithmetic.h"
#include "probe/schedule/rng_draw.h"
#include "probe/schedule/schedule.h"

/*
 * With u uniform on (exp(-L), 1], -ln(u) is exponential and at most L; that is 8
 * times its mean 1 - L exp(-L)/(1 - exp(-L)) where L is 7.978108.  u is counted in
 * 1/2^32, logarithms are binary, in 1/2^28.
 */
#define U_LEAST 1472691u    /* exp(-L) */
#define U_RANGE ((1ull << 32) - U_LEAST)
#define LOG_BITS 28u

/* From the results of minus_log() for all 2^32 values of u: with these the mean is exact to 1e-9. */
#define MEAN_INVERSE 2985183148u /* 2^32 / mean; the mean is 1.438761738510 */
#define VARIANCE     4224174679u /* variance / mean^2 in 1/2^32: 0.983517309497 */

#define SEGMENTS 64u
#define SEGMENT_BITS 25u /* bits of the position within a segment, for a 32-bit number with bit 31 set */

/*
 * 1 - log2(x / 64) for x on [64, 128) as straight lines.  Each line is exact at both
 * ends of its segment; the largest error is 4.4e-5.
 */
static const struct line {
    uint32_t at_zero, fall; /* value at x = 0, and decrease per step of x */
} lines[SEGMENTS] = {
    {652711552, 6004314}, {646752872, 5912642}, {640884416, 5823726}, {635103656, 5737446},
    {629407840, 5653684}, {623794690, 5572334}, {618261610, 5493290}, {612806609, 5416459},
    {607427345, 5341747}, {602121778, 5269068}, {596887906, 5198340}, {591723781, 5129485},
    {586627753, 5062432}, {581597805, 4997108}, {576632403, 4933449}, {571729821, 4871391},
    {566888541, 4810875}, {562107111, 4751845}, {557383993, 4694246}, {552717650, 4638025},
    {548107058, 4583137}, {543550548, 4529531}, {539047072, 4477165}, {534595456, 4425997},
    {530194312, 4375984}, {525842746, 4327090}, {521539486, 4279276}, {517283416, 4232506},
    {513073772, 4186749}, {508909325, 4141970}, {504789211, 4098139}, {500712476, 4055226},
    {496678076, 4013201}, {492685459, 3972040}, {488733511, 3931714}, {484821526, 3892199},
    {480948626, 3853470}, {477113959, 3815503}, {473317111, 3778279}, {469556993, 3741773},
    {465833065, 3705966}, {462144625, 3670838}, {458491017, 3636370}, {454871421, 3602542},
    {451285497, 3569339}, {447732315, 3536741}, {444211545, 3504734}, {440722593, 3473302},
    {437264593, 3442427}, {433837303, 3412097}, {430439989, 3382296}, {427072444, 3353013},
    {423733616, 3324230}, {420423569, 3295939}, {417141517, 3268125}, {413887105, 3240777},
    {410659585, 3213881}, {407459014, 3187430}, {404284452, 3161409}, {401135898, 3135811},
    {398012586, 3110623}, {394914336, 3085837}, {391840692, 3061443}, {388791168, 3037431},
};

/* -log2(u / 2^32), for u > 0. */
static inline uint32_t minus_log(uint32_t u)
{
    const unsigned zeros = leading_zeros(u);
    const uint32_t x = u << zeros;
    const struct line *line = &lines[(size_t)(x >> SEGMENT_BITS) - SEGMENTS];

    return (zeros << LOG_BITS) + line->at_zero - (uint32_t)((uint64_t)line->fall * x >> SEGMENT_BITS);
}

/* a * b >> shift for a below 2^47: 64 bits cannot hold the product. */
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

/*
 * The part of the interval above the smallest count, 48.16, for a random number on
 * [0, U_RANGE).  `small`: the scale has 32 bits, so one multiplication is enough.
 */
static inline uint64_t over_base(uint64_t number, uint64_t width, bool small)
{
    const uint32_t log = minus_log(U_LEAST + (uint32_t)number);

    return small ? width * log >> LOG_BITS : scale(width, log, LOG_BITS);
}

/* The fraction of a count is carried over, so that rounding does not change the mean. */
static inline __attribute__((always_inline)) uint64_t step(struct schedule *s, uint64_t number, bool small)
{
    const uint64_t exact = over_base(number, s->width, small) + s->fraction;

    s->fraction = (uint16_t)exact;
    return s->base + (exact >> 16);
}

static inline __attribute__((always_inline)) uint64_t step_small(struct schedule *s, uint64_t number)
{
    return step(s, number, true);
}

static inline __attribute__((always_inline)) uint64_t step_any(struct schedule *s, uint64_t number)
{
    return step(s, number, false);
}

static uint64_t next(struct schedule *s)
{
    s->pair = s->begun;
    s->begun = true;
    return step_any(s, draw_below(s, U_RANGE));
}

static void run(struct schedule *restrict s, uint64_t *restrict interval, unsigned count)
{
    for (; count > 0 && !s->pair; count--) /* from the second interval on, each sample pairs */
        *interval++ = next(s);
    if (s->width >> 32 == 0)
        draw_run(s, interval, count, U_RANGE, step_small);
    else
        draw_run(s, interval, count, U_RANGE, step_any);
}

const struct policy policy_exponential = {
    .name = "exponential",
    .pairing = PAIR_EACH,
    .prepare = prepare,
    .next = next,
    .run = run,
    .variance = VARIANCE,
};
