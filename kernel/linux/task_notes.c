/* SPDX-License-Identifier: MIT */
/* What processes write, and which of their code changes, on the way to PROBE. */
#include "kernel/linux/task_notes.h"

#include <stddef.h>

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/string.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/process/process.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "probe/schedule/memory.h"

#define NOTES 64u /* a power of two */

static struct task_note *ring;               /* set once */
static volatile uint32_t head, tail;         /* interrupts off */

bool task_notes_open(void)
{
    uint64_t run;

    if (ring != NULL)
        return true;
    run = page_alloc_run((NOTES * sizeof *ring + PAGE_SIZE - 1) / PAGE_SIZE);
    if (run != 0)
        ring = phys_to_virt(run);
    return ring != NULL;
}

static bool has_room(void)
{
    return head - tail < NOTES;
}

/* Interrupts off, and on meanwhile where it is full. */
static void wait_for_room(void)
{
    while (!has_room()) {
        stream_uart_wake_reader();
        current->process->awaits_room = true;
        irq_enable();
        timer_sleep_unless(UINT64_MAX, has_room);
        irq_disable();
        current->process->awaits_room = false;
    }
}

/* The next place, with what each note has.  Interrupts off, and on meanwhile where the ring is full. */
static struct task_note *next(enum task_note_kind kind)
{
    struct task_note *note;

    wait_for_room();
    note = &ring[head % NOTES];
    note->kind = kind;
    note->time = rdtsc();
    note->id = current->id;
    string_copy(note->name, current->name, sizeof note->name);
    note->length = 0;
    return note;
}

/* The newest one, where more of the same output fits in: a program may write bytes one by one.  Interrupts off. */
static struct task_note *newest(uint32_t descriptor, uint32_t length)
{
    struct task_note *const note = &ring[(head - 1) % NOTES];

    return head != tail && note->kind == TASK_NOTE_OUTPUT && note->id == current->id &&
           note->descriptor == descriptor && length <= TASK_NOTE_BYTES - note->length ? note : NULL;
}

void task_note_output(uint32_t descriptor, const uint8_t *bytes, uint32_t length)
{
    struct task_note *note;

    irq_disable();
    note = newest(descriptor, length);
    if (note == NULL) {
        note = next(TASK_NOTE_OUTPUT);
        note->descriptor = descriptor;
        head++;
    }
    memcpy(note->bytes + note->length, bytes, length);
    note->length += length;
    if (head - tail == NOTES / 2)
        stream_uart_wake_reader();
    irq_enable();
}

void task_note_code(uint32_t generation, uint64_t from, uint64_t to)
{
    struct task_note *note;

    irq_disable();
    note = next(TASK_NOTE_CODE);
    note->generation = generation;
    note->from = from;
    note->to = to;
    head++;
    irq_enable();
}

bool task_notes_wait(void)
{
    return head != tail;
}

/* One that finds it full again goes on sleeping. */
static void wake_writers(void)
{
    for (uint32_t i = 1; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (tasks[i].state == TASK_SLEEPING && tasks[i].process != NULL && tasks[i].process->awaits_room)
            timer_wake(&tasks[i]);
}

bool task_note_take(struct task_note *note)
{
    const bool some = task_notes_wait();

    if (!some)
        return false;
    irq_disable();
    *note = ring[tail % NOTES];
    tail++;
    wake_writers();
    irq_enable();
    return true;
}
