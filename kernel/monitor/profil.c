/* SPDX-License-Identifier: MIT */
/* monitor=profil. */
#include "kernel/monitor/profil.h"

#include "drivers/lapic.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/irq.h"
#include "kernel/cpu/irq_vectors.h"
#include "kernel/cpu/syscall_way.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/mm/user_memory.h"
#include "kernel/sched/task.h"
#include "probe/config/config.h"

#define ALL_ONES UINT16_MAX
#define NOWHERE  UINT64_MAX

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

bool profil_ask(uint64_t address)
{
    struct task_profil p = { .waiting = 0 };

    if (!lapic_in_use() || !user_memory_read(current->space, &p.of, address, sizeof p.of) ||
        p.of.bytes > PROFIL_BYTES_MAX || p.of.buffer % sizeof(uint16_t) != 0)
        return false;
    irq_disable();
    p.ticks = current->profil.ticks;
    current->profil = p;
    irq_enable();
    return true;
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

const struct software_monitor monitor_profil = {
    .word = MONITOR_PROFIL, .begin = begin, .end = end, .close = close, .sample = sample,
};

const struct task_profil *profil_closed(uint32_t number)
{
    const struct task_profil *const p = &closed[number];

    return p->of.scale != 0 || p->stopped ? p : 0;
}
