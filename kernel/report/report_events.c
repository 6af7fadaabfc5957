/* SPDX-License-Identifier: MIT */
/*
 * Prints or sends what tasks tell: faults that ended them, numbers that they reported, what processes wrote, and
 * which of their code has changed.  Each pass is bounded by what waits, by the room on the line and by time, so
 * that no task can keep PROBE from snapshots, commands and the end of the run.
 */
#include "drivers/io.h"
#include "kernel/cpu/idt.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/linux/task_notes.h"
#include "kernel/report/run.h"
#include "kernel/sched/task_events.h"
#include "kernel/sched/timer.h"

#define REPORTS     (STREAM_UART_TX_RING / 4)     /* bytes that may wait in it while a report is told, */
#define BYTE_BITS   10u                   /* and no more than pass in a second: a snapshot comes right behind */
#define LOOK_US     250000u               /* of a line that is served by sleeping */
#define LAST_US     5000000u

static void tell_fault(const struct event *e)
{
    const struct wire_fault f = {
        .epoch = frame_tx_epoch(), .time = e->time - run_state->start, .id = e->id, .mode = e->mode,
        .vector = e->vector, .error = e->error, .pc = e->pc, .address = e->address,
        .name = { e->name, string_length(e->name) },
        .cause = { exception_name(e->vector), string_length(exception_name(e->vector)) },
        .number = frame_tx_number(WIRE_FAULT),
    };

    if (run_in_frames())
        frame_tx_send_head(WIRE_FAULT, &f);
    else
        log_line(LOG_WARNING, "task ", e->name, " was ended in ",
                 e->mode == MODE_USER ? "user" : "supervisor", " mode at ", HEX(e->pc), ": ",
                 exception_name(e->vector), ", address ", HEX(e->address));
}

static void tell_report(const struct event *e)
{
    const struct wire_report r = {
        .epoch = frame_tx_epoch(), .time = e->time - run_state->start, .id = e->id, .value = e->value,
        .name = { e->name, string_length(e->name) }, .number = frame_tx_number(WIRE_REPORT),
    };

    if (run_in_frames())
        frame_tx_send_head(WIRE_REPORT, &r);
    else
        log_line(LOG_NOTE, "task ", e->name, " reports ", DECIMAL(e->value));
}

/* The kinds for which the line has room, so much is left free for a snapshot (is_shown in probe_task.c). */
static unsigned kinds_with_room(void)
{
    const uint32_t room = stream_uart_tx_room();
    const uint64_t second = run_config()->serial.baud / BYTE_BITS;
    const uint64_t reports = second < REPORTS ? second : REPORTS;

    return (room >= REPORT_ROOM ? 1u << EVENT_FAULT : 0) |
           (room >= STREAM_UART_TX_RING - reports ? 1u << EVENT_REPORT : 0);
}

/*
 * Only events that wait at the begin: a task that reports faster than the line sends
 * would otherwise keep PROBE here for ever.
 */
static void tell_waiting(uint64_t until, unsigned (*kinds)(void))
{
    struct event e;

    for (uint32_t left = events_pending(); left != 0 && rdtsc() < until && events_take(&e, kinds()); left--) {
        if (e.kind == EVENT_FAULT)
            tell_fault(&e);
        else
            tell_report(&e);
    }
}

void report_events(void)
{
    tell_waiting(rdtsc() + timer_us_to_clocks(LOOK_US), kinds_with_room);
}

static unsigned all_kinds(void)
{
    return 1u << EVENT_FAULT | 1u << EVENT_REPORT;
}

void report_last_events(void)
{
    tell_waiting(rdtsc() + timer_us_to_clocks(LAST_US), all_kinds);
}

bool report_task_events(void (*before)(void))
{
    if (events_pending() == 0 || kinds_with_room() == 0)
        return false;
    before();
    report_events();
    return true;
}

/* What processes wrote, and which of their code has changed: the records OUTPUT and CODE. */

static struct task_note note; /* task PROBE */

static void send_output(void)
{
    frame_tx_send_head(WIRE_OUTPUT, &(struct wire_output){
        .epoch = frame_tx_epoch(), .time = note.time - run_state->start, .id = note.id, .descriptor = note.descriptor,
        .name = { note.name, string_length(note.name) }, .bytes = { (const char *)note.bytes, note.length },
        .number = frame_tx_number(WIRE_OUTPUT),
    });
}

static void send_code(void)
{
    frame_tx_send_head(WIRE_CODE, &(struct wire_code){
        .epoch = frame_tx_epoch(), .time = note.time - run_state->start, .id = note.id, .generation = note.generation,
        .from = note.from, .to = note.to, .name = { note.name, string_length(note.name) },
    });
}

/* As text a program's output goes between the image's own lines as it is. */
static void tell_note(void)
{
    if (run_in_frames())
        note.kind == TASK_NOTE_OUTPUT ? send_output() : send_code();
    else if (note.kind == TASK_NOTE_OUTPUT)
        text_out((const char *)note.bytes, note.length);
    else
        log_line(LOG_NOTE, "task ", note.name, " has other code from ", HEX(note.from), " to ", HEX(note.to), " now");
}

/* A writer that is faster than the line waits in its own call, so that this ends where the line is full. */
void report_task_notes(void)
{
    while (stream_uart_tx_room() >= REPORT_ROOM && task_note_take(&note))
        tell_note();
}

void report_last_task_notes(void)
{
    while (task_note_take(&note))
        tell_note();
}
