/* SPDX-License-Identifier: MIT */
/* Frames on the serial line; docs/PROTOCOL.md. */
#include "kernel/io/frame_tx.h"

#include "kernel/io/stream_uart.h"

static uint16_t sequence; /* task context, one task at a time */
static uint64_t dropped;
static uint8_t encoded[WIRE_FRAME_MAX];
static struct wire_writer writer;

bool link_send(struct wire_writer *w)
{
    const size_t length = wire_end(w, sequence++, encoded);

    if (length != 0 && serial_write_patiently(encoded, (uint32_t)length))
        return true;
    dropped++;
    return false;
}

void link_begin(void)
{
    sequence = 0;
}

bool link_send_head(enum wire_type type, const void *head)
{
    wire_begin(&writer, type, head);
    return link_send(&writer);
}

uint64_t link_dropped(void)
{
    return dropped;
}
