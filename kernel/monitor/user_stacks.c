/* SPDX-License-Identifier: MIT */
/* stack=.  A closed window is a copy of the counters alone: a stack that has a record keeps it. */
#include "kernel/monitor/user_stacks.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/irq.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/user_walk.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/source/nmi.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source_pit.h"
#include "probe/config/config.h"
#include "probe/schedule/memory.h"

_Static_assert(CONFIG_STACK_MAX < CALL_STACK_DEPTH, "the interrupted address has room too");

static struct call_stacks stacks = CALL_STACKS(CALL_STACKS_MOST); /* ISR and NMI only, as the next */
static uint64_t ends[WALK_ENDS];
static bool at_once;                     /* the source registers its interrupt itself: nobody can stand behind it */
static unsigned due;                     /* samples that the tick under way has of a task in user mode */
static bool closing;                     /* the same tick has closed the window, to which it belongs */
static unsigned callers;                 /* at most; interrupts off, as the next */
static struct {
    struct irq *irq; /* NULL: none */
    irq_tick_handler *tick;
} common;
static struct user_stacks_window closed; /* written by a tick that closes, or by PROBE */

static void copy_counters(void)
{
    closed.lost = stacks.lost;
    closed.used = stacks.used;
    memcpy(closed.ends, ends, sizeof ends);
    for (uint32_t i = 0; i < stacks.used; i++)
        closed.count[i] = stacks.stack[i].count;
}

/* What the tick that closes the window has counted since: not all of them, so that a close makes no walk longer. */
static void copy_last(const struct call_stack *of, enum walk_end end)
{
    closed.lost = stacks.lost;
    closed.used = stacks.used;
    closed.ends[end] = ends[end];
    if (of != 0)
        closed.count[of - stacks.stack] = of->count;
}

/* After the tick's own handler, which has armed the next interval: a walk delays no tick (kernel/tick/walk_cost.h). */
static void count(const struct cpu_frame *f, uint64_t rbp)
{
    const struct user_walk walk = { f, rbp, current->space, callers, current->id };
    struct call_stack *to;
    enum walk_end end;

    if (due == 0)
        return;
    to = user_walk_find(&walk, &stacks, &end);
    ends[end] += due;
    if (to != 0)
        to->count += due;
    else
        stacks.lost += due - 1; /* it counted one */
    due = 0;
    if (closing)
        copy_last(to, end);
    closing = false;
}

static void sample(const struct sample *s, enum delay delay)
{
    const struct frame *const f = (const struct frame *)current->stack0 - 1;

    due += s->mode == MODE_USER && delay == DELAY_NONE;
    if (due != 0 && at_once)
        count(frame_cpu(f), f->rbp);
}

/* The handler has returned to the interrupted cell already: the time since then is the monitor's too. */
static void count_and_charge(const struct cpu_frame *f, uint64_t rbp)
{
    if (due == 0)
        return;
    count(f, rbp);
    if (account_on)
        account_extend(&probe.monitor, rdtsc() + account_tick_exit_cost - account.last);
}

void user_stacks_tick(const struct cpu_frame *f, uint64_t now)
{
    source_pit_interrupt(f, now);
    count_and_charge(f, tick_rbp);
}

static void common_tick(const struct cpu_frame *f, uint64_t now)
{
    common.tick(f, now);
    count_and_charge(f, frame_whole(f)->rbp);
}

static void nmi_tick(const struct cpu_frame *f)
{
    count(f, tick_rbp);
}

/* Stand behind the source's handler at the entry that it shares with other interrupts. */
static void watch_vector(void)
{
    common.irq = &irqs[tick_source->vector != 0 ? tick_source->vector : timer_vector()];
    common.tick = common.irq->tick;
    common.irq->tick = common_tick;
}

/* Another source may have taken the vector since. */
static void leave_vector(void)
{
    if (common.irq != 0 && common.irq->tick == common_tick)
        common.irq->tick = common.tick;
    common.irq = 0;
}

static void begin(uint64_t now)
{
    closed.begin = now;
    call_stacks_init(&stacks);
    memset(ends, 0, sizeof ends);
    callers = (unsigned)run_config()->stack;
    due = 0;
    closing = false;
    idt_keep_rbp(true);
    nmi_set_after(nmi_tick);
    at_once = !config_via_nmi(run_config()) && tick_source->vector == SOURCE_NO_VECTOR;
    if (!config_via_nmi(run_config()) && !at_once)
        watch_vector();
}

static void end(void)
{
    leave_vector();
    nmi_set_after(0);
    idt_keep_rbp(false);
}

static void close(uint64_t now)
{
    closed.end = now;
    copy_counters();
    closing = due;
}

const struct software_monitor monitor_user_stacks = {
    .word = MONITOR_STACK, .begin = begin, .end = end, .close = close, .sample = sample,
};

const struct user_stacks_window *user_stacks_closed(void)
{
    return &closed;
}

const struct call_stack_key *user_stacks_key(uint32_t i)
{
    return &stacks.stack[i].key;
}
