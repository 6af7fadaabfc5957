/* SPDX-License-Identifier: MIT */
/*
 * Thurner's Table 1 made tasks: debugging, load, bottleneck, model.  Each is a question that the
 * truth can answer too.
 */
#include <math.h>
#include <string.h>

#include "tools/compare/compare_view.h"

const char *compare_usage_name(enum compare_usage usage)
{
    static const char *const name[] = {"debugging", "load", "bottleneck", "model"};

    return name[usage];
}

const char *compare_usage_task(enum compare_usage usage)
{
    static const char *const task[] = {
        "when did each change happen, in order? (error: s)",
        "how busy was the processor? (error: points)",
        "which task had the most time, and how much? (error: points)",
        "what does each task demand of each mode? (error: mean, points)",
    };

    return task[usage];
}

/* Without a row it has never been idle. */
static double idle_of(const struct compare_monitor *m)
{
    const struct compare_row *row = compare_row(m, "IDLE");

    return row ? row->total : 0.0;
}

static struct compare_answer bottleneck(const struct compare *c, const struct compare_monitor *m)
{
    const struct compare_row *row = compare_busiest(m), *truth = c->truth ? compare_busiest(c->truth) : NULL;

    if (!row || !truth)
        return (struct compare_answer){row != NULL, NAN};
    return (struct compare_answer){!strcmp(row->name, truth->name), fabs(row->total - truth->total)};
}

struct compare_answer compare_answer(const struct compare *c, const struct compare_monitor *m,
                                     enum compare_usage usage)
{
    switch (usage) {
    case USAGE_DEBUGGING: return (struct compare_answer){m->sequence, m->step};
    case USAGE_LOAD: return (struct compare_answer){true, c->truth ? fabs(idle_of(m) - idle_of(c->truth)) : NAN};
    case USAGE_BOTTLENECK: return bottleneck(c, m);
    default: return (struct compare_answer){m->tasks && m->modes, m == c->truth ? 0.0 : m->mean};
    }
}
