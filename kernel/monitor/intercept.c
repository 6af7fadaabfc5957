/* SPDX-License-Identifier: MIT */
/* monitor=intercept. */
#include "kernel/monitor/intercept.h"

#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/irq.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "probe/schedule/memory.h"
#include "probe/stats/monitor_print.h"

#define FIRST     32u /* below are the exceptions */
#define LEVELS    8u  /* of nesting: handlers that let others in; more are passed on and not measured */
#define PIC_LINES 16u
#define VECTORS   256u

/* An interrupt that has not ended. */
struct open_interrupt {
    unsigned vector;
    bool tick;                 /* its time is MONITOR's */
    struct account_row *row;   /* else of the task that it interrupted */
    uint64_t before;           /* the time there before it */
    uint64_t inner;            /* of those that interrupted it */
};

static void (**way_of_stub)(struct frame *f);   /* set once, as the next */
static void (*real)(struct frame *f);
static bool begun, redirected;                  /* interrupts off, as all below */
static struct open_interrupt level[LEVELS];
static unsigned depth;
static struct wire_intercept head;
static struct wire_intercept_row now_open[VECTORS], closed[VECTORS]; /* closed: those with interrupts */
static uint32_t rows;
static uint64_t starts; /* how often interrupts were redirected in the window */

/* ---- the time of an interrupt, by the account ---- */

static uint64_t time_of(const struct open_interrupt *l)
{
    return l->tick ? probe_monitor_time(&probe)
                   : l->row->time[MODE_INTERRUPT][0] + l->row->time[MODE_INTERRUPT][1];
}

/* At the entry nothing is charged yet: what belongs to the interrupted handler is added to what was before. */
static uint64_t pending(const struct open_interrupt *l, const struct frame *f)
{
    const uint64_t entry = f->tsc - account_entry_cost;
    const bool handler = account.cell == account_cell(l->row, MODE_INTERRUPT, 0) ||
                         account.cell == account_cell(l->row, MODE_INTERRUPT, 1);

    return !l->tick && handler && entry > account.last ? entry - account.last : 0;
}

/* The account is at the end of IRETQ, as it was foreseen: what this monitor delays it belongs to the interrupt. */
static void extend(const struct open_interrupt *l)
{
    const uint64_t end = account_clock() + account_exit_cost;

    if ((int64_t)(end - account.last) <= 0)
        return;
    if (l->tick)
        account_extend(&probe.monitor, end - account.last);
    else
        account_extend_interrupt(account_cell(l->row, MODE_INTERRUPT, 1), end - account.last);
}

/* ---- begin and end ---- */

static void note_latency(struct wire_intercept_row *r, uint64_t latency)
{
    r->latencies++;
    r->latency += latency;
    if (latency > r->latency_greatest)
        r->latency_greatest = latency;
}

/* From the moment that the device was armed for to the gate, where the device tells. */
static void measure_latency(unsigned vector, const struct frame *f)
{
    const uint64_t gate = f->tsc + account.nmi_time - account_entry_cost;
    struct wire_intercept_row *const r = &now_open[vector];

    if (vector == timer_vector() && timer_due() != 0) {
        note_latency(r, gate > timer_due() ? gate - timer_due() : 0);
    } else if (vector == TICK_VECTOR) {
        const uint64_t half = 2 * (uint64_t)pit_lateness() + 1; /* counts, in the middle of the one that it shows */
        const uint64_t behind = half * sampler_at(0).facts->clock_65536 >> 17, since = rdtsc() - gate;

        note_latency(r, behind > since ? behind - since : 0);
    }
}

static bool is_tick(unsigned vector)
{
    return irqs[vector].tick != 0 && !irqs[vector].tick_shared;
}

static void begin_one(unsigned vector, const struct frame *f)
{
    struct open_interrupt *const l = &level[depth++];

    l->vector = vector;
    l->tick = is_tick(vector);
    l->row = &current->account;
    l->inner = 0;
    l->before = time_of(l) + pending(l, f);
    now_open[vector].count++;
    measure_latency(vector, f);
}

/* The innermost interrupt is over. */
static void end_one(void)
{
    const struct open_interrupt *const l = &level[--depth];
    const uint64_t all = time_of(l) - l->before, own = all - l->inner;
    struct wire_intercept_row *const r = &now_open[l->vector];

    if (depth != 0 && !l->tick)
        level[depth - 1].inner += all;
    r->time += own;
    if (own > r->greatest)
        r->greatest = own;
}

