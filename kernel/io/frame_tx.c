/* SPDX-License-Identifier: MIT */
/* Frames on the serial line; docs/PROTOCOL.md. */
#include "kernel/io/frame_tx.h"

#include "kernel/io/stream_uart.h"
#include "probe/schedule/memory.h"
#include "probe/stream/record_frames.h"
#include "probe/stream/sent_count.h"

static struct wire_sent sent; /* in the epoch in force; task context, one task at a time */
static uint64_t dropped, sent_bytes;
static uint8_t encoded[WIRE_FRAME_MAX];
static struct frame_capture *capture; /* NULL: frames go to the line */
static struct wire_writer writer;
static struct record_frames record = { .send = frame_tx_take, .frame = &writer };

static bool send_on_line(struct wire_writer *w)
{
    const size_t length = wire_end(w, sent_count(&sent, w), encoded);

    if (length != 0 && stream_uart_write_wait(encoded, (uint32_t)length)) {
        sent_bytes += length;
        return true;
    }
    dropped++;
    return false;
}

static bool keep(struct wire_writer *w)
{
    const size_t length = wire_end(w, sent_count(&capture->sent, w), encoded);

    if (length == 0 || length > capture->size - capture->length) {
        capture->cut = true;
        return false;
    }
    memcpy(capture->bytes + capture->length, encoded, length);
    capture->length += length;
    return true;
}

bool frame_tx_send(struct wire_writer *w)
{
    return capture != 0 ? keep(w) : send_on_line(w);
}

void frame_tx_take(void *context, struct wire_writer *w)
{
    (void)context;
    frame_tx_send(w);
}

uint64_t frame_tx_epoch(void)
{
    return sent.epoch;
}

void frame_tx_set_epoch(uint64_t identifier)
{
    sent.epoch = identifier;
}

void frame_tx_restart(void)
{
    sent = (struct wire_sent){ .epoch = sent.epoch };
}

/* A record whose rows are being put goes on in another frame. */
struct wire_writer *frame_tx_writer(void)
{
    record_frames_end(&record, false);
    return &writer;
}

bool frame_tx_send_head(enum wire_type type, const void *head)
{
    wire_begin(frame_tx_writer(), type, head);
    return frame_tx_send(&writer);
}

void frame_tx_begin(enum wire_type type, const void *head)
{
    record_frames_begin(&record, type, head);
}

bool frame_tx_row(const void *row)
{
    return record_frames_put(&record, row);
}

void frame_tx_end(void)
{
    record_frames_end(&record, true);
}

void frame_tx_end_rows(void)
{
    record_frames_end(&record, false);
}

void frame_tx_record(enum wire_type type, void *head, uint64_t serial, frame_tx_rows *rows)
{
    const uint64_t first[] = { sent.epoch, serial };
    const void *row;
    uint32_t at = 0;

    memcpy(head, first, sizeof first);
    frame_tx_begin(type, head);
    while (rows != 0 && (row = rows(&at)) != 0)
        frame_tx_row(row);
    frame_tx_end();
}

uint64_t frame_tx_number(enum wire_type type)
{
    return *sent_of_type(&sent, type) + 1;
}

void frame_tx_send_counts(void)
{
    frame_tx_send_head(WIRE_SENT, capture != 0 ? &capture->sent : &sent);
}

void frame_tx_capture(struct frame_capture *to)
{
    if (to != 0) {
        to->length = 0;
        to->cut = false;
        to->sent = (struct wire_sent){ .epoch = sent.epoch };
    }
    capture = to;
}

uint64_t frame_tx_dropped(void)
{
    return dropped;
}

uint64_t frame_tx_bytes(void)
{
    return sent_bytes;
}
