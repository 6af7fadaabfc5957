/* SPDX-License-Identifier: MIT */
/*
 * monitor=callers: time in the kernel charged to the user instruction that called, in three ways side by
 * side (McCanne and Torek, "Code Profiling"), and its truth:
 *   by samples: a tick that finds the kernel counts for the address that the call will return to;
 *   by the tick difference at the exit of the call, as in 4.4BSD: kernel ticks of the task since its entry;
 *   by the time difference at the exit, as before that: the task's system time since its entry, to which
 *   interrupts were charged too.
 * The truth is the account's time of the task in kernel mode, from the gate to the end of the return.
 */
#include "kernel/monitor/software_monitors.h"

#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/task.h"
#include "probe/config/config.h"
#include "probe/schedule/memory.h"
#include "probe/stats/snapshot.h"
#include "probe/text/text_buf.h"

#define SITES 256 /* stacks of each table */
#define LINES 8u  /* of text: the stacks with the most samples */

extern const uint8_t restart_text[], restart_text_end[]; /* the stubs: kernel/cpu/vectors.asm */

/* A task's times in the kernel. */
struct times {
    uint64_t unmasked, masked, interrupt;
};

/* A call of a task that has returned, until its next one: what its return took is known only then. */
static struct {
    uint64_t birth;          /* of that task */
    struct call_stack *site; /* NULL: there is none */
    uint64_t unmasked;       /* kernel time up to the end of the dispatch */
} last[TASKS_MAX];           /* the task's own */

static uint64_t kernel_ticks[TASKS_MAX];    /* samples of a slot in kernel mode; ISR and NMI only */
static struct call_stacks sampled = CALL_STACKS(SITES); /* the same */
static struct call_stacks returned = CALL_STACKS(SITES); /* records are made with interrupts off, counted by tasks */
static uint64_t outside;                    /* ISR and NMI only */
static uint32_t window;                     /* number of the window; interrupts off */

/*
 * As they were closed, cumulative since the window began; written by a tick that closes, or by PROBE.  A stack that
 * was counted by a tick is in `sampled`, one of a call that has returned in `returned`: its calls, `ticks` and `time`
 * by the two differences, `unmasked` and `masked` kernel time by the account.
 */
static struct {
    struct wire_call_stacks head; /* but for what is in the next */
    struct call_stacks sampled, returned;
} closed = { .sampled = CALL_STACKS(SITES), .returned = CALL_STACKS(SITES) };

static bool is_in_stub(uint64_t pc)
{
    return pc - (uint64_t)restart_text < (uint64_t)(restart_text_end - restart_text);
}

static void push(struct call_stack_key *key, uint64_t pc)
{
    key->pc[key->depth++] = pc;
}

/* The user instruction that asked for a service. */
static void push_service(struct call_stack_key *key, const struct task *t)
{
    push(key, ((const struct cpu_frame *)t->stack1 - 1)->rip);
}

/* Who made the system call that entered here; one from ring 1 was made by a service. */
static void push_call(struct call_stack_key *key, const struct task *t, uint64_t rip, uint64_t cs)
{
    push(key, rip);
    if (frame_ring(cs) == 1)
        push_service(key, t);
}

/*
 * The stack of a sample; its depth is 0 where it was on no way from a call or a service.  What the stub of a
 * call has not pushed yet is of an entry before it: then the sample's address tells.
 */
static struct call_stack_key stack_of(const struct task *t, const struct sample *s)
{
    struct call_stack_key key = { .task = s->task, .mode = (uint16_t)s->mode };
    const struct frame *const f = (const struct frame *)t->stack0 - 1;

    if (t->id != s->task || t->program == 0) /* NMI: in the middle of a switch; a task of the image has no caller */
        return key;
    if (s->mode == MODE_SUPERVISOR)
        push_service(&key, t);
    else if (f->vector == SYSCALL_VECTOR || is_in_stub(s->pc))
        push_call(&key, t, f->rip, f->cs);
    return key;
}

static void sample(const struct sample *s, enum delay delay)
{
    struct call_stack_key key;
    struct call_stack *to;

    if (delay != DELAY_NONE || (s->mode != MODE_KERNEL && s->mode != MODE_SUPERVISOR) || current->program == 0)
        return;
    kernel_ticks[current->number] += s->mode == MODE_KERNEL;
    key = stack_of(current, s);
    if (key.depth == 0) {
        outside++;
        return;
    }
    to = call_stacks_find(&sampled, &key);
    if (to != 0)
        to->count++;
}

/* The kernel times of the running task up to the last change of cell; with `now` up to this moment. */
static struct times times_of(const struct task *t, bool now)
{
    const volatile uint64_t (*const time)[2] = t->account.time;
    struct times read;
    uint64_t changes;

    do { /* an interrupt may have charged some of it */
        changes = account.generation;
        read.unmasked = time[MODE_KERNEL][0] + (now ? account_clock() - *(volatile uint64_t *)&account.last : 0);
        read.masked = time[MODE_KERNEL][1];
        read.interrupt = time[MODE_INTERRUPT][0] + time[MODE_INTERRUPT][1];
    } while (*(volatile uint64_t *)&account.generation != changes);
    return read;
}

