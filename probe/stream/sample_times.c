/* SPDX-License-Identifier: MIT */
/*
 * Where the steps are runs, each pass over a frame is a loop without a branch that depends on the samples.  The input
 * may be damaged in a way that the checksum did not detect, so every read is bounded by the frame's own bytes.
 */
/* Uses vector registers: task context only. */

#include "probe/coding/leb128.h"
#include "probe/schedule/lanes.h"
#include "probe/schedule/memory.h"
#include "probe/stream/sample_unpack.h"

static const int64_t near[] = {
    [SAMPLE_STEP_NONE] = 0, [SAMPLE_STEP_UP] = 1, [SAMPLE_STEP_DOWN] = -1,
};

/* ---- two bits a step ---- */

/* Read one step, whose two bits are `bits`; false if it is cut short. */
static inline bool get_step(int64_t *step, unsigned bits, struct leb128_bytes *far)
{
    uint64_t n;

    *step = near[bits];
    if (bits != SAMPLE_STEP_FAR)
        return true;
    if (!leb128_get(far, &n))
        return false;
    *step = wire_unzigzag(n);
    return true;
}

/*
 * Compute at most four times, whose steps may be far; time[] holds the counts on entry.
 * False if a step is cut short or an unused bit is set.
 */
static bool get_mixed_times(uint64_t *time, uint32_t count, unsigned bits, const struct sample_prediction *f,
                            struct leb128_bytes *far)
{
    uint64_t now = time[-1];

    for (uint32_t i = 0; i < count; i++, bits >>= 2) {
        int64_t step;

        if (!get_step(&step, bits & 3, far))
            return false;
        now += (time[i] * f->clock >> 16) + f->handler + (uint64_t)step * f->stamp;
        time[i] = now;
    }
    return bits == 0;
}

/* Compute the times from the second sample on; time[0] is known. */
static bool get_times(struct sample_batch *b, const struct sample_prediction *f, struct leb128_bytes steps)
{
    const uint64_t clock = f->clock;
    const uint64_t more[] = {0, f->handler, f->handler + f->stamp, f->handler - f->stamp};
    const uint32_t count = b->count - 1;
    const uint8_t *bits = steps.at;
    uint64_t *time = b->time + 1, *const end = time + (count & ~3u), now = b->time[0];

    if ((count + 3) / 4 > (size_t)(steps.end - steps.at))
        return false;
    steps.at += (count + 3) / 4;
    for (; time != end; time += 4) {
        const unsigned four = *bits++;

        if (((four | four >> 1) & 0x55) != 0x55) { /* one is far */
            if (!get_mixed_times(time, 4, four, f, &steps))
                return false;
            now = time[3];
            continue;
        }
        time[0] = now += (time[0] * clock >> 16) + more[four & 3];
        time[1] = now += (time[1] * clock >> 16) + more[four >> 2 & 3];
        time[2] = now += (time[2] * clock >> 16) + more[four >> 4 & 3];
        time[3] = now += (time[3] * clock >> 16) + more[four >> 6];
    }
    if (count % 4 != 0 && !get_mixed_times(time, count % 4, *bits, f, &steps))
        return false;
    return steps.at == steps.end;
}

/* ---- runs ---- */

#define AT_ONCE 8 /* samples */

/* Predict AT_ONCE samples; false, and nothing done, if one of the counts has more than 32 bits. */
static inline bool predict_small(uint64_t *time, lanes64 clock, lanes64 handler)
{
    const lanes64 count[] = {lanes_at(time), lanes_at(time + 2), lanes_at(time + 4), lanes_at(time + 6)};
    const lanes64 all = count[0] | count[1] | count[2] | count[3];

    if ((all[0] | all[1]) >> 32 != 0)
        return false;
    lanes_put(time, (lanes_product(count[0], clock) >> 16) + handler);
    lanes_put(time + 2, (lanes_product(count[1], clock) >> 16) + handler);
    lanes_put(time + 4, (lanes_product(count[2], clock) >> 16) + handler);
    lanes_put(time + 6, (lanes_product(count[3], clock) >> 16) + handler);
    return true;
}

