/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes the words of serial lines: serial=, where the UART of the stream is, its rate and its clock, and
 * slu=, which UART the ticks of a serial line come from.
 */
#include "probe/config/serial_spec.h"

#include "probe/text/text_span.h"

#define DIVISOR_MAX 65535u
#define WIDTH_MAX   4u
#define BUS_MAX     255u
#define DEVICE_MAX  31u
#define FUNCTION_MAX 7u

static const char *const names[] = {"com1", "com2", "com3", "com4"};
#define NAMES (sizeof names / sizeof names[0])

uint16_t serial_spec_port(uint64_t place)
{
    static const uint16_t ports[NAMES] = {0x3f8, 0x2f8, 0x3e8, 0x2e8};

    return ports[place];
}

/* The value after `start`, if it begins with that; else empty. */
static struct span behind(struct span value, const char *start)
{
    const size_t length = span_text(start).length;

    if (value.length > length && span_is((struct span){value.at, length}, start))
        return span_after(value, length);
    return (struct span){value.at, 0};
}

static bool ends_in(struct span value, char end)
{
    return value.length != 0 && value.at[value.length - 1] == end;
}

/* The part up to `end`, and *rest past it; where there is no `end`, all, and *rest is empty. */
static struct span cut(struct span *rest, char end)
{
    const struct span part = span_until(*rest, end);

    *rest = span_after(*rest, part.length + (part.length < rest->length));
    return part;
}

/* ---- registers ---- */

static uint64_t usual_width(uint64_t stride)
{
    return stride < WIDTH_MAX ? stride : WIDTH_MAX;
}

bool serial_spec_registers_ok(const struct serial_spec *line)
{
    const bool ports = line->place == SERIAL_PORT;
    const uint64_t stride = line->stride, width = line->width;
    const uint64_t low = ports ? SERIAL_PORT_MIN : 1, end = ports ? SERIAL_PORT_END : SERIAL_MMIO_END;

    if ((stride != 1 && stride != 2 && stride != 4 && stride != 8) || (width != 1 && width != 2 && width != 4))
        return false;
    return width <= stride && (line->address & (width - 1)) == 0 && line->address >= low &&
           line->address <= end - SERIAL_REGISTERS * stride;
}

/* 0xADDRESS[:STRIDE[:WIDTH]] */
static bool read_registers(struct span rest, struct serial_spec *line)
{
    if (ends_in(rest, ':') || !span_hex(cut(&rest, ':'), &line->address))
        return false;
    if (rest.length != 0 && !span_number(cut(&rest, ':'), &line->stride))
        return false;
    line->width = usual_width(line->stride);
    if (rest.length != 0 && !span_number(rest, &line->width))
        return false;
    return serial_spec_registers_ok(line);
}

static bool read_mmio(struct span rest, struct serial_spec *line)
{
    line->place = SERIAL_MMIO;
    return span_until(rest, ':').length < rest.length && read_registers(rest, line);
}

/* ---- PCI ---- */

/* One or two hexadecimal digits without 0x, as lspci writes them. */
static bool read_pci_number(struct span digits, uint64_t most, uint64_t *number)
{
    char text[4] = "0x";

    if (digits.length == 0 || digits.length > 2)
        return false;
    for (size_t i = 0; i < digits.length; i++)
        text[2 + i] = digits.at[i];
    return span_hex((struct span){text, 2 + digits.length}, number) && *number <= most;
}

/* BUS:DEVICE.FUNCTION */
static bool read_function(struct span rest, struct serial_spec *line)
{
    uint64_t bus, device, function;

    line->place = SERIAL_FUNCTION;
    if (!read_pci_number(cut(&rest, ':'), BUS_MAX, &bus) || !read_pci_number(cut(&rest, '.'), DEVICE_MAX, &device) ||
        !read_pci_number(rest, FUNCTION_MAX, &function))
        return false;
    line->address = bus << 8 | device << 3 | function;
    return true;
}

static void put_function(struct text_buf *out, uint64_t address)
{
    char text[FORMAT_DIGITS];

    buf_text(out, format_base(text, "pci:", address >> 8, 4, 2));
    buf_text(out, format_base(text, ":", address >> 3 & DEVICE_MAX, 4, 2));
    buf_text(out, format_base(text, ".", address & FUNCTION_MAX, 4, 1));
}

/* ---- the place ---- */

static bool read_place(struct span place, struct serial_spec *line)
{
    const struct span mmio = behind(place, "mmio:"), function = behind(place, "pci:");

    line->stride = line->width = 1;
    if (span_is(place, "auto")) {
        line->place = SERIAL_AUTO;
        return true;
    }
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
    if (function.length != 0)
        return read_function(function, line);
    line->place = SERIAL_PORT;
    return read_registers(place, line);
}

