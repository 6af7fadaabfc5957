/* SPDX-License-Identifier: MIT */
/* Raw samples from the ring to frames; PROBE does that whenever it wakes. */
#include "kernel/report/run.h"

#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/tick/window.h"
#include "probe/stats/hello.h"
#include "probe/stream/sample_encode.h"

#define MILLION 1000000u

static struct sample_encoder sender; /* task PROBE */
static struct schedule schedule;    /* the schedule before the first tick of the window */
static bool begun;                  /* task PROBE */

static bool on(void)
{
    return (probe.monitors & PROBE_SAMPLES) != 0 && tick_facts.ticks;
}

/* With a clock slower than 1 MHz it is a clock. */
static uint64_t microsecond(void)
{
    const uint64_t clocks = tick_facts.calibration.rate.clock_hz / MILLION;

    return clocks != 0 ? clocks : 1;
}

uint64_t report_sample_time_unit(void)
{
    return on() && run_config()->stamp != STAMP_OFF ? microsecond() : 0;
}

uint64_t report_time_unit(void)
{
    if (run_config()->stamp == STAMP_OFF)
        return 0;
    return config_given(run_config(), CONFIG_STAMP) ? microsecond() : 1;
}

static void begin(void)
{
    const struct tick_facts *f = &tick_facts;
    struct sample_setting setting = sample_setting_of(&probe, &schedule, f->source.clock_65536, f->cost.lead);

    setting.stamp = report_sample_time_unit();
    setting.thin = monitors_thin();
    setting.seed = sampler_seed();
    sample_encoder_begin(&sender, &(struct sample_encoder_request){
        .setting = setting,
        .tells_masked = probe.via_nmi,
        .epoch = frame_tx_epoch(),
        .start = run_state->start,
        .begin = probe.counters.begin,
        .send = frame_tx_take,
    });
    begun = true;
}

void report_samples_prepare(void)
{
    schedule = probe.schedule;
    begun = false;
}

void report_samples(void)
{
    struct sample_record record;

    if (!on())
        return;
    if (!begun)
        begin();
    while (samples_take(probe.samples, &record))
        if (probe.close != PROBE_STOPPED || record.tick < probe.closed.counters.points)
            sample_encoder_put(&sender, &record); /* no sample is later than the end of the window */
}

void report_samples_flush(void)
{
    report_samples();
    if (begun)
        sample_encoder_flush(&sender);
}

void report_samples_end(void)
{
    report_samples();
    if (begun)
        sample_encoder_end(&sender, probe.closed.counters.points);
}

uint64_t report_samples_service_us(void)
{
    const uint64_t us = SAMPLES_RING / 4 * (uint64_t)MILLION / run_config()->rate;

    return on() && us < MILLION ? us : MILLION;
}
