/* SPDX-License-Identifier: MIT */
/* The profiles that tasks keep: the record PROFIL with the counters of their memory, or a line of text each. */
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/user_memory.h"
#include "kernel/monitor/profil.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"

#define AT_ONCE 64u /* counters that are read with interrupts off; of a page that is read in whole */

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
        .epoch = frame_tx_epoch(), .serial = serial, .time = rdtsc() - run_state->start, .id = t->id, .number = t->birth,
        .buffer = p->of.buffer, .bytes = p->of.bytes, .offset = p->of.offset, .scale = p->of.scale, .flags = p->of.flags,
        .direct = p->direct, .trapped = p->trapped, .touched = p->touched, .calls = p->calls, .calls_touched = p->calls_touched, .outside = p->outside,
        .lost = p->lost, .stopped = p->stopped,
    };
    frame_tx_begin(WIRE_PROFIL, &head);
    put_counters(t, &p->of);
    frame_tx_end();
}

static void put_line(const struct task *t, const struct task_profil *p, uint64_t serial)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    (void)serial;
    buf_parts(&b, "profil   ", t->name, ": ", DECIMAL(p->direct), " ticks counted at once, ", DECIMAL(p->trapped),
              " by a trap, ", DECIMAL(p->calls), " for calls; ", DECIMAL(p->touched), " pages first touched by a trap, ", DECIMAL(p->calls_touched),
              " by a call",
              p->stopped ? "; stopped: its buffer is no memory of the task" : "");
    report_line(0, text);
}

/* `put` for each task with a profile. */
static void each(void (*put)(const struct task *t, const struct task_profil *p, uint64_t serial), uint64_t serial)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (profil_closed(i) != 0)
            put(&tasks[i], profil_closed(i), serial);
}

static void put_frames(uint64_t serial, bool final)
{
    (void)final;
    each(put_profile, serial);
}

static void put_lines(void)
{
    each(put_line, 0);
}

const struct monitor_report report_profil = { .put_frames = put_frames, .put_lines = put_lines };
