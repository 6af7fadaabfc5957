/* SPDX-License-Identifier: MIT */
/*
 * monitor=profil: profiles that tasks keep in memory of their own (kernel/abi/profil.h), as 4.4BSD does it
 * (McCanne and Torek, "Code Profiling").  The tick increments the counter itself, through the direct map, where
 * its page is mapped and the task could write it.  Where it is not, a trap is due at the return from the tick: an
 * interrupt that the local APIC sends to itself, from which the page is mapped where it is one of those that are
 * mapped at their first touch.  Anything else ends the profile, and nothing else.  A tick in a system call is
 * counted at the exit of the call, for its caller.  The same for ticks that are NMIs: they interrupt no one who
 * changes the tables of a task at ring 3.
 */
#include "drivers/lapic.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/irq.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/mm/user_memory.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/syscalls.h"
#include "kernel/sched/task.h"
#include "kernel/sched/task_monitor.h"
#include "probe/config/config.h"
#include "probe/text/text_buf.h"

#define ALL_ONES UINT16_MAX
#define NOWHERE  UINT64_MAX
#define AT_ONCE  64u /* counters that are read with interrupts off; of a page that is read in whole */

static struct task_profil closed[TASKS_MAX]; /* written by a tick that closes, or by PROBE */

/* The address of the counter; NOWHERE: the profile has none for this one. */
static uint64_t counter_of(const struct profil_request *r, uint64_t pc)
{
    const unsigned __int128 scaled = (unsigned __int128)(pc - r->offset) * r->scale >> 16;

    if (pc < r->offset || r->bytes < sizeof(uint16_t) || scaled > r->bytes - sizeof(uint16_t))
        return NOWHERE;
    return r->buffer + ((uint64_t)scaled & ~1ull);
}

/* False where the page is not mapped, or the task could not write it. */
static bool increment(struct task *t, uint64_t address, uint64_t *counted)
{
    uint16_t *const counter = user_memory_writable(t->space, address, sizeof *counter);

    if (counter == 0)
        return false;
    if (*counter == ALL_ONES) {
        t->profil.lost++;
        return true;
    }
    ++*counter;
    ++*counted;
    return true;
}

/* Map the counter's page where this is its first touch; else the profile is over. */
static void touch_and_increment(struct task *t, uint64_t address, uint64_t *counted, uint64_t *touched)
{
    if (increment(t, address, counted))
        return;
    *touched += paging_unhide(t->space, address);
    if (increment(t, address, counted))
        return;
    t->profil.stopped = 1;
    t->profil.of.scale = 0;
}

static void defer(struct task_profil *p, uint64_t address)
{
    if (p->waiting != 0) {
        p->lost++;
        return;
    }
    p->waiting = address;
    lapic_interrupt_self(PROFIL_VECTOR);
}

static void count_user(struct task *t, uint64_t pc)
{
    struct task_profil *const p = &t->profil;
    const uint64_t address = counter_of(&p->of, pc);

    if (address == NOWHERE)
        p->outside++;
    else if (p->of.flags & PROFIL_TRAP || !increment(t, address, &p->direct))
        defer(p, address);
}

static void sample(const struct sample *s, enum delay delay)
{
    struct task *const t = current;

    if (t->profil.of.scale == 0 || delay != DELAY_NONE || t->id != s->task)
        return;
    if (s->mode == MODE_KERNEL)
        t->profil.ticks++;
    else if (s->mode == MODE_USER)
        count_user(t, s->pc);
}

/* The trap.  A switch at the end of the tick may have come between: then it is another task's that is due. */
static bool trap(uint64_t now)
{
    bool any = false;

    (void)now;
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        struct task_profil *const p = &tasks[i].profil;
        const uint64_t address = p->waiting;

        if (address == 0)
            continue;
        any = true;
        touch_and_increment(&tasks[i], address, &p->trapped, &p->touched);
        p->waiting = 0;
    }
    lapic_eoi();
    return any;
}

/* Ticks of the call that has returned, for the instruction after it; the buffer's pages may be touched here. */
static void count_call(uint64_t pc, uint64_t ticks)
{
    struct task_profil *const p = &current->profil;

    irq_disable();
    for (const uint64_t address = counter_of(&p->of, pc); ticks > 0 && p->of.scale != 0; ticks--)
        if (address == NOWHERE)
            p->outside++;
        else
            touch_and_increment(current, address, &p->calls, &p->calls_touched);
    irq_enable();
}

static void call_profiled(struct frame *f)
{
    const uint64_t ticks = current->profil.ticks;

    syscall_way_on(SYSCALL_PROFIL, f);
    if (current->profil.ticks != ticks)
        count_call(f->rip, current->profil.ticks - ticks);
}