/* Tasks are about to be switched: only the outermost interrupt may do that. */
static void end_at_switch(void)
{
    if (depth != 0)
        end_one();
}

/* In place of the real dispatch.  Its frame may return much later, in another window: then it has ended already. */
static void intercepted(struct frame *f)
{
    if (f->vector < INTERCEPTED) {
        real(f);
        return;
    }
    f->vector -= INTERCEPTED;
    if (depth == LEVELS) {
        real(f);
        return;
    }
    begin_one((unsigned)f->vector, f);
    real(f);
    if (depth == 0)
        return;
    extend(&level[depth - 1]);
    end_one();
}

/* ---- on and off ---- */

/* The tick's own entry stays; by the common entry it comes beside a second source. */
static bool can_have(unsigned vector)
{
    return vector != SYSCALL_VECTOR && vector != SUPERVISOR_VECTOR && (vector != TICK_VECTOR || tick_source2 != 0);
}

static void redirect(bool on)
{
    for (unsigned vector = FIRST; vector < VECTORS; vector++)
        if (can_have(vector))
            idt_set_intercepted(vector, on);
    *way_of_stub = on ? intercepted : real;
    sched_on_interrupt_switch(on ? end_at_switch : 0);
    starts += on;
    redirected = on;
}

void intercept_init(void (**way)(struct frame *f))
{
    way_of_stub = way;
    real = *way;
}

void intercept_pause(void)
{
    if (begun && redirected)
        redirect(false);
}

void intercept_resume(void)
{
    if (begun && !redirected)
        redirect(true);
}

static void begin(uint64_t now)
{
    memset(now_open, 0, sizeof now_open);
    head.begin = now - run_state->start;
    starts = 0;
    depth = 0;
    begun = true;
    redirect(true);
}

static void end(void)
{
    intercept_pause();
    begun = false;
}

/* A window that closes in a handler which lets interrupts in: its time so far counts, and it does not yet. */
static uint64_t time_so_far(unsigned vector)
{
    uint64_t time = 0;

    for (unsigned i = 0; i < depth; i++)
        if (level[i].vector == vector && !level[i].tick)
            time += time_of(&level[i]) - level[i].before - level[i].inner;
    return time;
}

static void close(uint64_t now)
{
    head.end = now - run_state->start;
    head.starts = starts;
    rows = 0;
    for (unsigned v = 0; v < VECTORS; v++)
        if (now_open[v].count != 0) {
            closed[rows] = now_open[v];
            closed[rows].vector = v;
            closed[rows++].time += time_so_far(v);
        }
}

uint64_t intercept_count(unsigned vector)
{
    return now_open[vector].count;
}

/* ---- the report ---- */

static struct wire_text name_of(unsigned vector)
{
    static char text[16];
    struct text_buf b = { .text = text, .size = sizeof text, .length = 0 };

    if (vector == timer_vector())
        buf_text(&b, "clock");
    else if (vector - PIC_MASTER_VECTOR < PIC_LINES)
        buf_parts(&b, "IRQ ", DECIMAL(vector - PIC_MASTER_VECTOR));
    else if (vector == LAPIC_TIMER_VECTOR)
        buf_text(&b, "APIC timer");
    else
        buf_parts(&b, "vector ", HEX(vector));
    return (struct wire_text){ text, b.length };
}

static const void *next_row(uint32_t *at)
{
    struct wire_intercept_row *const r = &closed[*at];

    if (*at == rows)
        return 0;
    r->name = name_of((unsigned)r->vector);
    r->tick = is_tick((unsigned)r->vector);
    ++*at;
    return r;
}

static void put_lines(monitor_line *line)
{
    const struct wire_intercept_row *r;
    char text[TEXT_BUF_SIZE];
    uint32_t at = 0;

    intercept_print_head(text);
    line(0, text);
    while ((r = next_row(&at)) != 0) {
        intercept_print(text, &head, r, tick_facts.calibration.rate.clock_hz);
        line(0, text);
    }
}

const struct software_monitor monitor_intercept = {
    .word = MONITOR_INTERCEPT, .begin = begin, .end = end, .close = close, .type = WIRE_INTERCEPT, .head = &head,
    .rows = next_row, .put_lines = put_lines,
};
