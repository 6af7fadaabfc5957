/* SPDX-License-Identifier: MIT */
/* The word serial=: where the UART of the stream is, and its rate. */
#include "probe/config/serial_spec.h"

#include "probe/text/text_span.h"

#define UART_CLOCK  115200u /* bit/s at divisor 1 */
#define DIVISOR_MAX 65535u
#define PORT_MIN    0x100u  /* lower ports belong to chips of the board: PIT, 8259, DMA, CMOS */
#define PORT_MAX    0xfff8u /* eight registers from here */
#define MMIO_MAX    0xffffffffu /* what the kernel maps */

static const char *const names[] = {"com1", "com2", "com3", "com4"};
#define NAMES (sizeof names / sizeof names[0])

static struct span text_span(const char *text)
{
    struct span s = {text, 0};

    while (text[s.length])
        s.length++;
    return s;
}

/* The value after `start`, if it begins with that; else empty. */
static struct span behind(struct span value, const char *start)
{
    const size_t length = text_span(start).length;

    if (value.length > length && span_is((struct span){value.at, length}, start))
        return span_after(value, length);
    return (struct span){value.at, 0};
}

static bool read_mmio(struct span rest, struct serial_spec *line)
{
    const struct span address = span_until(rest, ':');

    if (address.length == rest.length || !span_hex(address, &line->address) ||
        !span_number(span_after(rest, address.length + 1), &line->stride))
        return false;
    line->place = SERIAL_MMIO;
    return line->address <= MMIO_MAX && line->address != 0 &&
           (line->stride == 1 || line->stride == 2 || line->stride == 4 || line->stride == 8);
}

static bool read_place(struct span place, struct serial_spec *line)
{
    const struct span mmio = behind(place, "mmio:");

    line->address = 0;
    line->stride = 1;
    for (size_t i = 0; i < NAMES; i++)
        if (span_is(place, names[i])) {
            line->place = SERIAL_COM1 + i;
            return true;
        }
    if (span_is(place, "pci")) {
        line->place = SERIAL_PCI;
        return true;
    }
    if (mmio.length != 0)
        return read_mmio(mmio, line);
    line->place = SERIAL_PORT;
    return span_hex(place, &line->address) && line->address >= PORT_MIN &&
           line->address <= PORT_MAX;
}

uint32_t serial_spec_divisor(uint64_t baud)
{
    uint32_t divisor;
    uint64_t made, off;

    if (baud == 0 || baud > UART_CLOCK * 2)
        return 0;
    divisor = (UART_CLOCK + (uint32_t)baud / 2) / (uint32_t)baud;
    made = divisor * baud;
    off = made > UART_CLOCK ? made - UART_CLOCK : UART_CLOCK - made;
    return divisor >= 1 && divisor <= DIVISOR_MAX && off * 50 <= made ? divisor : 0;
}

/* The rate: what follows the comma, if there is one. */
static struct span rate_of(struct span value)
{
    const size_t place = span_until(value, ',').length;

    return span_after(value, place < value.length ? place + 1 : place);
}

enum serial_spec_result serial_spec_parse(struct serial_spec *line, struct span value)
{
    struct serial_spec read = {.baud = UART_CLOCK};
    const struct span place = span_until(value, ',');

    if (!read_place(place, &read))
        return SERIAL_SPEC_UNKNOWN;
    if (place.length < value.length) {
        if (!span_number(rate_of(value), &read.baud))
            return SERIAL_SPEC_UNKNOWN;
        if (serial_spec_divisor(read.baud) == 0)
            return SERIAL_SPEC_NO_DIVISOR;
    }
    *line = read;
    return SERIAL_SPEC_OK;
}

void serial_spec_put(struct text_buf *out, const struct serial_spec *line)
{
    if (line->place < NAMES) {
        buf_text(out, names[line->place]);
    } else if (line->place == SERIAL_PCI) {
        buf_text(out, "pci");
    } else {
        buf_text(out, line->place == SERIAL_MMIO ? "mmio:" : "");
        buf_text(out, HEX(line->address));
    }
    if (line->place == SERIAL_MMIO) {
        buf_char(out, ':');
        buf_number(out, line->stride);
    }
    buf_char(out, ',');
    buf_number(out, line->baud);
}

static void put_rate(struct text_buf *out, uint32_t divisor)
{
    buf_number(out, (UART_CLOCK + divisor / 2) / divisor);
}

void serial_spec_put_nearest(struct text_buf *out, struct span value)
{
    uint64_t baud;

    span_number(rate_of(value), &baud);
    buf_text(out, " (nearest: ");
    if (baud < 2) {
        put_rate(out, DIVISOR_MAX);
    } else if (baud >= UART_CLOCK) {
        put_rate(out, 1);
    } else {
        put_rate(out, UART_CLOCK / (uint32_t)baud);
        buf_text(out, " ");
        put_rate(out, UART_CLOCK / (uint32_t)baud + 1);
    }
    buf_text(out, ")");
}
