/* SPDX-License-Identifier: MIT */
/* Prints or sends what processes wrote, and which of their code has changed: the records OUTPUT and CODE. */
#include "kernel/report/run.h"

#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/linux/task_notes.h"

/* bytes: above the half that a snapshot waits for (is_shown in probe_task.c) */
#define ROOM (STREAM_UART_TX_RING / 8 * 5)

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
static void tell(void)
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
    while (stream_uart_tx_room() >= ROOM && task_note_take(&note))
        tell();
}

void report_last_task_notes(void)
{
    while (task_note_take(&note))
        tell();
}
