/* SPDX-License-Identifier: MIT */
/*
 * The NMI's handler, and the route of a device's line to it.  Intel SDM 3A, 6.7 (NMIs are
 * blocked until IRET, any IRET) and 11.11 (delivery); Intel 82093AA data sheet.
 */
#include "kernel/source/nmi.h"

#include "drivers/io.h"
#include "drivers/ioapic.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "kernel/account/exact_time.h"
#include "kernel/boot_info.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/irq.h"
#include "kernel/io/log.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/source/nmi_state.h"
#include "kernel/source/tick_record.h"

#define DEVICES     32    /* the first vector that is no exception */
#define STUB_BYTES  16    /* kernel/cpu/vectors.asm */
#define NMI_TRIES   3     /* of a measurement */

extern const uint8_t vector_stubs[], interrupt_entry[], interrupt_clock[], halt_done[], restart_text_end[];

static uint64_t strays;               /* NMI only */
static volatile uint64_t nested;      /* the same */
struct nmi_state nmi_state;           /* legend in nmi_state.h */

/* No line is open: a stray NMI. */
static uint64_t no_line(const struct cpu_frame *f, uint64_t now)
{
    (void)f;
    strays++;
    return now;
}

/* Of the open line; changed with interrupts off. */
static uint64_t (*handler)(const struct cpu_frame *f, uint64_t now) = no_line;

static uint64_t (*ticks)(const struct cpu_frame *f, uint64_t now); /* that of tick_and_mark() */

/* Raw samples tell whether interrupts were off.  A handler of its own, so that no other tick is longer. */
static uint64_t tick_and_mark(const struct cpu_frame *f, uint64_t now)
{
    const uint64_t put = probe.samples->put, end = ticks(f, now);

    for (uint64_t at = put; at != probe.samples->put; at++)
        samples_mark(probe.samples, at, (f->rflags & RFLAGS_IF) == 0);
    return end;
}

static void (*after)(const struct cpu_frame *f); /* NULL: nothing; interrupts off */

/* The next interval is armed: what takes longer may run. */
static uint64_t tick_mark_and_more(const struct cpu_frame *f, uint64_t now)
{
    const uint64_t end = tick_and_mark(f, now);

    after(f);
    return end;
}

void nmi_set_after(void (*more)(const struct cpu_frame *f))
{
    after = more;
}

uint64_t nmi_last_reading(void)
{
    return nmi_state.exit_time - nmi_state.exit_cost;
}

uint64_t nmi_exit_time(void)
{
    return nmi_state.exit_time;
}

void nmi_set_exit_cost(uint64_t clocks)
{
    nmi_state.exit_time += clocks - nmi_state.exit_cost;
    nmi_state.exit_cost = clocks;
}

uint64_t nmi_nested(void)
{
    return nested;
}

uint64_t nmi_strays(void)
{
    return strays;
}

void nmi_count_stray(void)
{
    strays++;
}

/* In the entry stub of an interrupt, before it has set in_interrupt. */
static bool is_entering(uint64_t rip)
{
    const uint8_t *const first = vector_stubs + DEVICES * STUB_BYTES;

    return rip - (uint64_t)first <= (uint64_t)(interrupt_entry - first);
}

/*
 * In ring 0 `current` may change just now, during a task switch: there time belongs to the task
 * whose stack is in use.
 */
void nmi_locate(const struct cpu_frame *f, struct probe_event *e)
{
    const bool kernel = frame_ring(f->cs) == 0;
    const struct task *t = kernel ? task_of_stack(f->rsp) : current;

    e->sample.pc = f->rip;
    e->sample.task = t->id;
    e->sample.mode = tick_mode(f->cs);
    if (kernel && (in_interrupt || is_entering(f->rip)))
        e->sample.mode = MODE_INTERRUPT;
    e->halted = t->id == ROW_IDLE && e->sample.mode == MODE_KERNEL;
}

/* The time from `from` to the end of IRETQ goes to MONITOR. */
static uint64_t charge_monitor(uint64_t from)
{
    const uint64_t end = rdtsc() + nmi_state.exit_cost;

    nmi_charge(from, end);
    return end;
}

/* What continue_at() changes is here alone. */
static inline bool is_in_stubs(uint64_t rip)
{
    return rip - (uint64_t)interrupt_clock < (uint64_t)(restart_text_end - interrupt_clock);
}

