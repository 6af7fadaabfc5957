/* SPDX-License-Identifier: MIT */
/*
 * Whether the totals are known well enough to end the run (precision=).  Floating
 * point: task PROBE, and the start before any task runs.
 */
#include "kernel/lib/run_state.h"
#include "kernel/report/run.h"
#include "probe/stats/estimator.h"
#include "probe/stats/precision.h"
#include "probe/text/text_buf.h"

static struct line said; /* task PROBE */

static void say_width(const char *opening, const struct precision *p)
{
    said.at = 0;
    line_text(&said, opening);
    line_text(&said, p->row->name);
    line_text(&said, " to ");
    line_real(&said, p->half, 2);
    line_text(&said, " points");
    said.text[said.at] = '\0';
}

bool report_precise(const struct snapshot *s, const char **reason)
{
    const struct tick_facts *f = &tick_facts;
    const struct estimator e = estimator_of_run(&options.words, f->source.mean, f->cost.minimum);
    const struct precision p = precision_of(s, &e);
    const bool reached = precision_reached(s, &p, options.words.precision);

    if (p.row != 0) {
        say_width(reached ? "precision reached: " : "complete, precision not reached: ", &p);
        *reason = said.text;
    }
    return reached;
}
