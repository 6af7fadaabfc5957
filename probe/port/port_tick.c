/* SPDX-License-Identifier: MIT */
/*
 * The tick of a port: what the interrupt of the source does.  The same functions under it as in any
 * kernel (probe/core/probe.h), with the callbacks of the port for clock and source.
 */
#include "probe/port/port.h"
#include "probe/schedule/arithmetic.h"

_Static_assert((unsigned)CPUPROBE_USER == MODE_USER && (unsigned)CPUPROBE_SUPERVISOR == MODE_SUPERVISOR &&
               (unsigned)CPUPROBE_KERNEL == MODE_KERNEL && (unsigned)CPUPROBE_INTERRUPT == MODE_INTERRUPT,
               "the modes of the header are those of the core");
_Static_assert(CPUPROBE_IDLE == ROW_IDLE && CPUPROBE_ANY == ROW_ANY, "and so are the ids");

/* Counts to a time, or of a piece of the way there. */
static uint32_t next_piece(struct cpuprobe *c, uint64_t time, uint64_t now)
{
    bool piece;
    const uint64_t counts = one_shot_way_to(&c->facts.to, time, now, c->probe.exit,
                                            &piece) * c->facts.counts_q32 >> 32;

    c->target = piece ? time : 0;
    return counts != 0 ? (uint32_t)counts : 1;
}

void port_start(struct cpuprobe *c, uint32_t counts)
{
    const uint64_t now = c->probe.counts_left != NULL ? probe_clock(&c->probe) : 0;

    c->port.arm(counts);
    c->probe.expiry = now + counts;
}

void port_arm(struct cpuprobe *c, uint64_t time)
{
    uint64_t now, began;
    uint32_t piece;

    if (c->port.arm == NULL)
        return;
    now = probe_clock(&c->probe);
    piece = next_piece(c, time, now);
    port_start(c, piece);
    began = probe_clock(&c->probe);
    c->armed = piece * c->facts.per_65536 >> 16;
    c->due = began + c->armed;
    one_shot_way_began(&c->facts.to, now, began);
}

/* What no source does that is armed as told: a clock that goes back, a tick before half of its one-shot. */
static void doubt(struct cpuprobe *c, uint64_t time)
{
    const uint64_t since = time - c->seen;

    if ((int64_t)since < 0)
        c->doubt[PORT_CLOCK_BACK]++;
    else if (c->port.arm != NULL && (int64_t)(c->due - time) > (int64_t)(c->armed / 2))
        c->doubt[since < 2 * c->facts.handler ? PORT_TICK_AGAIN : PORT_TICK_EARLY]++;
}

void port_note_switch(struct cpuprobe *c, uint64_t now)
{
    if (c->phase != PORT_RUNS || c->port.arm == NULL || c->facts.policy == INTERVAL_EXPONENTIAL)
        return;
    c->switches++;
    c->behind += now - c->seen < c->soon;
    if (c->behind > c->switches / 2)
        c->doubt[PORT_SOURCE_SHARED] = c->behind;
}

/* The tick of a piece; one that comes behind the time itself was held up by a section with interrupts off. */
static void arm_rest(struct cpuprobe *c, uint64_t now)
{
    const uint64_t time = c->target;

    port_arm(c, time);
    if ((int64_t)(now - time) > 0)
        c->due = time;
}

/* Nobody waits for a tick, but a kernel may halt until its only interrupt comes. */
static void arm_idle(struct cpuprobe *c)
{
    port_arm(c, probe_clock(&c->probe) + divide64(c->facts.clock_hz, c->facts.rate));
}

/* Periods that passed without a tick, of a source that ticks by itself: bounded, because a clock can jump. */
static void count_missed(struct cpuprobe *c, uint64_t now)
{
    const uint64_t period = c->facts.clock_hz != 0 ? c->port.longest * c->facts.per_65536 >> 16 : 0;
    uint64_t since = now - c->last;

    for (unsigned i = 0; i < 1000 && c->last != 0 && since > period + period / 2; i++) {
        c->probe.counters.missed_overrun++;
        since -= period;
    }
    c->last = now;
}

/*
 * Whether interrupts were on all the while that a late tick waited: only an account knows.  A section with
 * interrupts off ends with a change of cell.
 */
static bool were_enabled(const struct cpuprobe *c, const struct probe_event *e)
{
    const struct account *const a = c->probe.account;

    return a != NULL && (int64_t)(a->last + 2 * c->probe.running.floor - (e->sample.time - e->lateness)) <= 0;
}

/* Count the tick; what is to be armed, 0: it was the last. */
static uint64_t count_tick(struct cpuprobe *c, struct probe_event *e)
{
    struct probe *const p = &c->probe;

    if (p->via_nmi)
        return probe_tick_nmi(p, e);
    e->enabled = probe_is_late(p, e) && were_enabled(c, e);
    if (p->account != NULL)
        probe_enter(p, e);
    return probe_is_late(p, e) ? probe_tick_late(p, e) : probe_tick_on_time(p, e);
}

static void record(struct cpuprobe *c, struct probe_event *e)
{
    struct account *const a = c->probe.account;
    uint64_t *const cell = a != NULL ? a->cell : NULL;
    uint64_t next, armed;

    if (c->port.arm == NULL)
        count_missed(c, e->sample.time);
    else if ((int64_t)(e->sample.time - c->due) > 0)
        e->lateness = e->sample.time - c->due;
    next = count_tick(c, e);
    if (next != 0)
        port_arm(c, next);
    else
        arm_idle(c);
    armed = c->seen = probe_clock(&c->probe);
    if (a != NULL)
        account_switch_at(a, armed, cell);
    if (c->phase != PORT_TRIAL)
        return;
    c->lead += armed - e->sample.time;
    c->handler += probe_clock(&c->probe) - e->sample.time;
    c->exit += probe_clock(&c->probe) - c->probe.looked;
    c->trials++;
}

/* Ids and modes of the port are checked: a wrong one must not write past a record, nor into a row of the core's. */
uint32_t port_checked_task(uint32_t task)
{
    return task <= CPUPROBE_TASK_MAX || task == CPUPROBE_IDLE ? task : CPUPROBE_TASK_MAX;
}

void cpuprobe_tick(struct cpuprobe *c, uint64_t pc, uint32_t task, enum cpuprobe_mode mode)
{
    struct probe_event e;

    if (c == NULL || c->phase == PORT_IDLE || c->phase == PORT_ENDED)
        return;
    e.sample.time = c->probe.known = probe_clock(&c->probe);
    if (c->phase == PORT_SHOT) {
        c->fired = e.sample.time != 0 ? e.sample.time : 1;
        c->trials++;
        return;
    }
    if (c->phase == PORT_RUNS)
        doubt(c, e.sample.time);
    if (c->target != 0) {
        arm_rest(c, e.sample.time);
        c->seen = probe_clock(&c->probe);
        return;
    }
    if (c->probe.close == PROBE_STOPPED) { /* till END is sent */
        arm_idle(c);
        return;
    }
    e.sample.pc = pc;
    /* in turn, as of a mixed load */
    e.sample.task = c->phase == PORT_TRIAL && c->trials % 2 != 0 ? ROW_IDLE : port_checked_task(task);
    e.sample.mode = (unsigned)mode < MODES ? (enum mode)mode : MODE_KERNEL;
    e.lateness = 0;
    e.enabled = false;
    e.halted = task == CPUPROBE_IDLE;
    record(c, &e);
}