/* Where the interrupted code of ring 0 or 1 goes on: after the sample has taken the real address. */
static void continue_at(struct cpu_frame *f)
{
    account_restart_read(f);
    if (f->rip - (uint64_t)halt_until < (uint64_t)halt_done - (uint64_t)halt_until && frame_ring(f->cs) == 0)
        f->rip = (uint64_t)halt_done; /* the NMI that it is about to halt for has come */
}

/*
 * Called by kernel/cpu/vectors.asm.  An NMI during this one (any IRET unblocks NMIs, also that of
 * an SMI handler) has another stack and leaves its work to this one while `busy` is set.  After
 * that it is handled by itself: a later NMI follows our frame back to the code that we interrupted.
 */
void nmi_interrupt(struct cpu_frame *f, uint64_t now)
{
    struct cpu_frame *below;

    if (nmi_state.busy) {
        nested++;
        nmi_state.again = true;
        return;
    }
    nmi_state.busy = true;
    NMI_STRIKE(1);
    while (frame_ring(f->cs) == 0 && (below = cpu_nmi_frame(f->rsp)) != 0)
        f = below;
    for (;;) {
        nmi_state.again = false;
        now = charge_monitor(handler(f, now));
        NMI_STRIKE(2);
        nmi_state.busy = false;
        if (!nmi_state.again)
            break;
        nmi_state.busy = true;
    }
    if (__builtin_expect(now >= timer_watch, 0) && f->rflags & RFLAGS_IF)
        timer_look(now, true);
    if (is_in_stubs(f->rip) && frame_ring(f->cs) != 3)
        continue_at(f);
    NMI_STRIKE(3);
}

void nmi_open(const struct nmi_line *line)
{
    ticks = line->handler;
    handler = (probe.monitors & PROBE_SAMPLES) == 0 ? line->handler : after != 0 ? tick_mark_and_more : tick_and_mark;
    ioapic_nmi(DIRECT_BASE, line->pin, lapic_id());
}

void nmi_close(const struct nmi_line *line)
{
    ioapic_mask(DIRECT_BASE, line->pin);
    handler = no_line;
}

bool nmi_can_come(struct refusal *why)
{
    if (!lapic_in_use())
        return REFUSE(why, "this CPU has no local APIC that would bring it");
    return lapic_takes_messages() ||
           REFUSE_WITH(why, "%1 is too great an id of this CPU's local APIC for an interrupt through an I/O APIC",
                       REFUSAL_NUMBER(lapic_id()));
}

bool nmi_route(struct nmi_line *line, struct nmi_proof *proof)
{
    *proof = (struct nmi_proof){ .pins = 0 };
    if (!lapic_takes_messages())
        return false;
    proof->pins = ioapic_mask_all(DIRECT_BASE);
    pic_mask(line->irq);
    idt_set_nmi(true);
    for (unsigned i = 0; i < line->tries && line->tried[i] < proof->pins; i++) {
        line->pin = line->tried[i];
        nmi_open(line);
        proof->arrived[i] = line->prove();
        if (proof->arrived[i] == line->shots)
            return true;
        nmi_close(line);
    }
    return false;
}

/*
 * An NMI that nobody asked for is no shot (the sources' handlers tell by their counters), but its handler can hold a
 * shot up: then the measurement is repeated, and the smallest values count,
 * for whatever holds a shot up makes it later.
 */
static struct probe_lateness lateness(struct one_shot_timer *t, bool halt)
{
    struct probe_lateness least = { UINT64_MAX, UINT64_MAX };
    uint64_t before = 0;

    for (int i = 0; i < NMI_TRIES && (i == 0 || strays != before); i++) {
        struct probe_lateness found;

        before = strays;
        found = one_shot_lateness(t, halt);
        least.floor = found.floor < least.floor ? found.floor : least.floor;
        least.late = found.late < least.late ? found.late : least.late;
    }
    if (strays != before)
        log_line(LOG_WARNING, "NMIs that nobody asked for came each time that the latency of NMIs was measured: "
                              "it may be too long");
    return least;
}

void one_shot_nmi_lateness(struct one_shot_timer *t, struct probe_lateness *running, struct probe_lateness *halted)
{
    *running = lateness(t, false);
    *halted = lateness(t, true);
    halted->late = UINT64_MAX; /* no section masks an NMI: one that is late out of HLT is still IDLE's */
}
