/* SPDX-License-Identifier: MIT */
/*
 * Calibration of a port: the rate of its clock, the latency of its tick out of running code and out of a
 * halt, and the length of its tick.  Two one-shots of different length have the same latencies, so that
 * their difference is exact.  Every wait has a bound.
 */
#include "probe/core/one_shots.h"
#include "probe/core/timed.h"
#include "probe/port/port.h"
#include "probe/schedule/arithmetic.h"

#define SPINS_MAX   (1u << 27) /* readings of a clock of which no rate is known: a second or more */
#define SPINS_LEAST (1u << 24) /* before the rate that is told may end a wait: it may be wrong */
#define WAIT_MAX    5u        /* seconds for one tick */
#define TRIES       5
#define AGREE       8u    /* part of a rate by which clock and source may differ */
#define CROWD_MOST  50    /* of a thousand points */
#define SHORT_PART  1000u /* of a second: the shorter one-shot for the clock's rate */
#define LONG_PART   25u   /* and the longer one */
#define TURN_PART   4u    /* of a second: the shortest turn of a clock that begins again */
#define PARTS       8u    /* of that, the longest one-shot of a tick */
#define SHOT_PART   5000u /* those whose latency is measured */
#define TRIAL_PART  1500u /* the rate of the ticks whose handler is measured */
#define TRIALS      64u
#define OWN_TRIALS  4u    /* of a source that ticks by itself */
#define OWN_PART    10u   /* of a second: its ticks that tell the clock's rate */

#define COARSE "a one-shot came in no time by port.clock: the clock is too coarse, or moves with the tick"

static uint64_t now(const struct cpuprobe *c)
{
    return probe_clock(&c->probe);
}

/*
 * Wait for a tick that makes `trials` another number.  Bounded by the clock, and by readings where its rate is not
 * known or it stands still; a clock that is read in a nanosecond may well move once in a period only.
 */
static bool wait_tick(const struct cpuprobe *c, uint32_t trials)
{
    const uint64_t begin = now(c);

    for (uint32_t i = 0; i < SPINS_MAX && c->trials == trials; i++) {
        const uint64_t waited = now(c) - begin;

        if (i >= SPINS_LEAST && c->facts.clock_hz != 0 && waited > WAIT_MAX * c->facts.clock_hz)
            break;
    }
    return c->trials != trials;
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
static uint64_t fire(void *of, uint32_t counts, bool halt)
{
    struct cpuprobe *const c = of;
    const uintptr_t was = c->port.lock();
    uint64_t armed;

    c->fired = 0;
    c->trials = 0;
    c->phase = PORT_SHOT;
    port_start(c, counts);
    armed = now(c);
    while (halt && c->fired == 0 && now(c) - armed < c->facts.clock_hz) {
        c->port.wait();
        c->port.lock(); /* so that none comes between the look and the next halt */
    }
    c->port.unlock(was);
    wait_tick(c, 0);
    c->phase = PORT_IDLE;
    if (c->fired == 0)
        return 0;
    return c->fired != armed ? c->fired - armed : 1; /* a clock may be too coarse for it */
}

/*
 * The longest one-shot, clock units: a count less than arm() takes, since the half count comes on top; and less than
 * half a turn of a clock that begins again.
 */
static uint64_t most_clocks(const struct cpuprobe *c)
{
    uint64_t most = (uint64_t)(c->port.longest - 1) * c->facts.per_65536 >> 16;

    if (c->probe.turn != 0 && most > c->probe.turn / 4) /* a tick may wait as long again */
        most = c->probe.turn / 4;
    return most <= UINT32_MAX ? most : UINT32_MAX;
}

static void use_rate(struct cpuprobe *c, uint64_t hz)
{
    c->facts.clock_hz = hz;
    c->facts.per_65536 = divide64(hz << 16, c->port.source_hz);
    c->facts.counts_q32 = c->facts.per_65536 != 0 ? divide64(1ull << 48, c->facts.per_65536) : 0;
    /* Over the longest the error is an eighth of what shots in time differ by; counts of the most have 32 bits. */
    one_shot_way_set(&c->facts.to, (c->facts.per_65536 >> 16) + 1, divide64(hz, LONG_PART * PARTS), most_clocks(c));
}

/* The last tick of a source that ticks by itself: its time, and its number. */
static uint64_t last_tick(struct cpuprobe *c, uint32_t *number)
{
    const uintptr_t was = c->port.lock();
    const uint64_t time = c->fired;

    *number = c->trials;
    c->port.unlock(was);
    return time;
}

/* The clock's rate by the periods of a source that ticks by itself. */
static const char *rate_by_periods(struct cpuprobe *c, uint64_t *hz)
{
    const uint32_t periods = (uint32_t)divide64(c->port.source_hz, (uint64_t)OWN_PART * c->port.longest) + 1;
    uint64_t began, ended;
    uint32_t first, last;
    bool came;

    c->trials = 0;
    c->phase = PORT_SHOT;
    came = wait_tick(c, 0);
    began = last_tick(c, &first);
    do {
        came = came && wait_tick(c, c->trials);
        ended = last_tick(c, &last);
    } while (came && last - first < periods);
    c->phase = PORT_IDLE;
    if (!came)
        return "no tick came: are interrupts on, does the source's handler call cpuprobe_tick(), "
               "is port.arm missing?";
    if (ended == began)
        return "port.clock stands still";
    *hz = divide64((ended - began) * c->port.source_hz, (uint64_t)(last - first) * c->port.longest);
    return NULL;
}

static const char *rate_by_shots(struct cpuprobe *c, uint64_t *hz)
{
    const uint32_t few = part_of_second(c, SHORT_PART) / 2 + 1, many = part_of_second(c, LONG_PART);
    const struct one_shots_rate found = one_shots_rate(&(struct one_shots){ fire, c }, few, many, c->port.source_hz);

    if (found.hz == 0)
        return "no interrupt came of a one-shot: are interrupts on, and does the source's handler call "
               "cpuprobe_tick()?";
    if (found.per_65536 == 0)
        return "port.clock stands still, or port.arm does not arm for as many counts as it is told";
    *hz = found.hz;
    return NULL;
}

/* What is told must agree with the source, once in some tries: ticks can be lost, and a machine can stand still. */
static const char *measure_clock(struct cpuprobe *c)
{
    const uint64_t told = c->port.clock_hz;

    if (told != 0)
        use_rate(c, told);
    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t found = 0;
        const char *const why = c->port.arm != NULL ? rate_by_shots(c, &found) : rate_by_periods(c, &found);

        if (why != NULL)
            return why;
        if (told == 0)
            use_rate(c, found);
        if (told == 0 || (found < told + told / AGREE && told < found + found / AGREE))
            return NULL;
    }
    return c->port.arm != NULL ? "port.clock_hz and port.source_hz do not agree: by one-shots one of them is wrong "
                                 "by more than an eighth"
                               : "the source does not tick each port.longest counts of port.source_hz, "
                                 "or port.clock_hz is wrong";
}

