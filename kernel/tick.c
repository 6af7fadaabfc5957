/* SPDX-License-Identifier: MIT */
/*
 * The PIT as tick source.  Mode 0, re-armed in the handler: no tick can come
 * before the last one is done with, and the counter, which counts on past zero,
 * says how late the handler is.  Between the counter's whole clocks the TSC
 * tells the fraction.
 */
#include "kernel/tick.h"

#include "drivers/io.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/account.h"
#include "kernel/cpu.h"
#include "probe/memory.h"

#define IRQ_PIT     0
#define NO_TICK     UINT64_MAX /* a lateness that none has */
#define PIECE       32768u /* counts; an interval above two of them is chained */
#define AGREE_SLACK 3u     /* counts: the chip loads and latches on edges of its clock */

struct probe probe;

static struct account_row closed_rows[TASKS_MAX]; /* as a tick closed it; ISR */
static struct account_row base_rows[TASKS_MAX]; /* as the window began; interrupts off */
static uint64_t per_65536, slack;               /* set once */
static bool clock_trusted;                      /* set once */
static uint64_t due;                            /* clock units; ISR only */
static uint64_t left;                           /* counts of a chained interval; ISR only */
static uint32_t piece;                          /* counts of the one-shot; ISR only */
static uint64_t disagreements, early;           /* ISR only */
static volatile uint64_t fired;                 /* before the probe runs */
static volatile uint32_t fired_behind;          /* the same */
static bool running;                            /* interrupts off */
static int32_t usual;                           /* counts behind of a tick in time; set once */
static int32_t quick = -1;                      /* the same while the next interrupt is a
                                                   tick, else -1: look closer; ISR only */

void tick_set_clock(uint64_t per, uint32_t behind, bool trusted)
{
    per_65536 = per;
    usual = (int32_t)(behind + AGREE_SLACK);
    slack = (uint64_t)usual * per >> 16;
    clock_trusted = trusted;
}

uint64_t tick_arm_once(uint32_t count)
{
    fired = 0;
    pit_arm(count);
    return rdtsc();
}

uint64_t tick_fired(void)
{
    return fired;
}

uint32_t tick_fired_behind(void)
{
    return fired_behind;
}

uint64_t tick_rearm_clocks(void)
{
    return account.last - (due - (piece * per_65536 >> 16));
}

uint64_t tick_early(void)
{
    return early;
}

uint64_t tick_disagreements(void)
{
    return disagreements;
}

static inline __attribute__((always_inline)) void arm(uint64_t counts)
{
    uint32_t first = (uint32_t)counts;

    if (counts > PIT_COUNT_MAX) {
        first = counts > 2 * PIECE ? PIECE : (uint32_t)(counts / 2);
        left = counts - first;
        quick = -1;
    }
    piece = first;
    pit_arm(first);
    due = rdtsc() + (first * per_65536 >> 16);
}

/*
 * The counter says that the tick is late by more than its edges explain, or the
 * clock does not agree that it is not: hold the two against each other.
 */
static __attribute__((noinline)) uint64_t weigh_lateness(uint64_t fine, uint32_t behind)
{
    const uint64_t coarse = behind * per_65536 >> 16;

    if ((int64_t)fine < 0)
        fine = 0;
    if (coarse - fine + slack <= 2 * slack)
        return fine;
    disagreements++;
    return clock_trusted ? fine : coarse;
}

/*
 * An IRQ 0 before the one-shot ended: a request that re-programming left, or one
 * that nobody made.  The counter is still above zero, and by the clock it is due.
 */
static bool is_early(uint64_t fine, uint32_t behind)
{
    return (int64_t)fine < -(int64_t)slack && (-behind & 0xffff) <= piece;
}

/* By the saved CS: ring 3, 1, 0. */
static inline enum mode mode_of(uint64_t cs)
{
    static const uint8_t modes[] = { MODE_KERNEL, MODE_SUPERVISOR, MODE_KERNEL, MODE_USER };

    return modes[frame_ring(cs)];
}

static void stop(void)
{
    running = false;
    quick = -1;
    left = 0;
}

