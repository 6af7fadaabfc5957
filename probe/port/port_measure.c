/* SPDX-License-Identifier: MIT */
/*
 * Calibration of a port: the rate of its clock, the latency of its tick out of running code and out of a
 * halt, and the length of its tick.  Two one-shots of different length have the same latencies, so that
 * their difference is exact.  Every wait has a bound.
 */
#include "probe/core/divide64.h"
#include "probe/core/lateness.h"
#include "probe/port/port.h"

#define SPINS_MAX   (1u << 25) /* readings of the clock: seconds on any processor */
#define TRIES       3
#define GRAIN_PAIRS 16
#define SHORT_PART  1000u /* of a second: the shorter one-shot for the clock's rate */
#define LONG_PART   25u   /* and the longer one */
#define SHOT_PART   5000u /* those whose latency is measured */
#define TRIAL_PART  1500u /* the mean interval of the ticks whose handler is measured */
#define TRIALS      64u
#define OWN_TRIALS  4u    /* of a source that ticks by itself */

static uint64_t now(const struct cpuprobe *c)
{
    return c->port.clock();
}

/* So many counts for a part of a second, at least 4 and at most what arm() takes. */
static uint32_t part_of_second(const struct cpuprobe *c, uint32_t part)
{
    const uint32_t counts = (uint32_t)divide64(c->port.source_hz, part);

    if (counts > c->port.longest)
        return c->port.longest;
    return counts > 4 ? counts : 4;
}

/* The time that a one-shot takes, clock units; 0: it did not interrupt. */
static uint64_t shot(struct cpuprobe *c, uint32_t counts, bool halt)
{
    uintptr_t was = c->port.lock();
    uint64_t armed;

    c->fired = 0;
    c->phase = PORT_SHOT;
    c->port.arm(counts);
    armed = now(c);
    while (halt && c->fired == 0 && now(c) - armed < c->facts.clock_hz) {
        c->port.wait();
        c->port.lock(); /* so that none comes between the look and the next halt */
    }
    c->port.unlock(was);
    for (uint32_t i = 0; i < SPINS_MAX && c->fired == 0; i++)
        now(c);
    c->phase = PORT_IDLE;
    return c->fired != 0 ? c->fired - armed : 0;
}

/* An interrupt can be held up, it cannot come early. */
static uint64_t shortest(struct cpuprobe *c, uint32_t counts)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < TRIES; i++) {
        const uint64_t took = shot(c, counts, false);

        if (took == 0)
            return 0;
        least = took < least ? took : least;
    }
    return least;
}

static void use_rate(struct cpuprobe *c, uint64_t hz)
{
    c->facts.clock_hz = hz;
    c->facts.per_65536 = divide64(hz << 16, c->port.source_hz);
}

static const char *measure_clock(struct cpuprobe *c)
{
    const uint32_t few = part_of_second(c, SHORT_PART) / 2 + 1, many = part_of_second(c, LONG_PART);
    uint64_t brief, lengthy;

    if (c->port.clock_hz != 0) {
        use_rate(c, c->port.clock_hz);
        return NULL;
    }
    brief = shortest(c, few);
    lengthy = brief != 0 ? shortest(c, many) : 0;
    if (lengthy == 0)
        return "no interrupt came of a one-shot: are interrupts on, and does the source's handler call cpuprobe_tick()?";
    if (lengthy <= brief)
        return "port.clock stands still, or port.arm does not arm for as many counts as it is told";
    c->facts.per_65536 = divide64((lengthy - brief) << 16, many - few);
    c->facts.clock_hz = divide64((lengthy - brief) * c->port.source_hz, many - few);
    return NULL;
}

static uint64_t grain(const struct cpuprobe *c)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < GRAIN_PAIRS; i++) {
        const uint64_t begin = now(c), apart = now(c) - begin;

        least = apart < least ? apart : least;
    }
    return least != 0 ? least : 1;
}