/* Tasks of one row share a record, and may take the processor from each other here. */
static void add(uint64_t *to, uint64_t n)
{
    __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

/* The way back of the task's last call, and the way here of this one up to where it was charged. */
static void settle_last(const struct task *t, const struct times *at)
{
    if (last[t->number].site != 0 && last[t->number].birth == t->birth)
        add(&last[t->number].site->unmasked, at->unmasked - last[t->number].unmasked);
    last[t->number].site = 0;
    last[t->number].birth = t->birth;
}

static struct call_stack *record_of(const struct call_stack_key *key)
{
    struct call_stack *at = call_stacks_seek(&returned, key);

    if (at != 0)
        return at;
    irq_disable();
    at = call_stacks_find(&returned, key);
    irq_enable();
    return at;
}

static void count_return(const struct call_stack_key *key, const struct times *from, uint64_t ticks)
{
    struct call_stack *const to = record_of(key);
    struct times now;

    if (to == 0)
        return;
    now = times_of(current, true);
    add(&to->calls, 1);
    add(&to->ticks, ticks);
    add(&to->unmasked, now.unmasked - from->unmasked);
    add(&to->masked, now.masked - from->masked);
    add(&to->time, now.unmasked - from->unmasked + now.masked - from->masked + now.interrupt - from->interrupt);
    last[current->number].site = to;
    last[current->number].unmasked = now.unmasked;
}

/* A step of each system call; where another window has begun meanwhile the call belongs to none. */
static void call_watched(struct frame *f)
{
    struct call_stack_key key = { .task = current->id, .mode = MODE_KERNEL };
    const struct times from = times_of(current, false);
    const uint64_t ticks = kernel_ticks[current->number];
    const uint32_t mine = window;

    settle_last(current, &from);
    push_call(&key, current, f->rip, f->cs);
    syscall_way_on(SYSCALL_CALLERS, f);
    if (mine == window)
        count_return(&key, &from, kernel_ticks[current->number] - ticks);
}

static void begin(uint64_t now)
{
    closed.head.begin = now - run_state->start;
    call_stacks_init(&sampled);
    call_stacks_init(&returned);
    memset(last, 0, sizeof last);
    outside = 0;
    window++;
    syscall_way_set(SYSCALL_CALLERS, call_watched);
}

static void end(void)
{
    window++;
    syscall_way_set(SYSCALL_CALLERS, 0);
}

static void copy(struct call_stacks *to, const struct call_stacks *from)
{
    to->lost = from->lost;
    to->used = from->used;
    memcpy(to->home, from->home, CALL_STACK_HOMES(from->most) * sizeof to->home[0]);
    memcpy(to->stack, from->stack, to->used * sizeof to->stack[0]);
}

static void close(uint64_t now)
{
    closed.head.end = now - run_state->start;
    closed.head.outside = outside;
    copy(&closed.sampled, &sampled);
    copy(&closed.returned, &returned);
}

/* ---- the report: the record CALL_STACKS, or lines of text ---- */

struct wire_call_stacks callers_head(void)
{
    struct wire_call_stacks head = closed.head;

    head.lost = closed.sampled.lost;
    head.lost_returns = closed.returned.lost;
    return head;
}

void callers_put(const struct call_stack_key *key, struct wire_call_stacks_row *row)
{
    row->id = key->task;
    row->mode = key->mode;
    row->pcs = (struct wire_text){ (const char *)key->pc, key->depth * sizeof key->pc[0] };
    frame_tx_row(row);
}

static void put(const struct call_stack *sampled, const struct call_stack *returned)
{
    struct wire_call_stacks_row row = { .samples = sampled != 0 ? sampled->count : 0 };

    if (returned != 0) {
        row.calls = returned->calls;
        row.ticks = returned->ticks;
        row.time = returned->time;
        row.unmasked = returned->unmasked;
        row.masked = returned->masked;
    }
    callers_put(sampled != 0 ? &sampled->key : &returned->key, &row);
}

static void put_frames(const struct monitor_turn *turn)
{
    struct wire_call_stacks head = callers_head();

    head.epoch = frame_tx_epoch();
    head.serial = turn->serial;
    frame_tx_begin(WIRE_CALL_STACKS, &head);
    for (uint32_t i = 0; i < closed.sampled.used; i++)
        put(&closed.sampled.stack[i], call_stacks_seek(&closed.returned, &closed.sampled.stack[i].key));
    for (uint32_t i = 0; i < closed.returned.used; i++)
        if (call_stacks_seek(&closed.sampled, &closed.returned.stack[i].key) == 0)
            put(0, &closed.returned.stack[i]);
    frame_tx_end();
}

static const char *name_of(uint32_t id)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (tasks[i].id == id)
            return tasks[i].name;
    return ROW_ENDED_NAME;
}

static void put_line(const struct call_stack *s, uint64_t samples, monitor_line *line)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    buf_parts(&b, "caller   ", name_of(s->key.task));
    for (unsigned i = 0; i < s->key.depth; i++)
        buf_parts(&b, i == 0 ? " " : " < ", HEX(s->key.pc[i]));
    buf_parts(&b, ": ", DECIMAL(s->count), " of ", DECIMAL(samples), " samples in calls");
    line(0, text);
}

/* The most frequent of those that come after `after` in this order; NULL: there is none. */
static const struct call_stack *next_line(const struct call_stacks *t, const struct call_stack *after)
{
    const struct call_stack *best = 0;

    for (const struct call_stack *s = t->stack; s < &t->stack[t->used]; s++)
        if ((after == 0 || s->count < after->count || (s->count == after->count && s > after)) &&
            (best == 0 || s->count > best->count))
            best = s;
    return best;
}

static void put_lines(monitor_line *line)
{
    const struct call_stack *s = 0;
    uint64_t samples = 0;

    for (uint32_t i = 0; i < closed.sampled.used; i++)
        samples += closed.sampled.stack[i].count;
    for (unsigned i = 0; i < LINES && (s = next_line(&closed.sampled, s)) != 0; i++)
        put_line(s, samples, line);
}

const struct software_monitor monitor_callers = {
    .word = MONITOR_CALLERS, .begin = begin, .end = end, .close = close, .sample = sample, .put_frames = put_frames,
    .put_lines = put_lines,
};
