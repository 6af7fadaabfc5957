/* SPDX-License-Identifier: MIT */
/* Chooses what the intervals of the run's tables are made with, and tells whether they end the run (precision=). */
/* Uses vector registers: task context only. */
#include "kernel/lib/run_state.h"
#include "kernel/report/run.h"
#include "probe/stats/precision.h"
#include "probe/text/text_buf.h"

struct table_options report_options_of(const struct sampler *sampler, const struct snapshot *s)
{
    return (struct table_options){
        .estimator = estimator_of_run(sampler->config, sampler->facts->mean, sampler->cost->minimum),
        .excess_per_tick = (sampler->facts->mean >> 16) * sampler->facts->clock_65536 >> 16,
        .clock_hz = tick_facts.calibration.rate.clock_hz,
        .stub = tick_facts.calibration.entry_cost,
        .tick = sampler->cost->tick,
        .tick_share = sampler->cost->share,
        .unmasked = config_via_nmi(sampler->config),
        .exact = s->exact,
    };
}

struct table_options report_table_options(const struct snapshot *s)
{
    const struct sampler sampler = sampler_at(0);

    return report_options_of(&sampler, s);
}

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
