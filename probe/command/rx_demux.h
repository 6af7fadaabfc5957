/* SPDX-License-Identifier: MIT */
/*
 * The receive side of the line while frames are sent: separates COMMAND frames of a host from plain lines of a
 * person, byte by byte (docs/PROTOCOL.md, "Commands").  Any bytes may come.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/wire.h"

#define COMMAND_LINE 256 /* longest line of the command language, its end included */
#define RX_ROOM 320 /* longest stretch; a COMMAND of the longest line has 296 bytes */

/* ASCII SUB: takes the place of a byte that the UART reports as wrong, and of bytes that were lost. */
#define RX_SUBSTITUTE 0x1a

enum rx_kind {
    RX_NOTHING, /* neither a line nor a command is complete */
    RX_LINE,    /* `line`; an empty one is not counted */
    RX_TOO_LONG, /* a line that was discarded */
    RX_COMMAND, /* `command`, and its text in `line` */
};

struct rx_demux {
    bool framed;   /* a zero came last, or came before what is being collected */
    bool overfull; /* the rest of a stretch that is too long is discarded */
    uint32_t length;
    struct wire_received counts; /* of lines and frames; the port counts its own errors */
    struct wire_command command;
    char line[COMMAND_LINE]; /* as it came; a zero becomes '?' */
    uint8_t bytes[RX_ROOM];
};

/* Take a byte.  Zeroed memory is the state to begin with.  Any context, host too. */
enum rx_kind rx_demux_byte(struct rx_demux *i, uint8_t byte);

/* Whether a frame, or a stretch that is too long, has begun and not ended. */
bool rx_demux_in_frame(const struct rx_demux *i);

/*
 * After a time without bytes: discard what rx_demux_in_frame() tells of, and count it as cut.  False: there is
 * nothing to discard.  A line that is being typed is kept.
 */
bool rx_demux_abandon(struct rx_demux *i);
