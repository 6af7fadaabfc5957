/* SPDX-License-Identifier: MIT */
/* Notes what an audit finds, and makes the checks that the walk and both its rules share. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tools/analysis/audit.h"

#define EXTRA_INTERVALS_MOST 4096 /* ticks that may be missing from a count */

void audit_find(struct audit *a, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (a->faults < AUDIT_FINDINGS)
        vsnprintf(a->finding[a->faults], AUDIT_SENTENCE, format, arguments);
    va_end(arguments);
    a->faults++;
}

void audit_take(void *context, const char *sentence)
{
    audit_find(context, "%s", sentence);
}

static uint64_t generator_of(const struct schedule *s)
{
    struct schedule_state state;

    schedule_save(s, &state);
    return state.generator;
}

static bool generator_matches(const struct schedule *s, const struct wire_snapshot *head)
{
    return generator_of(s) == head->generator && s->sum == head->intervals;
}

/* How many more intervals the generator gave than there are ticks; 0: its state is another generator's. */
static unsigned extra_intervals(struct schedule s, const struct wire_snapshot *head)
{
    for (unsigned more = 1; more <= EXTRA_INTERVALS_MOST; more++) {
        schedule_next(&s);
        if (generator_matches(&s, head))
            return more;
    }
    return 0;
}

static void judge_schedule(struct audit_walk *w, const struct wire_snapshot *head, uint64_t drawn)
{
    const unsigned more = extra_intervals(w->schedule, head);

    if (more)
        audit_find(w->a, "snapshot %" PRIu64 " has %" PRIu64 " intervals, and the generator gave %u more "
                    "intervals: ticks were dropped", head->serial, drawn, more);
    else if (generator_of(&w->schedule) == head->generator)
        audit_find(w->a, "snapshot %" PRIu64 ": the %" PRIu64 " intervals add to %" PRIu64
                    " counts, those of the generator to %" PRIu64 ": an interval was altered",
                    head->serial, drawn, head->intervals, w->schedule.sum);
    else
        audit_find(w->a, "snapshot %" PRIu64 ": after %" PRIu64 " intervals the generator stands at %" PRIu64
                    ", replayed at %" PRIu64 ": the ticks are not its own",
                    head->serial, drawn, head->generator, generator_of(&w->schedule));
}

bool audit_check_generator(struct audit_walk *w, const struct wire_snapshot *head, uint64_t drawn)
{
    if (generator_matches(&w->schedule, head)) {
        w->a->agreed++;
        return true;
    }
    judge_schedule(w, head, drawn);
    return false;
}

/* After one dropped tick all later ticks are at the wrong time, so only the first few are reported. */
void audit_find_altered(struct audit_walk *w, int64_t off)
{
    if (w->altered++ >= AUDIT_ALTERED_TOLD)
        return;
    if (off < 0)
        audit_find(w->a, "tick %" PRIu64 " came %" PRIu64 " clock units before its time: its interval "
                    "was altered", w->tick, -(uint64_t)off);
    else
        audit_find(w->a, "tick %" PRIu64 " came %" PRId64 " clock units after its time and is not late: "
                    "its interval was altered", w->tick, off);
}

void audit_note_phase(struct audit_walk *w, uint64_t due)
{
    const struct wire_hello *h = &w->e->hello;
    struct audit_phase *p = &w->a->phase;
    const uint64_t period = h->clock_period >> 16;
    double at;

    if (!period || !h->clock_origin)
        return;
    at = (double)(int64_t)(due - h->clock_origin) * 65536.0 / (double)h->clock_period;
    at -= (double)(int64_t)at;
    p->bin[(unsigned)((at < 0 ? at + 1 : at) * AUDIT_BINS) % AUDIT_BINS]++;
    p->samples++;
}
