/* SPDX-License-Identifier: MIT */
/* The word slu=: which UART the ticks of a serial line come from. */
#include "probe/config/slu_spec.h"

#include "probe/text/text_span.h"

static const char *const names[] = {"com1", "com2", "com3", "com4", "auto", "stream"};
#define NAMES (sizeof names / sizeof names[0])

static bool read_port(struct span value, uint64_t *port)
{
    for (uint64_t i = 0; i < NAMES; i++)
        if (span_is(value, names[i])) {
            *port = i;
            return true;
        }
    return false;
}

enum serial_line_verdict slu_word_parse(struct slu_word *word, struct span value)
{
    const struct span port = span_until(value, ',');
    struct slu_word read = {.baud = 0};

    if (!read_port(port, &read.port))
        return SERIAL_LINE_UNKNOWN;
    if (port.length < value.length) {
        if (read.port >= SLU_AUTO || !span_number(span_after(value, port.length + 1), &read.baud))
            return SERIAL_LINE_UNKNOWN;
        if (serial_line_divisor(read.baud) == 0)
            return SERIAL_LINE_NO_DIVISOR;
    }
    *word = read;
    return SERIAL_LINE_TAKEN;
}

void slu_word_put(struct sink *out, const struct slu_word *word)
{
    sink_text(out, names[word->port]);
    if (word->baud == 0)
        return;
    sink_char(out, ',');
    sink_number(out, word->baud);
}
