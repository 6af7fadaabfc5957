/* SPDX-License-Identifier: MIT */
/*
 * What comes in over the line where frames go out: COMMAND frames of the host and
 * plain lines of a person, told apart byte by byte (docs/PROTOCOL.md, "Commands").
 * It keeps what it is given and no more: any bytes may come.
 */
#ifndef PROBE_COMMAND_RX_DEMUX_H
#define PROBE_COMMAND_RX_DEMUX_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/command/command.h"
#include "probe/stream/wire.h"

#define RX_ROOM 320 /* longest stretch; a COMMAND of the longest line has 296 bytes */

/* What stands for a byte with an error and for bytes that were lost: ASCII's own character for that. */
#define RX_SUBSTITUTE 0x1a

enum rx_kind {
    RX_NOTHING, /* nothing is whole yet */
    RX_LINE,    /* `line`; an empty one is not counted */
    RX_TOO_LONG, /* a line that has been thrown away */
    RX_COMMAND, /* `command`, and its text in `line` */
};

struct rx_demux {
    bool framed;   /* a zero came last, or came before what is being collected */
    bool overfull; /* the rest of a stretch that is too long passes by */
    uint32_t length;
    struct wire_received counts; /* of what is told apart here; the rest is the port's */
    struct wire_command command;
    char line[COMMAND_LINE]; /* what cannot be printed is as it came, but for zeros: '?' */
    uint8_t bytes[RX_ROOM];
};

/* Zeroed memory is an inbox at its start.  Take a byte.  Any context, host too. */
enum rx_kind rx_demux_byte(struct rx_demux *i, uint8_t byte);

/* Whether a frame was begun and not ended, or a stretch that is too long. */
bool rx_demux_in_frame(const struct rx_demux *i);

/*
 * Nothing came for long: throw away what was begun, and count it as cut.  False: nothing
 * was; a line that is being typed can wait.
 */
bool rx_demux_abandon(struct rx_demux *i);

#endif
