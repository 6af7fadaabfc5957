/* SPDX-License-Identifier: MIT */
/* Finds error messages among bytes of firmware, text of the image, or frames. */
#include "tools/stream/image_refusal.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/base/printable.h"

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
