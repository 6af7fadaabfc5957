/* SPDX-License-Identifier: MIT */
/* Tells the boots of a board apart; finds error messages among bytes of firmware, text of the image, or frames. */
#include <asm/termbits.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe/stream/wire_fields.h"
#include "tools/base/printable.h"
#include "tools/stream/port.h"

static bool take_hello(struct boot_watch *b, const struct wire_hello *hello)
{
    const bool boots = !b->epoch || hello->now < b->now ||
                       (hello->epoch != b->epoch && (b->greeted || hello->now == b->now));

    *b = (struct boot_watch){.epoch = hello->epoch, .now = hello->now};
    return boots;
}

/* A HELLO may be seconds old; a snapshot tells the time too. */
static void take_time(struct boot_watch *b, uint64_t end)
{
    if (end > b->now)
        b->now = end;
}

bool boot_watch_event(struct boot_watch *b, const struct stream_event *event)
{
    struct wire_reader r = event->reader;
    union wire_head head;

    if (event->kind != STREAM_RECORD || !wire_read_head(&r, &head))
        return false;
    switch (r.type) {
    case WIRE_HELLO:
        return take_hello(b, &head.hello);
    case WIRE_TEXT:
        b->greeted |= head.text_record.epoch == 0;
        return false;
    case WIRE_SNAPSHOT:
        take_time(b, head.snapshot.end);
        return false;
    case WIRE_DELTA:
        take_time(b, head.delta.end);
        return false;
    default:
        return false;
    }
}

static const char opening[] = "cpuprobe: error: "; /* kernel/io/log.c, boot/ */

#define OPENING (sizeof(opening) - 1)
#define SEVERITY_ERROR 2 /* docs/PROTOCOL.md, TEXT */

static void tell(struct image_refusal *r, const char *text, size_t length)
{
    char *sentence = printable_copy(text, length);

    r->sentences++;
    fflush(stdout);
    fprintf(stderr, "%s%s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "" /* progress */, sentence);
    free(sentence);
}

static void begin_line(struct image_refusal *r, bool after_zero)
{
    r->matched = 0;
    r->column = 0;
    r->after_zero = after_zero;
    r->length = 0;
}

static void end_line(struct image_refusal *r)
{
    if (r->matched == OPENING)
        tell(r, r->line, r->length);
}

/*
 * Firmware may have left an unfinished line, so the opening may be anywhere in a line.  After a
 * zero and some bytes it is inside a frame, which refusal_add_event() handles.
 */
static void match(struct image_refusal *r, char c)
{
    if (c != opening[r->matched]) {
        r->matched = 0;
        r->length = 0;
    }
    if (c != opening[r->matched] || (r->after_zero && r->column != r->matched))
        return;
    r->matched++;
    r->line[r->length++] = c;
}

static void take_byte(struct image_refusal *r, char c)
{
    if (c == '\0') {
        begin_line(r, true);
    } else if (c == '\n' || c == '\r') {
        end_line(r);
        begin_line(r, false);
    } else {
        if (r->matched < OPENING)
            match(r, c);
        else if (r->length < sizeof(r->line))
            r->line[r->length++] = c;
        r->column++;
    }
}

void refusal_add_bytes(struct image_refusal *r, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length && !r->has_hello; i++)
        take_byte(r, (char)bytes[i]);
}

void refusal_add_event(struct image_refusal *r, const struct stream_event *event)
{
    struct wire_reader reader = event->reader;
    struct wire_text_record text;

    if (event->kind != STREAM_RECORD || r->has_hello)
        return;
    r->has_hello = reader.type == WIRE_HELLO;
    if (reader.type != WIRE_TEXT)
        return;
    wire_read_head(&reader, &text);
    if (text.text.length && text.text.bytes[text.text.length - 1] == '\n')
        text.text.length--;
    if (text.severity == SEVERITY_ERROR)
        tell(r, text.text.bytes, text.text.length);
}

void refusal_finish(struct image_refusal *r)
{
    if (!r->has_hello)
        end_line(r);
    begin_line(r, false);
}

bool refusal_is_given(const struct image_refusal *r)
{
    return r->sentences && !r->has_hello;
}

/* Reads and sets any rate of a serial line by termios2. */

#define PARTS 40 /* one of these, 2.5 %, is how far a rate may be off */

unsigned long line_rate(int line)
{
    struct termios2 now;

    return ioctl(line, TCGETS2, &now) ? 0 : now.c_ospeed;
}

bool line_rate_set(int line, unsigned long baud)
{
    struct termios2 now;
    unsigned long off;

    if (ioctl(line, TCGETS2, &now))
        return false;
    now.c_cflag &= ~(tcflag_t)(CBAUD | CBAUD << IBSHIFT);
    now.c_cflag |= BOTHER | BOTHER << IBSHIFT;
    now.c_ispeed = now.c_ospeed = (speed_t)baud;
    if (ioctl(line, TCSETS2, &now) || ioctl(line, TCGETS2, &now))
        return false;
    off = now.c_ospeed > baud ? now.c_ospeed - baud : baud - now.c_ospeed;
    errno = EINVAL;
    return off <= baud / PARTS;
}
