/* SPDX-License-Identifier: MIT */
/* What was found of this machine's ticks at the start: deliveries and sources. */
#include "kernel/tick/tick_survey.h"

#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/idt.h"
#include "kernel/io/format.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/sampler.h"
#include "kernel/tick/source_pit.h"
#include "kernel/tick/window.h"

#define DELIVERIES 2
#define IRQ_PIT    0
#define RECORDS    12 /* source_at() and source_nmi_at() together have less */

static const char not_measured[] = "not measured at the start: health=off, or tick=none";

static struct way ways[DELIVERIES] = { { .why = not_measured }, { .why = not_measured } }; /* set at the start, as the next */

static struct record {
    const struct source *source;
    bool unmasked;
    struct found found;
    char said[SAY_LINE]; /* why, or the note */
} records[RECORDS];

static char no_nmi[SAY_LINE]; /* why */
static char stopped[DELIVERIES][SAY_LINE]; /* why */
static bool closed;           /* set once */

static void refuse_nmi(const struct nmi_proof *proof)
{
    const char *why;

    if (!lapic_in_use())
        why = "this CPU has no local APIC that would bring it";
    else if (proof->pins == 0)
        why = "no I/O APIC answers at 0xfec00000";
    else if (calibrate_lost() != 0)
        why = sentence("as NMI ", calibrate_lost());
    else
        why = sentence("of ", DECIMAL(PIT_PROOFS), " one-shots of the PIT ", DECIMAL(proof->arrived[0]),
                       " came as NMI through pin ", DECIMAL(source_pit_tried(0)),
                       " of the I/O APIC, and ", DECIMAL(proof->arrived[1]), " through pin ",
                       DECIMAL(source_pit_tried(1)));
    text_copy(no_nmi, why, sizeof no_nmi);
}

/* The latencies of NMIs, or false. */
static bool calibrate_nmi(struct calibration *c)
{
    struct nmi_proof proof;

    probe.unmasked = true;
    if (calibrate_unmasked(c, &proof))
        return true;
    refuse_nmi(&proof);
    probe.unmasked = false;
    pic_unmask(IRQ_PIT);
    return false;
}

void found_measure(bool unmasked, const struct calibration *c, const struct monitoring *m)
{
    struct way *const w = &ways[unmasked];
    const char *why;

    w->calibration = *c;
    if (unmasked && !calibrate_nmi(&w->calibration)) {
        w->why = no_nmi;
        return;
    }
    found_put(unmasked);
    if (m == 0)
        return;
    why = calibrate_handler(&w->cost);
    w->monitors = monitors_clocks(m);
    text_copy(stopped[unmasked], why != 0 ? why : "", sizeof stopped[unmasked]);
    w->why = why != 0 ? stopped[unmasked] : 0;
}

const struct way *found_way(bool unmasked)
{
    return &ways[unmasked];
}

/*
 * The account's clock goes on where it stood.  A tick that can be masked takes the
 * machine's clock for it (account_leave): then nothing may be stolen.
 */
static void rebase_account(void)
{
    account.last += account.stolen;
    account.stolen = 0;
}

void found_put(bool unmasked)
{
    const struct calibration *const c = &ways[unmasked].calibration;

    idt_nmi(unmasked); /* first: one that steals may not come after the account is set back */
    rebase_account();
    probe.unmasked = unmasked;
    probe.running = c->running;
    probe.halted = c->halted;
    source_pit_set_clock(c->per_65536, c->behind, c->running.late,
                         cpu.invariant_tsc && !c->tsc_stops);
    tick_facts.calibration = *c;
}

static struct record *record_of(const struct source *s, bool unmasked)
{
    for (unsigned i = 0; i < RECORDS && records[i].source != 0; i++)
        if (records[i].source == s && records[i].unmasked == unmasked)
            return &records[i];
    return 0;
}

static struct record *add(const struct source *s)
{
    for (unsigned i = 0; i < RECORDS; i++)
        if (records[i].source == 0) {
            records[i].source = s;
            records[i].unmasked = probe.unmasked;
            return &records[i];
        }
    return 0;
}

static const char *keep(struct record *r, const char *said)
{
    text_copy(r->said, said, sizeof r->said);
    return r->said;
}

void found_look(const struct source *s, uint32_t rate)
{
    const struct calibration *const c = &ways[probe.unmasked].calibration;
    const struct source *const before = tick_source;
    const char *why = "its timer is the system clock's";
    struct record *r = record_of(s, probe.unmasked);

    if (closed || r != 0 || (r = add(s)) == 0)
        return;
    r->found.facts = (struct source_facts){ .running = c->running, .halted = c->halted };
    if (s->vector != timer_vector()) {
        tick_source = s; /* its interrupts come to it */
        why = s->find(&r->found.facts, c, rate);
        if (why == 0 && s->varies && !s->calibrated)
            why = calibrate_source(&r->found.cost, &r->found.facts);
        tick_source = before;
    }
    if (why != 0)
        r->found.why = keep(r, why);
    else if (r->found.facts.note != 0)
        r->found.facts.note = keep(r, r->found.facts.note);
}

const struct found *found_source(const struct source *s, bool unmasked)
{
    static struct found none;
    const struct record *const r = record_of(s, unmasked);

    none.why = ways[unmasked].why != 0 ? ways[unmasked].why : not_measured;
    return r != 0 ? &r->found : &none;
}

void found_look_around(bool all)
{
    const bool before = probe.unmasked;
    const struct source *s;

    for (int way = 0; way < DELIVERIES; way++) {
        if (ways[way].why != 0)
            continue;
        found_put(way);
        for (unsigned i = 0; (s = source_by(i, way)) != 0; i++)
            if (all || s->calibrated)
                found_look(s, 0);
    }
    found_put(before);
}

void found_close(void)
{
    closed = true;
}
