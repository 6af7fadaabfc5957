/* SPDX-License-Identifier: MIT */
/* What a one-shot timer as tick source does outside its handler. */
#include "kernel/source/one_shot_tick.h"

#include "kernel/io/log.h"
#include "kernel/lib/mul_div64.h"

#define LATE_PART 4 /* of the mean interval: with a greater latency every tick may be late */
#define LONGEST   4 /* means: no policy goes further */

void one_shot_tick_set_factor(struct one_shot_tick *t)
{
    t->counts_q32 = (1ull << (32 + ONE_SHOT_FACTOR)) / t->factor;
    one_shot_way_set(&t->to, (t->factor >> ONE_SHOT_FACTOR) + 1, t->longest != 0 ? t->longest : UINT64_MAX,
                     ONE_SHOT_LONGEST);
}

bool one_shot_tick_measure(struct one_shot_tick *t, struct one_shot_timer *shots, struct source_facts *f,
                           struct refusal *why)
{
    shots->clocks_q24 = t->factor;
    f->running = one_shot_lateness(shots, false);
    f->halted = one_shot_lateness(shots, true);
    t->slack = f->running.late - f->running.floor;
    one_shot_tick_set_factor(t);
    return one_shot_check(shots, why);
}

bool one_shot_tick_set_rate(const struct one_shot_tick *t, struct source_facts *f, uint32_t rate, uint64_t most,
                            struct refusal *why)
{
    f->mean = mul_div64(f->hz_milli, 1u << 16, rate * 1000ull);
    if (f->mean >> 16 > most / LONGEST)
        return REFUSE_WITH(why, "%1 counts to %2, too little at %3 Hz", REFUSAL_STRING(t->name), REFUSAL_NUMBER(most),
                           REFUSAL_NUMBER(t->hz));
    if (f->running.late > one_shot_tick_clocks(t, f->mean >> 16) / LATE_PART)
        return REFUSE_WITH(why, "%1 interrupts up to %2 clocks late", REFUSAL_STRING(t->name),
                           REFUSAL_NUMBER(f->running.late));
    return true;
}

void one_shot_tick_report(const struct one_shot_tick *t, uint64_t expected)
{
    if (t->early > expected)
        log_line(LOG_WARNING, DECIMAL(t->early), " interrupts of ", t->name, " came before its time");
}
