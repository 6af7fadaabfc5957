/* SPDX-License-Identifier: MIT */
/* Tells whether the totals are known well enough to end the run (precision=). */
/* Uses vector registers: task context only. */
#include "kernel/lib/run_state.h"
#include "kernel/report/run.h"
#include "probe/estimate/confidence.h"
#include "probe/stats/precision.h"
#include "probe/text/text_buf.h"

bool report_precise(const struct snapshot *s, struct text_buf *reason)
{
    const struct table_options o = report_table_options(s);
    const struct estimator e = table_estimator(s, &o);
    const struct precision p = precision_of(s, &e);
    const bool reached = precision_reached(s, &p, run_config()->precision);

    if (p.row != 0)
        buf_parts(reason, reached ? "precision reached: " : "complete, precision not reached: ", p.row->name, " to ",
                  REAL(p.half, 2), " points");
    else
        buf_text(reason, "complete");
    return reached;
}