/* Denied where what is at the address is no request, or there is no local APIC to trap by. */
uint64_t sys_profil(uint64_t address, uint64_t unused)
{
    struct task_profil p = { .waiting = 0 };

    (void)unused;
    if (!lapic_in_use() || !user_memory_read(current->space, &p.of, address, sizeof p.of) ||
        p.of.bytes > PROFIL_BYTES_MAX || p.of.buffer % sizeof(uint16_t) != 0)
        return syscall_deny();
    irq_disable();
    p.ticks = current->profil.ticks;
    current->profil = p;
    irq_enable();
    return 0;
}

static void begin(uint64_t now)
{
    (void)now;
    for (uint32_t i = 0; i < TASKS_MAX; i++) {
        const struct task_profil before = tasks[i].profil;

        tasks[i].profil = (struct task_profil){ .of = before.of, .waiting = before.waiting, .ticks = before.ticks,
                                                .stopped = before.stopped };
    }
    irq_register(PROFIL_VECTOR, trap);
    syscall_way_set(SYSCALL_PROFIL, call_profiled);
}

/* A trap that is due still comes. */
static void end(void)
{
    syscall_way_set(SYSCALL_PROFIL, 0);
}

static void close(uint64_t now)
{
    (void)now;
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        closed[i] = tasks[i].profil;
}

/* ---- the report: the record PROFIL with the counters of tasks' memory, or a line of text each ---- */

_Static_assert(WIRE_PROFIL_BYTES == PROFIL_BYTES_MAX, "what a task may ask for is what the record tells");

static struct wire_profil head; /* task PROBE */

/* Each frame has the number of the part that it is. */
static void put(uint64_t counter, uint64_t count)
{
    head.part += frame_tx_row(&(struct wire_profil_row){ counter, count });
}

/* What was never touched, and what is no memory of the task any more, has no counts. */
static bool read_counters(const struct task *t, uint64_t address, uint16_t *to, uint64_t bytes)
{
    bool read;

    irq_disable(); /* its memory may be freed else */
    read = t->state != TASK_ENDED && user_memory_read(t->space, to, address, bytes);
    irq_enable();
    return read;
}

static void put_counters(const struct task *t, const struct profil_request *r)
{
    uint16_t counter[AT_ONCE];

    for (uint64_t at = 0; at < r->bytes; at += sizeof counter) {
        const uint64_t left = r->bytes - at, bytes = left < sizeof counter ? left : sizeof counter;

        if (!read_counters(t, r->buffer + at, counter, bytes))
            continue;
        for (uint64_t i = 0; i < bytes / sizeof counter[0]; i++)
            if (counter[i] != 0)
                put(at / sizeof counter[0] + i, counter[i]);
    }
}

static void put_profile(const struct task *t, const struct task_profil *p, uint64_t serial)
{
    head = (struct wire_profil){
        .epoch = frame_tx_epoch(), .serial = serial, .time = rdtsc() - run_state->start, .id = t->id,
        .number = t->birth, .buffer = p->of.buffer, .bytes = p->of.bytes, .offset = p->of.offset,
        .scale = p->of.scale, .flags = p->of.flags, .direct = p->direct, .trapped = p->trapped, .touched = p->touched,
        .calls = p->calls,
        .calls_touched = p->calls_touched, .outside = p->outside,
        .lost = p->lost, .stopped = p->stopped,
    };
    frame_tx_begin(WIRE_PROFIL, &head);
    put_counters(t, &p->of);
    frame_tx_end();
}

static void put_line(const struct task *t, const struct task_profil *p, monitor_line *line)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    buf_parts(&b, "profil   ", t->name, ": ", DECIMAL(p->direct), " ticks counted at once, ", DECIMAL(p->trapped),
              " by a trap, ", DECIMAL(p->calls), " for calls; ", DECIMAL(p->touched),
              " pages first touched by a trap, ", DECIMAL(p->calls_touched), " by a call",
              p->stopped ? "; stopped: its buffer is no memory of the task" : "");
    line(0, text);
}

/* Whether the slot had a profile. */
static bool is_closed(uint32_t slot)
{
    return closed[slot].of.scale != 0 || closed[slot].stopped;
}

static void put_frames(const struct monitor_turn *turn)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (is_closed(i))
            put_profile(&tasks[i], &closed[i], turn->serial);
}

static void put_lines(monitor_line *line)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (is_closed(i))
            put_line(&tasks[i], &closed[i], line);
}

const struct software_monitor monitor_profil = {
    .word = MONITOR_PROFIL, .begin = begin, .end = end, .close = close, .sample = sample, .put_frames = put_frames,
    .put_lines = put_lines,
};