static uint64_t read_twice(const struct cpuprobe *c)
{
    const uint64_t begin = now(c);

    return now(c) - begin;
}

/* A shot that is over before its length: arm() was held up, and says nothing of the way to the handler. */
static uint64_t fire_whole(void *of, uint32_t counts, bool halt)
{
    const struct cpuprobe *const c = of;
    uint64_t took = 0;

    for (unsigned i = 0; i < TRIES && (took = fire(of, counts, halt)) != 0; i++)
        if (took > counts * c->facts.per_65536 >> 16)
            break;
    return took;
}

/* The least of some steps of the clock, clock units.  It moves: its rate was measured. */
static uint64_t clock_step(const struct cpuprobe *c)
{
    uint64_t before = now(c), least = UINT64_MAX;
    unsigned steps = 0;

    for (uint32_t i = 0; i < SPINS_MAX && steps < TRIES; i++) {
        const uint64_t after = now(c);

        if (after == before)
            continue;
        least = after - before < least ? after - before : least;
        before = after;
        steps++;
    }
    return least;
}

/* False: a shot was lost. */
static bool measure_lateness(struct cpuprobe *c, struct probe_lateness *to, bool halt)
{
    const uint32_t first = part_of_second(c, SHOT_PART);
    const uint64_t grain = TIMED_LEAST(read_twice(c));
    const struct one_shots_lengths lengths = {
        .first = first, .step = first / 64 + 1, .most = c->port.longest, .lengths = ONE_SHOTS,
        .clocks_q24 = c->facts.per_65536 << 8,
        .grain = grain != 0 ? grain : 1,
    };

    if (!one_shots_lateness(&(struct one_shots){ fire_whole, c }, &lengths, halt, to))
        return false;
    if (to->late < 2 * to->floor) /* the way in out of a task's own mode is longer, by as much as the whole at most */
        to->late = 2 * to->floor;
    return true;
}

/* What is asked for counts; and what no measurement found, as of a source that ticks by itself, is never late. */
static const char *measure_latencies(struct cpuprobe *c)
{
    struct probe *const p = &c->probe;

    p->running = p->halted = (struct probe_lateness){ 0, UINT64_MAX };
    if (c->port.arm == NULL)
        return NULL;
    if (clock_step(c) > part_of_second(c, SHOT_PART) * c->facts.per_65536 >> 17)
        return COARSE;
    if (!measure_lateness(c, &p->running, false))
        return "a one-shot did not interrupt, while code ran";
    if (p->running.floor == 0 && p->counts_left != NULL) /* less than a count */
        p->running.floor = 1;
    p->halted = p->running;
    if (c->port.wait != NULL && !measure_lateness(c, &p->halted, true))
        return "a one-shot did not interrupt, out of port.wait";
    if (p->running.floor == 0)
        return COARSE;
    if (c->options.nmi) /* no section masks an NMI: one that is late out of a halt is still IDLE's */
        p->halted.late = UINT64_MAX;
    if (c->options.late != 0)
        p->running.late = p->halted.late = c->options.late;
    if (c->options.late_idle != 0)
        p->halted.late = c->options.late_idle;
    return NULL;
}