/* Make counts of the source what the schedule predicts from one sample to the next. */
static void predict(uint64_t *time, const uint64_t *end, const struct sample_prediction *f)
{
    const lanes64 clock = lanes64_of(f->clock), handler = lanes64_of(f->handler);

    if (f->clock <= UINT32_MAX)
        while (end - time >= AT_ONCE && predict_small(time, clock, handler))
            time += AT_ONCE;
    for (; time != end; time++)
        *time = (*time * f->clock >> 16) + f->handler;
}

/* Add the steps of runs to the samples that have them: time[0] is the second one. */
static bool add_steps(uint64_t *time, uint32_t count, uint64_t stamp, struct leb128_bytes steps)
{
    const uint64_t near_step[] = {[SAMPLE_STEP_UP] = stamp, [SAMPLE_STEP_DOWN] = -stamp};
    const uint8_t *at = steps.at; /* in a register */

    for (size_t i = 0; at != steps.end; i++) {
        const unsigned run = *at, kind = run % 4;

        i += run / 4;
        if (i >= count)
            return false;
        if (__builtin_expect(kind >= SAMPLE_STEP_UP, 1)) {
            at++;
            time[i] += near_step[kind];
        } else {
            struct leb128_bytes rest = {at, steps.end};
            uint32_t length;
            int64_t far;

            if (!sample_unpack_run(&rest, &length, &far))
                return false;
            time[i] += (uint64_t)far * stamp;
            at = rest.at;
        }
    }
    return true;
}

/* Make each the sum of those before it and itself. */
static void add_up(uint64_t *time, const uint64_t *end)
{
    uint64_t now = time[-1];

    for (; end - time >= AT_ONCE; time += AT_ONCE)
#pragma GCC unroll 8
        for (unsigned i = 0; i < AT_ONCE; i++)
            time[i] = now += time[i];
    for (; time != end; time++)
        *time = now += *time;
}

static bool get_run_times(struct sample_batch *b, const struct sample_prediction *f, struct leb128_bytes steps)
{
    uint64_t *const time = b->time + 1, *const end = b->time + b->count;

    predict(time, end, f);
    if (f->points)
        add_up(time, end);
    if (!add_steps(time, b->count - 1, f->stamp, steps))
        return false;
    if (!f->points)
        add_up(time, end);
    return true;
}

/* The times from two bits each, of samples at points. */
static bool get_point_times(struct sample_batch *b, const struct sample_prediction *f, struct leb128_bytes steps)
{
    const uint32_t count = b->count - 1;
    const uint8_t *const bits = steps.at;
    uint64_t *const time = b->time + 1;

    if ((count + 3) / 4 > (size_t)(steps.end - steps.at))
        return false;
    steps.at += (count + 3) / 4;
    predict(time, time + count, f);
    add_up(time, time + count);
    for (uint32_t i = 0; i < count; i++) {
        int64_t step;

        if (!get_step(&step, bits[i / 4] >> 2 * (i % 4) & 3, &steps))
            return false;
        time[i] += (uint64_t)step * f->stamp;
    }
    return steps.at == steps.end && (count % 4 == 0 || bits[count / 4] >> 2 * (count % 4) == 0);
}

bool sample_times(struct sample_batch *b, const struct sample_prediction *f)
{
    const struct leb128_bytes steps = wire_bytes_of(b->steps);

    if (b->runs)
        return get_run_times(b, f, steps);
    return f->points ? get_point_times(b, f, steps) : get_times(b, f, steps);
}

void sample_steps(const struct sample_batch *b, int64_t *step)
{
    const uint8_t *bits = (const uint8_t *)b->steps.bytes;
    struct leb128_bytes far = wire_bytes_of(b->steps);

    if (b->runs) { /* cannot fail: get_run_times() has read them all */
        uint32_t length;

        memset(step, 0, b->count * sizeof *step);
        for (int64_t *last = step, value; sample_unpack_run(&far, &length, &value);)
            *(last += length) = value;
        return;
    }
    far.at += sample_step_bytes(b->count);
    for (uint32_t i = 0; i < b->count; i++) {
        step[i] = 0;
        if (i > 0) /* cannot fail: get_times() has read them all */
            get_step(&step[i], bits[(i - 1) / 4] >> 2 * ((i - 1) % 4) & 3, &far);
    }
}
