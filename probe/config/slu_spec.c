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

enum serial_spec_result slu_spec_parse(struct slu_spec *word, struct span value)
{
    const struct span port = span_until(value, ',');
    struct slu_spec read = {.baud = 0};

    if (!read_port(port, &read.port))
        return SERIAL_SPEC_UNKNOWN;
    if (port.length < value.length) {
        if (read.port >= SLU_AUTO || !span_number(span_after(value, port.length + 1), &read.baud))
            return SERIAL_SPEC_UNKNOWN;
        if (serial_spec_divisor(read.baud, SERIAL_CLOCK) == 0)
            return SERIAL_SPEC_NO_DIVISOR;
    }
    *word = read;
    return SERIAL_SPEC_OK;
}

void slu_spec_put(struct text_buf *out, const struct slu_spec *word)
{
    buf_text(out, names[word->port]);
    if (word->baud == 0)
        return;
    buf_char(out, ',');
    buf_number(out, word->baud);
}
