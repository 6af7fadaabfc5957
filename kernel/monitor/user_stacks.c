/* SPDX-License-Identifier: MIT */
/*
 * stack=N: samples in user mode counted by their call stacks, the interrupted address and at most N return addresses.
 * Frame pointers are followed at the tick, through pages that are mapped for the task, so that nothing faults
 * (probe/core/call_stacks.h).  A function that has not made its frame yet, or has left it, is seen by the instruction
 * that was interrupted.  The walk is made at the end of the tick, when the next one is armed, and its time is
 * MONITOR's.  A closed window is a copy of the counters alone: a stack that has a record keeps it.
 */
#include "kernel/monitor/software_monitors.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/irq.h"
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/user_memory.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/source/nmi.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source_pit.h"
#include "probe/config/config.h"
#include "probe/core/call_stacks.h"
#include "probe/schedule/memory.h"

#define BITS_A_BYTE   10u /* 8 data, start and stop */
#define PART          16u /* of the line: half of what is for other frames than raw samples */
#define ROW_BYTES     20u /* a row without its addresses, at most */

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

/* As they were closed, cumulative since the window began; written by a tick that closes, or by PROBE. */
static struct {
    uint64_t begin, end; /* clock units since start */
    /* samples by how their walk ended; the sum is all samples of tasks in user mode, in time */
    uint64_t ends[WALK_ENDS];
    uint64_t lost;       /* of these: samples whose stack found no record */
    uint32_t used;       /* stacks */
    uint64_t count[CALL_STACKS_MOST]; /* samples of each */
} closed;

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

/*
 * After the tick's own handler, which has armed the next interval: a walk delays no tick (kernel/tick/costs.h).
 */
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
    closed.begin = now - run_state->start;
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
    closed.end = now - run_state->start;
    copy_counters();
    closing = due;
}

/*
 * ---- the report: the records STACK_WALKS and CALL_STACKS ----
 *
 * All stacks together take seconds of a slow line, so a snapshot has those that changed, as far as there is room for,
 * each in its turn; the last one has all.
 */

static struct {
    uint64_t begin; /* of the window */
    uint32_t next;  /* whose turn it is */
    uint64_t count[CALL_STACKS_MOST];
} told; /* task PROBE */

static void forget(uint64_t begin)
{
    if (told.begin == begin)
        return;
    told.begin = begin;
    told.next = 0;
    for (uint32_t i = 0; i < CALL_STACKS_MOST; i++)
        told.count[i] = 0;
}

static void put_walks(uint64_t serial)
{
    frame_tx_record(WIRE_STACK_WALKS, &(struct wire_stack_walks){
        .callers = run_config()->stack, .whole = closed.ends[WALK_WHOLE], .cut = closed.ends[WALK_CUT],
        .broken = closed.ends[WALK_BROKEN], .absent = closed.ends[WALK_ABSENT], .lost = closed.lost,
    }, serial, 0);
}

/* False where it does not fit into the room that is left. */
static bool put_stack(uint32_t i, uint64_t *room)
{
    const struct call_stack_key *const key = &stacks.stack[i].key; /* never changes within a window */
    const uint64_t bytes = ROW_BYTES + key->depth * sizeof key->pc[0];

    if (*room < bytes)
        return false;
    *room -= bytes;
    callers_put(key, &(struct wire_call_stacks_row){ .samples = closed.count[i] });
    told.count[i] = closed.count[i];
    return true;
}

static void put_stacks(bool final)
{
    uint64_t room = final ? UINT64_MAX : run_config()->serial.baud / BITS_A_BYTE / PART;
    uint32_t at = final || told.next >= closed.used ? 0 : told.next;

    for (uint32_t n = 0; n < closed.used; n++, at = at + 1 < closed.used ? at + 1 : 0)
        if ((final || told.count[at] != closed.count[at]) && !put_stack(at, &room))
            break;
    told.next = at;
}

/* Windows of all monitors begin and are closed together: the head of monitor=callers is true of this one too. */
static void put_frames(const struct monitor_turn *turn)
{
    struct wire_call_stacks head = { .begin = closed.begin, .end = closed.end };

    if (turn->counting & MONITOR_CALLERS)
        head = callers_head();
    head.epoch = frame_tx_epoch();
    head.serial = turn->serial;
    forget(closed.begin);
    put_walks(turn->serial);
    frame_tx_begin(WIRE_CALL_STACKS, &head);
    put_stacks(turn->final);
    frame_tx_end();
}

const struct software_monitor monitor_user_stacks = {
    .word = MONITOR_STACK, .begin = begin, .end = end, .close = close, .sample = sample, .put_frames = put_frames,
};
