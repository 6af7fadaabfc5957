/* SPDX-License-Identifier: MIT */
/* A counter followed across its wraps: the whole number of counts that is nearest to what is due. */
#include "probe/survey/clock_track.h"

#include "probe/schedule/arithmetic.h"

#define UNCERTAIN 256u /* the counts that are due are known to such a part */
#define EDGES     1u   /* modulus of what has no count */

void clock_track_begin(struct clock_track *t, uint64_t modulus, uint64_t per_65536)
{
    *t = (struct clock_track){ .modulus = modulus, .per_65536 = per_65536 };
}

static void take(struct clock_track *t, const struct clock_reading *r, uint64_t counts)
{
    t->last_from = r->from;
    t->last_to = r->to;
    t->raw = r->count;
    t->counts += counts;
}

/* The counts since the last reading: what is due, moved to the nearest number that the counter allows. */
static uint64_t counts_since(const struct clock_track *t, uint64_t due, uint64_t raw)
{
    const uint64_t off = (raw - t->raw - due) & (t->modulus - 1);

    return off < t->modulus / 2 || t->modulus == EDGES ? due + off : due + off - t->modulus;
}

bool clock_track_add(struct clock_track *t, const struct clock_reading *r)
{
    uint64_t due;

    if (t->lost)
        return false;
    if (!t->begun) {
        t->begun = true;
        t->first_from = r->from;
        t->first_to = r->to;
        take(t, r, 0);
        return true;
    }
    due = divide64(((r->from - t->last_from) << 16) + t->per_65536 / 2, t->per_65536);
    t->lost = t->modulus != EDGES && due / UNCERTAIN > t->modulus / 4;
    if (!t->lost)
        take(t, r, counts_since(t, due, r->count));
    return !t->lost;
}
