/* SPDX-License-Identifier: MIT */
/* Keeps the samplers in force. */
#include "kernel/source/sampler.h"

#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "probe/stream/wire.h"

struct probe probe, probe2; /* legends in sampler.h, as the next two lines */
const struct source *tick_source, *tick_source2;
struct tick_facts tick_facts;

static uint64_t first_seed;
static struct sampler second;                   /* set once, as the next */
static const struct source *wrapped[SAMPLERS];

/* The probes have all monitors: memory for their regions and raw samples. */
void sampler_give_memory(void)
{
    static struct region_request request[SAMPLERS][REGIONS_MAX];
    static struct region region[SAMPLERS][REGIONS_MAX], closed[SAMPLERS][REGIONS_MAX];
    static struct samples_ring ring[SAMPLERS];
    struct probe *const of[SAMPLERS] = { &probe, &probe2 };

    for (unsigned i = 0; i < SAMPLERS; i++) {
        of[i]->region_request = request[i];
        of[i]->region = region[i];
        of[i]->closed.region = closed[i];
        of[i]->samples = &ring[i];
    }
}

unsigned samplers(void)
{
    return tick_source2 != 0 ? SAMPLERS : 1;
}

struct sampler sampler_at(unsigned number)
{
    struct sampler s = second;

    if (number == 0)
        return (struct sampler){
            .probe = &probe, .source = tick_source, .config = run_config(), .facts = &tick_facts.source,
            .seed = first_seed, .cost = &tick_facts.cost, .epoch = frame_tx_epoch(),
        };
    s.source = tick_source2;
    s.epoch = frame_tx_epoch() | WIRE_SECOND;
    return s;
}

uint64_t samplers_handler_time(void)
{
    uint64_t time = 0;

    if (tick_facts.ticks)
        time = probe_ticks(&probe) * tick_facts.cost.handler;
    if (tick_facts.ticks && samplers() > 1)
        time += probe_ticks(second.probe) * second.cost->handler;
    return time;
}

uint64_t sampler_seed(void)
{
    return first_seed;
}

void sampler_set_seed(uint64_t seed)
{
    first_seed = seed;
}

bool sampler_has(const struct source *s)
{
    return s == tick_source || (tick_source2 != 0 && (s == wrapped[0] || s == wrapped[1]));
}

void sampler_set_second(const struct sampler *s, const struct source *const behind[SAMPLERS])
{
    second = *s;
    for (unsigned i = 0; i < SAMPLERS; i++)
        wrapped[i] = behind[i];
}
