/* SPDX-License-Identifier: MIT */
/*
 * The PIT's tick where all is usual.  Compiled without link-time optimisation and with flags by which it saves the
 * registers that it changes: the stubs save three for it, and not all that a C function may change.
 */
#include "kernel/source/straight/pit_plain_tick.h"

#include "drivers/io.h"
#include "drivers/pit.h"
#include "kernel/account/exact_time.h"
#include "kernel/sched/task.h"
#include "kernel/source/nmi_state.h"
#include "kernel/source/sampler.h"
#include "kernel/source/tick_record.h"
#include "probe/core/plain_tick.h"

#define HANDLED       0 /* the clock was 0 at no tick */
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define STRAIGHT      __attribute__((flatten)) /* no call, whatever is shared */

struct pit_tick pit_tick;
pit_plain_handler *pit_plain_irq = pit_plain_never, *pit_plain_as_nmi = pit_plain_never;
uint64_t pit_plain_exit_cost;

uint64_t pit_plain_never(const struct cpu_frame *f, uint64_t now)
{
    (void)f;
    return now;
}

/*
 * A row that is not at home in the table: a call, of this file, that changes no register but those that handlers may.
 */
static __attribute__((noinline, cold)) struct system_record *find_elsewhere(uint32_t id)
{
    return system_find(&probe.system, system_hash(id), id | SYSTEM_USED);
}

/* The record of a task's row; NULL: it has none yet. */
static ALWAYS_INLINE struct system_record *find_row(const struct task *t)
{
    struct system_record *const home = (struct system_record *)((char *)probe.system.record + t->home);

    return __builtin_expect(home->key == t->key, 1) ? home : find_elsewhere(t->id);
}

/*
 * Counts from a handler that began at `now` to this point, or to at most a count behind it.  False: it is too near or
 * too far for one usual one-shot.
 */
static ALWAYS_INLINE bool count_to(uint64_t point, uint64_t now, uint64_t *counts)
{
    const uint64_t left = point - now; /* POINT_PAIRED is a clock unit of it */

    if (left - pit_tick.least > pit_tick.span)
        return false;
    *counts = (left - pit_tick.way) * pit_tick.counts_in_clock >> PIT_COUNTS_SHIFT;
    PLAIN_TICK_VALUE(*counts);
    return true;
}

/* Begin the next one-shot.  Returns the clock after that. */
static ALWAYS_INLINE uint64_t arm(uint64_t counts)
{
    uint64_t armed;

    pit_arm((uint32_t)counts);
    armed = rdtsc();
    pit_tick.counts = (uint32_t)counts;
    pit_tick.due = armed + (counts * pit_tick.per_65536 >> 16);
    return armed;
}

STRAIGHT uint64_t pit_plain_counted(const struct cpu_frame *f, uint64_t now)
{
    struct system_record *row;
    uint64_t point;
    uint64_t counts;

    if (now - pit_tick.due >= pit_tick.limit)
        return now;
    row = find_row(current);
    if (row == NULL || !plain_tick_next(&probe, &point) || !count_to(point, now, &counts))
        return now;
    plain_tick_count(&probe, row, tick_mode(f->cs), point);
    arm(counts);
    return HANDLED;
}

STRAIGHT uint64_t pit_plain_accounted(const struct cpu_frame *f, uint64_t now)
{
    const uint64_t lateness = now - pit_tick.due;
    const struct task *const t = current;
    uint64_t from = probe_charged_from(&probe, now, lateness, t->id == ROW_IDLE), point;
    struct system_record *row;
    uint64_t counts;

    if (lateness >= pit_tick.limit)
        return now;
    row = find_row(t);
    if (row == NULL || !plain_tick_next(&probe, &point) || !count_to(point, now, &counts))
        return now;
    plain_tick_count(&probe, row, tick_mode(f->cs), point);
    account_visit_at(&account, from < account.last ? account.last : from, arm(counts) + pit_plain_exit_cost,
                     &probe.monitor);
    return HANDLED;
}

/* Registers that the handlers save, so that their ends restore as many as they do. */
#define SAVED_ACCOUNTED() __asm__ volatile("" : : : "rbx", "rbp", "rcx", "r8", "r9", "r10", "r11")
#define SAVED_NMI()       __asm__ volatile("" : : : "rbx", "rbp", "rcx", "r8")

/* arm() but for the count. */
static ALWAYS_INLINE uint64_t rearm(void)
{
    const uint64_t armed = rdtsc();

    pit_tick.due = armed + (pit_tick.counts * pit_tick.per_65536 >> 16);
    return armed;
}

STRAIGHT uint64_t pit_plain_accounted_end(const struct cpu_frame *f, uint64_t now)
{
    (void)f;
    SAVED_ACCOUNTED();
    account_visit_at(&account, now, rearm() + pit_plain_exit_cost, &probe.monitor);
    return HANDLED;
}

/* A byte that only NMIs write: compared in memory, which the compiler does with no volatile one. */
static ALWAYS_INLINE bool is_set(const volatile bool *by_nmi)
{
    return *(const bool *)by_nmi;
}

static ALWAYS_INLINE uint64_t end_nmi(uint64_t from, uint64_t end, uint64_t now)
{
    nmi_charge(from, end);
    NMI_STRIKE(2);
    nmi_state.busy = false;
    __asm__ volatile("" : : : "memory"); /* before the other is read */
    return is_set(&nmi_state.again) ? now : HANDLED;
}

STRAIGHT uint64_t pit_plain_nmi_end(const struct cpu_frame *f, uint64_t now)
{
    (void)f;
    SAVED_NMI();
    return end_nmi(now, rearm() + nmi_state.plain_exit_cost, now);
}

/*
 * Only of ring 3: kernel/cpu/vectors.asm calls it for no other, so that no frame and no register of another entry is
 * half made.  An NMI during this one leaves its work to the common handler, as there (kernel/source/nmi.c).
 */
STRAIGHT uint64_t pit_plain_nmi(const struct cpu_frame *f, uint64_t now)
{
    uint64_t lateness, from, point;
    struct system_record *row;
    uint64_t counts;

    (void)f;
    if (is_set(&nmi_state.busy))
        return now;
    nmi_state.busy = true;
    NMI_STRIKE(1);
    lateness = now - pit_tick.due;
    row = find_row(current);
    if (lateness >= pit_tick.limit || *(const uint32_t *)&probe.close >= PROBE_CLOSE_REQUESTED || row == NULL ||
        !plain_tick_next(&probe, &point) || !count_to(point, now, &counts)) {
        nmi_state.busy = false;
        return now;
    }
    plain_tick_count(&probe, row, MODE_USER, point);
    from = probe_charged_from(&probe, now, lateness, false);
    probe.counters.end = from;
    return end_nmi(from, arm(counts) + nmi_state.plain_exit_cost, now);
}
