/* SPDX-License-Identifier: MIT */
/*
 * A comparator of the HPET as tick source: a one-shot, armed in the handler.  It comes by a message of its own,
 * through an input of an I/O APIC, or in the place of IRQ 0: the first way that brings every shot of a proof.  Each
 * way ends at the local APIC.  IA-PC HPET specification 1.0a, 2.3.8 and 2.3.9; Intel SDM 3A, 11.11.
 */
#include "drivers/io.h"
#include "kernel/measure/one_shot.h"
#include "kernel/source/source_hpet.h"

#include "drivers/hpet.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/irq.h"
#include "kernel/firmware/gsi.h"
#include "kernel/io/log.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/measure/yardstick.h"
#include "kernel/source/nmi.h"
#include "kernel/source/one_shot_tick.h"

#define IRQ_8254     0u
#define PROOF_PART   1000u /* of a second: a shot of the proof */
#define PROOF_WAIT   100u  /* each is waited for a 100th of a second */
#define LIMIT_PART   4u    /* of a second: a shot is waited for 0.25 s */
#define LOOK_PART    5657u /* of a second: the shortest shot whose latency is measured */
#define COUNTS_MOST  0x7fffffffu
#define ROUTES       32u
#define COMPARATORS  4u    /* that are tried */
#define MESSAGE      0xfee00000u /* the local APIC's address for messages, its id from bit 12 on */
#define MESSAGE_ID   12

enum way { WAY_NONE, WAY_MESSAGE, WAY_INPUT, WAY_LEGACY };

static enum way way;       /* set once, as the next four */
static unsigned comparator;
static unsigned gsi;       /* WAY_INPUT, WAY_LEGACY */
static bool looked;
static struct refusal refused;
static uint64_t proof_wait; /* clock units; before the probe runs */

/* It was armed to interrupt at a count that has not come yet. */
static bool is_counting(void)
{
    return hpet_left(comparator) > 0;
}

static void quiet(void)
{
    hpet_stop(comparator);
}

static struct one_shot_tick ticks = { .name = "the HPET" };

ONE_SHOT_INLINE uint64_t arm(uint64_t counts)
{
    uint64_t clock;
    const uint32_t left = hpet_arm(comparator, (uint32_t)counts, &clock);

    return clock + one_shot_tick_clocks(&ticks, left);
}

static const struct one_shot_device device = { .arm = arm, .is_counting = is_counting, .quiet = quiet };

static uint64_t arm_once(uint32_t counts)
{
    return one_shot_tick_arm_once(&ticks, &device, counts);
}

static void interrupt(const struct cpu_frame *f, uint64_t now)
{
    one_shot_tick_interrupt(&ticks, &device, f, now);
}

/* ---- its way ---- */

/* Far away: what the comparator was left at may be near. */
static void route(void)
{
    arm(COUNTS_MOST);
    if (way == WAY_MESSAGE)
        hpet_route_message(comparator, MESSAGE | lapic_id() << MESSAGE_ID, HPET_VECTOR);
    else
        hpet_route(comparator, gsi);
    hpet_replace_legacy(way == WAY_LEGACY);
}

static void open(void)
{
    if (way != WAY_MESSAGE)
        gsi_open(gsi, HPET_VECTOR);
    route();
}

/*
 * A chipset that wires interrupt 2 to the cascade of the 8259 too, as QEMU's pc does, leaves a request there for each
 * one-shot: it is let in while the second chip has none, and not counted as spurious.  Interrupts off.
 */
static void drain_cascade(void)
{
    const uint8_t masks = inb(PIC_MASTER_MASK);

    irq_ignore_spurious(true);
    outb(PIC_MASTER_MASK, masks & (uint8_t)~(1u << 2));
    cpu_take_pending();
    outb(PIC_MASTER_MASK, masks);
    irq_ignore_spurious(false);
}

/* A request that is pending in the local APIC is let in and ignored. */
static void close(void)
{
    quiet();
    hpet_replace_legacy(false);
    cpu_take_pending();
    if (way != WAY_MESSAGE)
        gsi_mask(gsi);
    drain_cascade();
}

/* Fire one-shots until one does not come; returns how many came.  As NMI they come with interrupts off. */
static unsigned fire(bool nmi)
{
    unsigned came = 0;

    while (came < HPET_PROOFS) {
        const uint64_t begin = arm_once(ticks.hz / PROOF_PART);

        if (!nmi)
            cpu_interrupts_on();
        while (ticks.fired == 0 && rdtsc() - begin < proof_wait)
            continue;
        cpu_interrupts_off();
        if (ticks.fired == 0)
            break;
        came++;
    }
    return came;
}

static bool is_proven(enum way by, unsigned input)
{
    unsigned came;

    way = by;
    gsi = input;
    open();
    came = fire(false);
    if (came == HPET_PROOFS)
        return true;
    close();
    return false;
}

