/* SPDX-License-Identifier: MIT */
/* Raw samples of a port: ticks append them to a ring in memory of the caller, polls send them. */
#include "probe/port/port.h"
#include "probe/port/port_memory.h"
#include "probe/schedule/arithmetic.h"
#include "probe/schedule/memory.h"
#include "probe/stats/hello.h"

#define MILLION 1000000u

void port_samples_init(struct cpuprobe *c)
{
    c->samples = c->options.samples;
    memset(c->samples, 0, sizeof *c->samples);
    c->probe.samples = &c->samples->ring;
}

void port_samples_begin(struct cpuprobe *c)
{
    struct port_facts *const f = &c->facts;
    struct sample_setting setting;

    f->stamp = 0;
    if (c->samples == NULL)
        return;
    f->stamp = divide64(f->clock_hz, MILLION);
    if (f->stamp == 0)
        f->stamp = 1; /* with a clock slower than 1 MHz the unit is a clock */
    setting = sample_setting_of(&c->probe, &c->probe.schedule, f->per_65536, f->lead);
    setting.stamp = f->stamp;
    setting.thin = 1;
    setting.seed = f->seed;
    sample_encoder_begin(&c->samples->encoder, &(struct sample_encoder_request){
        .setting = setting, .epoch = c->epoch, .start = c->start, .begin = c->probe.counters.begin,
        .send = port_send_frame, .context = c,
    });
}

/* At most a full ring: ticks come meanwhile. */
void port_samples_poll(struct cpuprobe *c)
{
    struct sample_record record;

    for (unsigned i = 0; i < SAMPLES_RING && c->samples != NULL && samples_take(&c->samples->ring, &record); i++)
        sample_encoder_put(&c->samples->encoder, &record);
}

void port_samples_flush(struct cpuprobe *c)
{
    port_samples_poll(c);
    if (c->samples != NULL)
        sample_encoder_flush(&c->samples->encoder);
}

void port_samples_end(struct cpuprobe *c)
{
    port_samples_poll(c);
    if (c->samples != NULL)
        sample_encoder_end(&c->samples->encoder, c->probe.closed.counters.points);
}