/* False: a shot was lost. */
static bool measure_lateness(struct cpuprobe *c, struct probe_lateness *to, bool halt)
{
    const uint32_t first = part_of_second(c, SHOT_PART);
    uint64_t latency[LATENESS_SHOTS];

    for (unsigned i = 0; i < LATENESS_SHOTS; i++) {
        const uint32_t more = first + i * (first / 64 + 1), counts = more < c->port.longest ? more : c->port.longest;
        const uint64_t took = shot(c, counts, halt), due = counts * c->facts.per_65536 >> 16;

        if (took == 0)
            return false;
        lateness_insert(latency, i, took > due ? took - due : 0);
    }
    *to = lateness_judge(latency, grain(c));
    return true;
}

/* What is asked for counts; and what no measurement found, as of a source that ticks by itself, is never late. */
static const char *measure_latencies(struct cpuprobe *c)
{
    struct probe *const p = &c->probe;

    p->running = p->halted = (struct probe_lateness){ 0, UINT64_MAX };
    if (c->port.arm == NULL)
        return NULL;
    if (!measure_lateness(c, &p->running, false))
        return "a one-shot did not interrupt, while code ran";
    p->halted = p->running;
    if (c->port.wait != NULL && !measure_lateness(c, &p->halted, true))
        return "a one-shot did not interrupt, out of port.wait";
    if (c->options.late != 0)
        p->running.late = p->halted.late = c->options.late;
    if (c->options.late_idle != 0)
        p->halted.late = c->options.late_idle;
    return NULL;
}

const char *port_schedule(struct cpuprobe *c, enum interval_policy policy)
{
    const struct port_facts *const f = &c->facts;

    return schedule_init(&c->probe.schedule, &(struct schedule_request){
        .policy = policy, .mean = f->mean, .minimum = f->minimum, .spread = 1000, .seed = f->seed,
        .handler = c->port.arm != NULL ? (uint32_t)divide64(f->handler << 16, f->per_65536 | 1) : 0,
    });
}

/* Some ticks, as they will be: their length, and that they come. */
static const char *measure_handler(struct cpuprobe *c)
{
    const uint32_t trials = c->port.arm != NULL ? TRIALS : OWN_TRIALS;
    const uint64_t mean = c->facts.mean;
    uintptr_t was;

    if (c->port.arm != NULL)
        c->facts.mean = (uint64_t)part_of_second(c, TRIAL_PART) << 16;
    c->facts.minimum = 1;
    c->facts.handler = 0;
    port_schedule(c, c->facts.policy);
    c->facts.mean = mean;
    probe_prepare(&c->probe);
    interval_queue_fill(&c->probe.queue, INTERVAL_QUEUE_MAX);
    was = c->port.lock();
    c->trials = 0;
    c->handler = c->lead = c->last = 0;
    c->phase = PORT_TRIAL;
    port_arm(c, probe_begin(&c->probe, now(c)));
    c->port.unlock(was);
    for (uint32_t i = 0; i < SPINS_MAX && c->trials < trials; i++)
        now(c);
    was = c->port.lock();
    c->phase = PORT_IDLE;
    c->port.unlock(was);
    if (c->trials < trials)
        return "no tick came: are interrupts on, and does the source's handler call cpuprobe_tick()?";
    c->facts.handler = c->probe.running.floor + divide64(c->handler, c->trials);
    c->facts.lead = c->probe.running.floor + divide64(c->lead, c->trials);
    return NULL;
}

/* From arming to the return of the handler no tick can come: that is taken as the way in, measured by the floor. */
static void find_minimum(struct cpuprobe *c)
{
    const uint64_t room = c->facts.handler - c->facts.lead + c->probe.running.floor;

    c->facts.minimum = (uint32_t)divide64(room << 16, c->facts.per_65536 | 1) + 1;
    if (c->port.arm == NULL)
        c->facts.minimum = 1;
}

const char *port_measure(struct cpuprobe *c)
{
    const char *why = measure_clock(c);

    if (why == NULL && (c->facts.per_65536 == 0 || c->facts.clock_hz == 0))
        why = "port.clock is too slow for port.source_hz";
    if (why == NULL)
        why = measure_latencies(c);
    if (why == NULL)
        why = measure_handler(c);
    if (why == NULL)
        find_minimum(c);
    return why;
}
