/* SPDX-License-Identifier: MIT */
/*
 * Draws four strata side by side in vector registers: half the instructions of two by two.  No number depends on
 * those of another stratum but by the rest of the one before it, and where the minimum lengthens an interval.  That
 * is rare: the intervals of such strata are gone through one after the other.
 */
/* Uses vector registers: task context only. */
#include "probe/schedule/carta.h"

#include "probe/schedule/lanes.h"

#define AT_ONCE CARTA_STRATA

#define CARTA_EIGHTH 1457850878u /* multiplier of the state after 2 * AT_ONCE steps */

/* Lengths and rests below this leave sums of two, and their doubles, 31 bits. */
#define SMALL ((int64_t)1 << 30)

/* Strata next to one another; lengths in counts of the source. */
struct strata {
    lanes32 a, b;        /* states of the generator: the two points of each */
    lanes32 fraction;    /* of a count, 1/65536, left at the begin of each */
    lanes32 rest_before; /* in the first one, from the last point of the stratum before to its end; else 0 */
    lanes32 first, second;
};

/* What is the same of all. */
struct constants {
    lanes32 whole, part, minimum; /* a stratum's length in counts and 1/65536; the shortest interval */
};

static void begin(struct strata *t, const struct schedule *s)
{
    uint32_t state = (uint32_t)s->generator, left = s->fraction;

    for (unsigned i = 0; i < AT_ONCE; i++) {
        t->a[i] = state = carta_next(state);
        t->b[i] = state = carta_next(state);
        t->fraction[i] = left & 0xffff;
        left += (uint32_t)(s->width & 0xffff);
    }
    t->rest_before = (lanes32){(uint32_t)s->carry};
}

/*
 * The points that these states are of strata of such lengths, doubled: the products' upper halves then need no shift.
 */
static inline lanes32 points(lanes32 state, lanes64 twice_first, lanes64 twice_last)
{
    return lanes_upper(lanes_product(lanes_first(state), twice_first), lanes_product(lanes_last(state), twice_last));
}

/* carta_jump() */
static inline lanes32 jump(lanes32 state)
{
    const lanes64 twice = lanes64_of(2ull * CARTA_EIGHTH);
    const lanes64 first = lanes_product(lanes_first(state), twice), last = lanes_product(lanes_last(state), twice);
    const lanes32 folded = lanes_upper(first, last) + (lanes_lower(first, last) >> 1);

    return (folded & CARTA_MODULUS) + (folded >> 31);
}

/* Set first[], second[] and rest_before of the next ones; whether no interval is below the minimum. */
static inline bool place_points(struct strata *t, const struct constants *c)
{
    const lanes32 length = c->whole + ((t->fraction + c->part) >> 16), twice = length + length;
    const lanes64 twice_first = lanes_first(twice), twice_last = lanes_last(twice);
    const lanes32 a = points(t->a, twice_first, twice_last), b = points(t->b, twice_first, twice_last);
    const lanes32 less = (lanes32)((lanes32_signed)(a - b) >> 31) & (a - b); /* b + less is the first of the two */
    const lanes32 last = a - less, after = length - last, rest = __builtin_shufflevector(after, after, 3, 0, 1, 2);
    const lanes32 but_first = {0, ~0u, ~0u, ~0u};

    t->second = last - b - less;
    t->first = b + less + (rest & but_first) + t->rest_before;
    t->rest_before = rest & ~but_first;
    return !lanes_any_negative((t->first - c->minimum) | (t->second - c->minimum));
}

/* As they are: an interval below the minimum may be negative. */
static inline void put_intervals(uint64_t *interval, const struct strata *t)
{
    const lanes32 one = __builtin_shufflevector(t->first, t->second, 0, 4, 1, 5);
    const lanes32 other = __builtin_shufflevector(t->first, t->second, 2, 6, 3, 7);

    lanes_put(interval, lanes_first(one));
    lanes_put(interval + 2, lanes_last(one));
    lanes_put(interval + 4, lanes_first(other));
    lanes_put(interval + 6, lanes_last(other));
}

/*
 * Lengthen each of these intervals to the minimum, and shorten the following one by the same amount.  Returns by what
 * the one after the last is to be shortened.
 */
static __attribute__((noinline)) uint32_t lengthen(uint64_t *interval, int32_t minimum)
{
    int32_t more = 0;

    for (unsigned i = 0; i < 2 * AT_ONCE; i++) {
        const int32_t left = (int32_t)(uint32_t)interval[i] - more;

        more = left < minimum ? minimum - left : 0;
        interval[i] = (uint32_t)(left + more);
    }
    return (uint32_t)more;
}

unsigned carta_strata_run(struct schedule *s, uint64_t *interval, unsigned strata)
{
    const uint32_t part = (uint32_t)(s->width & 0xffff);
    const struct constants c = {lanes32_of((uint32_t)(s->width >> 16)), lanes32_of(part), lanes32_of(s->minimum)};
    struct strata t;
    unsigned done = 0;

    if (strata < AT_ONCE || s->width >> 16 >= SMALL - 1 || s->carry >= SMALL || s->carry <= -SMALL)
        return 0;
    for (begin(&t, s);; t.a = jump(t.a), t.b = jump(t.b)) {
        const bool long_enough = place_points(&t, &c);

        put_intervals(interval, &t);
        if (!long_enough)
            t.rest_before[0] -= lengthen(interval, (int32_t)s->minimum);
        interval += 2 * AT_ONCE;
        t.fraction = (t.fraction + AT_ONCE * part) & 0xffff;
        done += AT_ONCE;
        if (strata - done < AT_ONCE)
            break;
    }
    s->generator = t.b[AT_ONCE - 1];
    s->fraction = (uint16_t)t.fraction[0];
    s->carry = (int32_t)t.rest_before[0];
    return done;
}