static void put_registers(struct text_buf *out, const struct serial_spec *line)
{
    const bool mmio = line->place == SERIAL_MMIO, usual = line->width == usual_width(line->stride);

    buf_text(out, mmio ? "mmio:" : "");
    buf_text(out, HEX(line->address));
    if (mmio || line->stride != 1) {
        buf_char(out, ':');
        buf_number(out, line->stride);
    }
    if (!usual) {
        buf_char(out, ':');
        buf_number(out, line->width);
    }
}

/* ---- the rate and the clock ---- */

/* Bit/s at divisor 1. */
static uint32_t fastest(uint64_t clock)
{
    return (uint32_t)clock / SERIAL_BIT;
}

uint32_t serial_spec_divisor(uint64_t baud, uint64_t clock)
{
    const uint32_t most = fastest(clock);
    uint64_t made, off;
    uint32_t divisor;

    if (baud == 0 || baud > (uint64_t)most * 2)
        return 0;
    divisor = (most + (uint32_t)baud / 2) / (uint32_t)baud;
    made = divisor * baud;
    off = made > most ? made - most : most - made;
    return divisor >= 1 && divisor <= DIVISOR_MAX && off * 50 <= made ? divisor : 0;
}

static bool read_clock(struct span value, uint64_t *clock)
{
    return span_number(value, clock) && *clock >= SERIAL_CLOCK_MIN && *clock <= SERIAL_CLOCK_MAX;
}

/* What follows the place; each at most once, the rate first. */
static bool read_options(struct span rest, struct serial_spec *line)
{
    bool first = true, clock = false;

    for (; rest.length != 0; first = false) {
        const struct span option = cut(&rest, ','), hz = behind(option, "clock=");

        if (hz.length != 0 && !clock && read_clock(hz, &line->clock))
            clock = true;
        else if (span_is(option, "trust") && !line->trust)
            line->trust = true;
        else if (!first || !span_number(option, &line->baud))
            return false;
    }
    return true;
}

enum serial_spec_result serial_spec_parse(struct serial_spec *line, struct span value)
{
    struct serial_spec read = {.baud = SERIAL_BAUD, .clock = SERIAL_CLOCK};
    const bool whole = !ends_in(value, ',');
    const struct span place = cut(&value, ',');
    const bool rated = value.length != 0; /* auto has no other option */

    if (!read_place(place, &read) || !whole || !read_options(value, &read))
        return SERIAL_SPEC_UNKNOWN;
    if (read.place == SERIAL_AUTO && (read.trust || read.clock != SERIAL_CLOCK || read.baud == 0))
        return SERIAL_SPEC_UNKNOWN;
    if (read.place == SERIAL_AUTO && !rated)
        read.baud = 0;
    if (read.place != SERIAL_AUTO && serial_spec_divisor(read.baud, read.clock) == 0)
        return SERIAL_SPEC_NO_DIVISOR; /* of auto the clock is not known yet */
    *line = read;
    return SERIAL_SPEC_OK;
}

void serial_spec_put(struct text_buf *out, const struct serial_spec *line)
{
    if (line->place < NAMES)
        buf_text(out, names[line->place]);
    else if (line->place == SERIAL_PCI)
        buf_text(out, "pci");
    else if (line->place == SERIAL_AUTO)
        buf_text(out, "auto");
    else if (line->place == SERIAL_FUNCTION)
        put_function(out, line->address);
    else
        put_registers(out, line);
    if (line->baud != 0) {
        buf_char(out, ',');
        buf_number(out, line->baud);
    }
    if (line->clock != SERIAL_CLOCK && line->place != SERIAL_AUTO) {
        buf_text(out, ",clock=");
        buf_number(out, line->clock);
    }
    buf_text(out, line->trust ? ",trust" : "");
}

static void put_rate(struct text_buf *out, uint32_t most, uint32_t divisor)
{
    buf_number(out, (most + divisor / 2) / divisor);
}

void serial_spec_put_nearest(struct text_buf *out, struct span value)
{
    struct serial_spec read = {.baud = SERIAL_BAUD, .clock = SERIAL_CLOCK};
    uint32_t most;

    cut(&value, ',');
    read_options(value, &read);
    most = fastest(read.clock);
    buf_text(out, " (nearest: ");
    if (read.baud <= most / DIVISOR_MAX) {
        put_rate(out, most, DIVISOR_MAX);
    } else if (read.baud >= most) {
        put_rate(out, most, 1);
    } else {
        put_rate(out, most, most / (uint32_t)read.baud);
        buf_text(out, " ");
        put_rate(out, most, most / (uint32_t)read.baud + 1);
    }
    buf_text(out, ")");
}

/* The word slu= */
static const char *const ports[] = {"com1", "com2", "com3", "com4", "auto", "stream"};
#define PORTS (sizeof ports / sizeof ports[0])

static bool read_port(struct span value, uint64_t *port)
{
    for (uint64_t i = 0; i < PORTS; i++)
        if (span_is(value, ports[i])) {
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
    buf_text(out, ports[word->port]);
    if (word->baud == 0)
        return;
    buf_char(out, ',');
    buf_number(out, word->baud);
}
