/* SPDX-License-Identifier: MIT */
/*
 * Separates lines and frames in a stream of bytes.  A zero ends the stretch before it; a frame follows, unless
 * the stretch was one.  A line end ends a line.  Within a frame it is data, unless all bytes of the stretch can
 * be printed: then it is a line, because the type of a frame is not printable.  So a lost zero or noise costs one
 * stretch at most.
 */
#include "probe/command/rx_demux.h"


_Static_assert(WIRE_COMMAND < ' ', "no COMMAND looks like a line");

static bool is_end(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

/*
 * Whether the stretch is printable, and so no frame.  Its first byte may be the second line end of the line before.
 */
static bool can_be_typed(const struct rx_demux *i)
{
    for (uint32_t n = 0; n < i->length; n++)
        if (((i->bytes[n] < ' ' && i->bytes[n] != '\t') || i->bytes[n] > '~') &&
            !(n == 0 && is_end(i->bytes[n])))
            return false;
    return i->length != 0;
}

static void put_line(struct rx_demux *i, const char *from, size_t length)
{
    for (size_t n = 0; n < length; n++)
        i->line[n] = from[n] != '\0' ? from[n] : '?'; /* a zero would end the text */
    i->line[length] = '\0';
}

static enum rx_kind too_long(struct rx_demux *i, bool line)
{
    i->overfull = false;
    i->length = 0;
    i->counts.too_long++;
    return line ? RX_TOO_LONG : RX_NOTHING;
}

/* A line end came: the stretch before it is a line. */
static enum rx_kind end_line(struct rx_demux *i)
{
    const uint32_t first = i->length != 0 && is_end(i->bytes[0]), length = i->length - first;

    i->length = 0;
    i->framed = false;
    if (length >= COMMAND_LINE)
        return too_long(i, true);
    put_line(i, (const char *)i->bytes + first, length);
    i->counts.lines += length != 0;
    return RX_LINE;
}

static bool read_command(struct rx_demux *i, struct wire_reader *r)
{
    struct wire_command *c = &i->command;

    if (!wire_read_head(r, c) || c->session == 0 || c->id == 0 ||
        c->line.length >= sizeof i->line)
        return false;
    put_line(i, c->line.bytes, c->line.length);
    c->line.bytes = i->line;
    return true;
}

/* A zero came after some bytes: they are a frame, or damaged, and then this zero may begin a frame. */
static enum rx_kind end_frame(struct rx_demux *i)
{
    struct wire_reader r;
    const bool intact = wire_open(&r, i->bytes, i->length) == WIRE_INTACT;
    const bool foreign = intact && r.type != WIRE_COMMAND;

    i->length = 0;
    i->framed = !intact;
    if (intact && !foreign && read_command(i, &r)) {
        i->counts.commands++;
        return RX_COMMAND;
    }
    i->counts.foreign += foreign;
    i->counts.damaged += !foreign;
    return RX_NOTHING;
}

static enum rx_kind end(struct rx_demux *i, uint8_t byte)
{
    if (byte != 0)
        return i->overfull ? too_long(i, true) : end_line(i);
    if (i->overfull) {
        i->framed = true;
        return too_long(i, false);
    }
    if (i->length != 0)
        return end_frame(i);
    i->framed = true;
    return RX_NOTHING;
}

enum rx_kind rx_demux_byte(struct rx_demux *i, uint8_t byte)
{
    const bool ends = byte == 0 || (is_end(byte) && (!i->framed || can_be_typed(i)));

    i->counts.bytes++;
    if (ends || (i->overfull && is_end(byte)))
        return end(i, byte);
    if (i->length < (i->framed ? RX_ROOM : COMMAND_LINE - 1u))
        i->bytes[i->length++] = byte;
    else
        i->overfull = true;
    return RX_NOTHING;
}

bool rx_demux_in_frame(const struct rx_demux *i)
{
    return i->overfull || (i->framed && i->length != 0 && !can_be_typed(i));
}

bool rx_demux_abandon(struct rx_demux *i)
{
    if (!rx_demux_in_frame(i))
        return false;
    i->overfull = false;
    i->length = 0;
    i->framed = false;
    i->counts.cut++;
    return true;
}