/* The inputs that are no line of the ISA bus first: another device may have those. */
static bool find_input(void)
{
    const uint32_t routes = hpet_routes(comparator);

    for (unsigned n = ROUTES; n-- > 0;)
        if (routes >> n & 1 && n < gsi_inputs() && is_proven(WAY_INPUT, n))
            return true;
    return false;
}

static bool find_way(void)
{
    for (comparator = 0; comparator < hpet_timers() && comparator < COMPARATORS; comparator++)
        if ((hpet_has_messages(comparator) && is_proven(WAY_MESSAGE, 0)) || find_input())
            return true;
    comparator = 0;
    return is_proven(WAY_LEGACY, gsi_of_irq(IRQ_8254));
}

static bool look(uint64_t clock_hz)
{
    if (!hpet_in_use())
        return REFUSE(&refused, "there is no HPET");
    if (!lapic_in_use())
        return REFUSE(&refused, "this CPU has no local APIC that would bring its interrupt");
    if (!lapic_takes_messages())
        return REFUSE_WITH(&refused, "%1 is too great an id of this CPU's local APIC for an interrupt of the HPET",
                           REFUSAL_NUMBER(lapic_id()));
    ticks.hz = (uint32_t)(hpet_hz_milli() / 1000);
    ticks.factor = mul_div64(yardstick_of(YARDSTICK_HPET), 1000ull << ONE_SHOT_FACTOR, hpet_hz_milli());
    if (ticks.factor == 0)
        return REFUSE(&refused, "the HPET stands still");
    proof_wait = clock_hz / PROOF_WAIT;
    irq_register_tick(HPET_VECTOR, interrupt, false);
    if (find_way())
        close();
    else
        way = WAY_NONE;
    return way != WAY_NONE ||
           REFUSE(&refused, "the HPET's interrupt arrives neither by message, nor through an input of an I/O APIC, "
                            "nor as IRQ 0");
}

bool source_hpet_find(uint64_t clock_hz, struct refusal *why)
{
    if (!looked) {
        yardstick_measure();
        look(clock_hz);
    }
    looked = true;
    return way != WAY_NONE || refusal_set(why, &refused);
}

void source_hpet_put(struct text_buf *b)
{
    if (way == WAY_NONE)
        return;
    buf_parts(b, ", comparator ", DECIMAL(comparator), way == WAY_MESSAGE ? " by messages" : " at interrupt ",
              way == WAY_MESSAGE ? "" : DECIMAL(gsi), way == WAY_LEGACY ? " in the place of IRQ 0" : "");
}

static struct one_shot_timer shots_of(uint64_t clock_hz)
{
    return (struct one_shot_timer){
        .name = ticks.name, .arm = arm_once, .fired = &ticks.fired, .longest = clock_hz / LIMIT_PART,
        .shortest = ticks.hz / LOOK_PART, .clocks_q24 = ticks.factor,
    };
}

struct one_shot_timer source_hpet_shots(uint64_t clock_hz)
{
    open();
    return shots_of(clock_hz);
}

void source_hpet_alarm(uint32_t milliseconds)
{
    arm(ticks.hz / 1000 * milliseconds);
}

void source_hpet_alarm_off(void)
{
    arm(COUNTS_MOST);
}

/* ---- the source ---- */

/* The error of its rate over a one-shot as long is an eighth of what shots in time differ by. */
static void limit_one_shots(void)
{
    const uint32_t error = yardstick_error_ppm(YARDSTICK_HPET);

    ticks.longest = error != 0 ? ticks.slack * 1000000 / (CALIBRATE_PARTS * error) : 0;
    one_shot_tick_set_factor(&ticks);
}

static void stop(void)
{
    ticks.running = false;
    close();
}

static void start(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)f;
    ticks.slack = p->running.late - p->running.floor; /* not that of the other delivery */
    limit_one_shots();
    open();
    one_shot_tick_begin(&ticks, &device, p, first);
}

/* Its rate is what the yardstick found; its latencies are its own. */
static void set_facts(struct source_facts *f)
{
    f->hz_milli = hpet_hz_milli();
    f->clock_65536 = (ticks.factor + (1u << (ONE_SHOT_FACTOR - 17))) >> (ONE_SHOT_FACTOR - 16);
}

static bool measure(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    struct one_shot_timer shots = source_hpet_shots(c->rate.clock_hz);

    set_facts(f);
    return one_shot_tick_measure(&ticks, &shots, f, why);
}

static bool detect(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    bool works;

    if (!source_hpet_find(c->rate.clock_hz, why))
        return false;
    if (c->tsc_stops)
        return REFUSE(why, "the TSC stops in HLT, and nothing else tells how late the HPET's tick is");
    if (way == WAY_LEGACY && timer_vector() == PIC_SLAVE_VECTOR)
        return REFUSE(why, "in the place of IRQ 0 the HPET takes the RTC's interrupt too, and the RTC is the "
                           "system clock");
    works = measure(f, c, why);
    stop();
    return works;
}

