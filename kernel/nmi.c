/* SPDX-License-Identifier: MIT */
/*
 * The NMI's handler and its way from the PIT.  Intel SDM 3A, 6.7 (NMIs are
 * blocked until IRET, any IRET) and 11.11 (delivery); Intel 82093AA data sheet.
 */
#include "kernel/nmi.h"

#include "drivers/io.h"
#include "drivers/ioapic.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "kernel/account.h"
#include "kernel/boot_info.h"
#include "kernel/idt.h"
#include "kernel/interrupt.h"
#include "kernel/source_pit.h"
#include "kernel/task.h"
#include "kernel/tick_take.h"

#define IRQ_PIT     0
#define PROOF_COUNT 1193u /* 1 ms */
#define PROOF_WAIT  100   /* a 100th of a second for each */
#define DEVICES     32    /* the first vector that is no exception */
#define STUB_BYTES  16    /* kernel/vectors.asm */

/* A test strikes here with another NMI (tests/qemu/nested.h). */
#ifndef NMI_STRIKE
#define NMI_STRIKE(place) ((void)0)
#endif

extern const uint8_t vector_stubs[], interrupt_entry[], halt_done[];

static unsigned pin;                  /* set once */
static uint64_t tail;                 /* set once */
static volatile bool busy, again;     /* NMI only */
static volatile uint64_t nested;      /* the same */
static volatile uint64_t read_at;     /* the same */

uint64_t nmi_read_at(void)
{
    return read_at;
}

uint64_t nmi_left_at(void)
{
    return read_at + tail;
}

void nmi_set_tail(uint64_t clocks)
{
    tail = clocks;
}

uint64_t nmi_nested(void)
{
    return nested;
}

/* The way into a device's handler, before it could say that it runs. */
static bool is_entering(uint64_t rip)
{
    const uint8_t *const first = vector_stubs + DEVICES * STUB_BYTES;

    return rip - (uint64_t)first <= (uint64_t)(interrupt_entry - first);
}

/*
 * At ring 0 `current` may be half-way from one task to the next: there time
 * belongs to the task on whose stack it is spent.
 */
void nmi_place(const struct cpu_frame *f, struct probe_event *e)
{
    const bool kernel = frame_ring(f->cs) == 0;
    const struct task *t = kernel ? task_of_stack(f->rsp) : current;

    e->sample.pc = f->rip;
    e->sample.task = t->id;
    e->sample.mode = tick_mode(f->cs);
    if (kernel && (interrupt_running || is_entering(f->rip)))
        e->sample.mode = MODE_INTERRUPT;
    e->halted = t->id == ROW_IDLE && e->sample.mode == MODE_KERNEL;
}

/*
 * The monitor's time from `from` to the end of IRETQ: the account's clock stood
 * still.  What the NMI before has taken is not taken twice.
 */
static uint64_t steal(uint64_t from)
{
    const uint64_t now = rdtsc(), end = now + tail;

    if (from < nmi_left_at())
        from = nmi_left_at();
    read_at = now;
    if (account_on) {
        probe.monitor += end - from;
        account.stolen += end - from;
    }
    return end;
}

/*
 * Called by kernel/vectors.asm.  An NMI during this one (any IRET, an SMI's too,
 * may let it in) has another stack and leaves its work to this one, up to where
 * `busy` is put down; from there on it is one of its own, whose frame leads into
 * ours: what it interrupted is what we did.
 */
void nmi_interrupt(struct cpu_frame *f, uint64_t now)
{
    struct cpu_frame *below;

    if (busy) {
        nested++;
        again = true;
        return;
    }
    busy = true;
    NMI_STRIKE(1);
    while ((below = cpu_nmi_frame(f->rsp)) != 0 && frame_ring(f->cs) == 0)
        f = below;
    do {
        busy = true;
        again = false;
        now = steal(source_pit_unmasked(f, now));
        NMI_STRIKE(2);
        busy = false;
    } while (again);
    account_reread(f); /* the sample has its real address */
    if (f->rip - (uint64_t)halt_until < (uint64_t)halt_done - (uint64_t)halt_until)
        f->rip = (uint64_t)halt_done; /* what it is about to halt for has come */
    NMI_STRIKE(3);
}

void nmi_open(bool open)
{
    if (open)
        ioapic_nmi(DIRECT_BASE, pin, lapic_id());
    else
        ioapic_mask(DIRECT_BASE, pin);
}

/* How many of the one-shots come through this pin. */
static unsigned prove(unsigned number, uint64_t clock_hz)
{
    unsigned arrived = 0;

    pin = number;
    nmi_open(true);
    for (unsigned i = 0; i < NMI_PROOFS; i++) {
        const uint64_t begin = source_pit_arm_once(PROOF_COUNT);

        while (source_pit_fired() == 0 && rdtsc() - begin < clock_hz / PROOF_WAIT)
            continue;
        arrived += source_pit_fired() != 0;
    }
    return arrived;
}

bool nmi_route(struct nmi_proof *proof, uint64_t clock_hz)
{
    /* The MADT of a PC names pin 2, or overrides nothing, and then it is pin 0. */
    static const unsigned pins[NMI_PINS] = { 2, 0 };

    *proof = (struct nmi_proof){ .pins = 0 };
    if (!lapic_in_use())
        return false;
    proof->pins = ioapic_mask_all(DIRECT_BASE);
    pic_mask(IRQ_PIT);
    idt_nmi();
    for (unsigned i = 0; i < NMI_PINS && pins[i] < proof->pins; i++) {
        proof->pin[i] = pins[i];
        proof->arrived[i] = prove(pins[i], clock_hz);
        if (proof->arrived[i] == NMI_PROOFS)
            return true;
        nmi_open(false);
    }
    return false;
}
