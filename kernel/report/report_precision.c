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

static char text[TEXT_BUF_SIZE]; /* task PROBE */

bool report_precise(const struct snapshot *s, const char **reason)
{
    const struct tick_facts *f = &tick_facts;
    const struct estimator e = estimator_of_run(run_config(), f->source.mean, f->cost.minimum);
    const struct precision p = precision_of(s, &e);
    const bool reached = precision_reached(s, &p, run_config()->precision);

    if (p.row != 0) {
        struct text_buf b = TEXT_BUF(text);

        buf_parts(&b, reached ? "precision reached: " : "complete, precision not reached: ", p.row->name, " to ",
                  REAL(p.half, 2), " points");
        *reason = text;
    }
    return reached;
}