static bool set_rate(struct source_facts *f, const struct source_request *r, struct refusal *why)
{
    return one_shot_tick_set_rate(&ticks, f, r->rate, COUNTS_MOST, why);
}

/*
 * In 32 bits a comparator interrupts, too, when the counter comes round (2.3.9.2.1):
 * so often since the start at most.
 */
static uint64_t wraps(void)
{
    return (mul_div64(rdtsc() - run_state->start, 1u << ONE_SHOT_FACTOR, ticks.factor) >> 32) + 1;
}

static void report(void)
{
    if (way == WAY_NONE)
        return;
    one_shot_tick_report(&ticks, wraps());
    if (hpet_missed() != 0)
        log_line(LOG_NOTE, DECIMAL(hpet_missed()), " comparators of the HPET were written too late and armed anew");
}

const struct source source_hpet = {
    .name = "hpet", .what = "HPET, one-shot, armed in the handler",
    .variable = true, .vector = HPET_VECTOR,
    .detect = detect, .set_rate = set_rate, .start = start, .stop = stop, .interrupt = interrupt, .report = report,
};

/* ---- the same as NMI ---- */

/* It needs no EOI, and no second one comes before its IRETQ.  The counter tells whether the NMI is the tick. */
static uint64_t nmi_tick(const struct cpu_frame *f, uint64_t now)
{
    struct probe_event e = { .sample.time = now, .lateness = now - ticks.due };
    uint64_t next;

    nmi_locate(f, &e);
    if (is_counting()) {
        if (ticks.running) /* before a run it is most likely the HPET's own: its line changes while it is set up */
            nmi_count_stray();
        return now;
    }
    if (!ticks.running) {
        ticks.fired = now;
        return now;
    }
    if ((int64_t)e.lateness < 0)
        e.lateness = 0;
    if (ticks.target != 0) {
        one_shot_tick_arm_for(&ticks, &device, ticks.target);
        return probe_monitor_start(&probe, &e);
    }
    next = probe_tick_nmi(&probe, &e);
    if (next != 0)
        one_shot_tick_arm(&ticks, &device, next);
    else
        one_shot_tick_quiet(&ticks, &device);
    return probe_monitor_start(&probe, &e);
}

static unsigned prove(void)
{
    route();
    return fire(true);
}

static struct nmi_line line = { .irq = IRQ_8254, .tries = 1, .shots = HPET_PROOFS, .prove = prove,
                                .handler = nmi_tick };

bool source_hpet_route(struct nmi_proof *proof, uint64_t clock_hz)
{
    *proof = (struct nmi_proof){ .pins = 0 };
    if (way != WAY_INPUT && way != WAY_LEGACY)
        return false;
    proof_wait = clock_hz / PROOF_WAIT;
    line.tried[0] = gsi;
    return nmi_route(&line, proof);
}

static void stop_nmi(void)
{
    nmi_close(&line);
    ticks.running = false;
    quiet();
    hpet_replace_legacy(false);
    drain_cascade();
}

/* CLI does not mask an NMI: all that the handler uses is set before the comparator is. */
static void start_nmi(struct probe *p, const struct source_facts *f, uint64_t first)
{
    (void)p;
    (void)f;
    route();
    nmi_open(&line);
    limit_one_shots();
    ticks.owner = &probe;
    ticks.running = true;
    __asm__ volatile("" : : : "memory");
    one_shot_tick_arm(&ticks, &device, first);
}

static bool measure_nmi(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    struct one_shot_timer shots = shots_of(c->rate.clock_hz);

    set_facts(f);
    one_shot_nmi_lateness(&shots, &f->running, &f->halted);
    ticks.slack = f->running.late - f->running.floor;
    limit_one_shots();
    return one_shot_check(&shots, why);
}

static bool detect_nmi(struct source_facts *f, const struct calibration *c, struct refusal *why)
{
    struct nmi_proof proof;
    bool works;

    if (!source_hpet_find(c->rate.clock_hz, why))
        return false;
    if (!source_hpet_route(&proof, c->rate.clock_hz))
        return REFUSE_WITH(why, "of %1 one-shots of the HPET %2 came as NMI", REFUSAL_NUMBER(HPET_PROOFS),
                           REFUSAL_NUMBER(proof.arrived[0]));
    works = measure_nmi(f, c, why);
    stop_nmi();
    return works;
}

const struct source source_hpet_nmi = {
    .name = "hpet", .what = "HPET as NMI, one-shot, armed in the handler",
    .variable = true, .detect = detect_nmi, .set_rate = set_rate, .start = start_nmi, .stop = stop_nmi,
    .report = report,
};