/* A piece of a chained interval is over: no tick, and nobody's time. */
static void arm_rest(uint64_t now, uint64_t *cell)
{
    const uint64_t rest = left;
    const struct probe_event e = {
        .sample.time = now, .lateness = now - due, .halted = current->id == ROW_IDLE,
    };

    if (account_on)
        probe_enter(&probe, &e);
    left = 0;
    quick = usual;
    pic_eoi_master(IRQ_PIT);
    arm(rest);
    account_leave(cell);
}

/*
 * What is not a tick in time: one before the probe runs, one before its own
 * time, the end of a piece of an interval, or a late one.  Returns the lateness
 * of a tick, else NO_TICK.
 */
static __attribute__((noinline)) uint64_t look_closer(uint64_t now, uint32_t behind)
{
    const uint64_t fine = now - due;

    if (!running) {
        fired = now;
        fired_behind = behind;
    } else if (is_early(fine, behind)) {
        early++;
    } else if (left != 0) {
        arm_rest(now, account.cell);
        return NO_TICK;
    } else {
        return weigh_lateness(fine, behind);
    }
    pic_eoi(IRQ_PIT);
    return NO_TICK;
}

/*
 * Flat: whatever is not kept out of the way is part of one straight handler; for
 * size, because here a shorter sequence is the faster one (counted: make bench).
 */
__attribute__((flatten, optimize("Os"))) void tick_interrupt(const struct cpu_frame *f, uint64_t now)
{
    const uint32_t behind = pit_lateness();
    uint64_t *const cell = account.cell;
    struct probe_event e;
    uint64_t next;

    e.lateness = now - due;
    if ((int32_t)behind > quick || e.lateness > slack) {
        e.lateness = look_closer(now, behind);
        if (e.lateness == NO_TICK)
            return;
    }
    e.sample.time = now;
    e.sample.pc = f->rip;
    e.sample.task = current->id;
    e.sample.mode = mode_of(f->cs);
    e.halted = e.sample.task == ROW_IDLE;
    if (account_on)
        probe_enter(&probe, &e);
    next = probe_tick(&probe, &e);
    pic_eoi_master(IRQ_PIT);
    if (next != 0)
        arm(next);
    else
        stop();
    account_leave(cell);
}

static void copy_rows(void)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        closed_rows[i] = tasks[i].account;
}

static void begin_rows(uint64_t now)
{
    if (account_on)
        account_to(&account, now, account.cell);
    account.transitions = 0;
    for (uint32_t i = 0; i < TASKS_MAX; i++)
        base_rows[i] = tasks[i].account;
    probe.copy_rows = copy_rows;
    probe.clock = rdtsc;
    probe.account = &account;
    probe.exact = account_on;
}

/* A request that the last one-shot left in the 8259 is let in, and means nothing. */
static void drain(void)
{
    stop();
    pit_init();
    cpu_interrupts_on();
    __asm__ volatile("nop\n\tnop");
    cpu_interrupts_off();
}

void tick_begin(void)
{
    uint64_t first;

    drain();
    first = probe_begin(&probe, rdtsc());
    begin_rows(probe.counters.begin);
    running = true;
    quick = usual;
    arm(first);
}

void tick_stop(void)
{
    stop();
    pit_init();
}

void tick_begin_none(void)
{
    memset(&probe.counters, 0, sizeof probe.counters);
    probe.counters.begin = rdtsc();
    begin_rows(probe.counters.begin);
}

void tick_close_none(void)
{
    const uint64_t now = rdtsc();

    if (account_on)
        account_to(&account, now, account.cell);
    memset(&probe.closed, 0, sizeof probe.closed);
    probe.closed.counters.begin = probe.counters.begin;
    probe.closed.counters.end = now;
    probe.closed.transitions = account.transitions;
    copy_rows();
}

void tick_row(uint32_t number, struct account_row *row)
{
    for (unsigned mode = 0; mode < MODES; mode++)
        for (unsigned masked = 0; masked < 2; masked++)
            row->time[mode][masked] = closed_rows[number].time[mode][masked] -
                                      base_rows[number].time[mode][masked];
}