/* What no machine has, where clock, source and handler are right. */
static const char *check_found(const struct cpuprobe *c)
{
    const uint64_t mean = divide64(c->facts.clock_hz, c->facts.rate);

    if (c->port.arm == NULL)
        return NULL;
    if (c->options.late == 0 && c->probe.running.late > mean)
        return "ticks are late by more than a mean interval: is the processor held up all the time, or does port.arm "
               "arm for more counts than it is told?";
    if (c->facts.handler > mean / 2)
        return "a tick takes more than half a mean interval: is options.rate too high, or is port.clock or port.arm "
               "slow?";
    return NULL;
}

/* The mean interval, clock units, 48.16. */
static uint64_t mean_of(const struct cpuprobe *c, uint32_t rate)
{
    return divide64(c->facts.clock_hz << 16, rate);
}

const char *port_plan(const struct cpuprobe *c, enum interval_policy policy, uint32_t rate, struct schedule *to)
{
    const struct port_facts *const f = &c->facts;
    const uint64_t mean = mean_of(c, rate);
    const unsigned shift = schedule_shift(mean);
    const bool relative = c->port.arm == NULL;
    const char *const why = schedule_init(to, &(struct schedule_request){
        .policy = policy, .mean = relative ? f->mean : mean >> shift, .minimum = relative, .spread = 1000,
        .seed = f->seed,
    });

    if (why == NULL && !relative && schedule_crowded(to, f->handler >> shift) > CROWD_MOST)
        return "more than 1 in 20 of the points would fall into handlers of ticks: the rate is too high";
    return why;
}

const char *port_schedule(struct cpuprobe *c, enum interval_policy policy, uint32_t rate)
{
    const struct port_facts *const f = &c->facts;
    struct probe *const p = &c->probe;

    p->relative = c->port.arm == NULL;
    p->shift = schedule_shift(mean_of(c, rate));
    p->exit = f->exit;
    p->room = f->exit < f->handler ? 2 * f->handler : UINT64_MAX / 2; /* a trial reads the clock in each tick */
    return port_plan(c, policy, rate, &p->schedule);
}

/* Some ticks, as they will be: their length, and that they come. */
static const char *measure_handler(struct cpuprobe *c)
{
    const uint32_t trials = c->port.arm != NULL ? TRIALS : OWN_TRIALS;
    uintptr_t was;

    c->facts.minimum = 1;
    c->facts.handler = c->facts.exit = divide64(c->facts.clock_hz, TRIAL_PART * CROWD_MOST); /* more than it takes */
    port_schedule(c, c->facts.policy, TRIAL_PART);
    probe_prepare(&c->probe);
    point_queue_fill(&c->probe.queue, point_queue_most(&c->probe.queue));
    was = c->port.lock();
    c->trials = 0;
    c->handler = c->lead = c->exit = c->last = 0;
    c->phase = PORT_TRIAL;
    port_arm(c, probe_begin(&c->probe, now(c)));
    c->port.unlock(was);
    while (c->trials < trials && wait_tick(c, c->trials))
        continue;
    was = c->port.lock();
    c->phase = PORT_IDLE;
    c->port.unlock(was);
    if (c->trials < trials)
        return "no tick came: are interrupts on, and does the source's handler call cpuprobe_tick()?";
    c->facts.handler = c->probe.running.floor + divide64(c->handler, c->trials);
    c->facts.lead = c->probe.running.floor + divide64(c->lead, c->trials);
    /* the way out is taken as long as the way in */
    c->facts.exit = c->probe.running.floor + divide64(c->exit, c->trials);
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

/* The one-shots with which it is measured are up to a twenty-fifth of a second long, and a tick can wait. */
static const char *check_turn(const struct cpuprobe *c, uint64_t hz)
{
    return c->probe.turn != 0 && c->probe.turn < hz / TURN_PART
               ? "port.clock begins again in less than a quarter of a second: it needs more bits, or fewer Hz" : NULL;
}

const char *port_measure(struct cpuprobe *c)
{
    const char *why = check_turn(c, c->port.clock_hz);

    if (why == NULL)
        why = measure_clock(c);
    if (why == NULL)
        why = check_turn(c, c->facts.clock_hz);
    if (why == NULL && (c->facts.per_65536 == 0 || c->facts.clock_hz == 0))
        why = "port.clock is too slow for port.source_hz";
    if (why == NULL)
        why = measure_latencies(c);
    if (why == NULL)
        why = measure_handler(c);
    if (why == NULL)
        why = check_found(c);
    if (why == NULL)
        find_minimum(c);
    return why;
}
