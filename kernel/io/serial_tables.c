/* SPDX-License-Identifier: MIT */
/* SPCR, DBG2 and the BIOS data area: fields by offset, each checked before it is used. */
#include "kernel/io/serial_auto.h"

#include "kernel/firmware/acpi.h"

/* Generic address structure: ACPI specification 6.5, section 5.2.3.2 */
#define GAS_SPACE      0u
#define GAS_BIT_WIDTH  1u
#define GAS_BIT_OFFSET 2u
#define GAS_ACCESS     3u
#define GAS_ADDRESS    4u
#define GAS_BYTES      12u
#define SPACE_MEMORY   0u
#define SPACE_IO       1u

#define SPCR_BYTES     80u /* of each revision, at least */
#define SPCR_TYPE      36u
#define SPCR_GAS       40u
#define SPCR_BAUD      58u
#define SPCR_DEVICE    64u
#define SPCR_VENDOR    66u
#define SPCR_BUS       68u
#define SPCR_SLOT      69u
#define SPCR_FUNCTION  70u
#define SPCR_SEGMENT   75u
#define SPCR_CLOCK     76u /* Hz; from revision 3 on */
#define SPCR_PRECISE   80u /* bit/s; from revision 4 on */
#define SPCR_PRECISE_END 84u
#define REVISION_CLOCK 3u
#define REVISION_PRECISE 4u
#define NO_PCI         0xffffu
#define SLOT_MAX       31u
#define FUNCTION_MAX   7u

#define DBG2_BYTES     44u
#define DBG2_OFFSET    36u
#define DBG2_COUNT     40u
#define DBG2_DEVICES   32u
#define DEVICE_BYTES   22u
#define DEVICE_LENGTH  1u
#define DEVICE_ADDRESSES 3u
#define DEVICE_TYPE    12u
#define DEVICE_SUBTYPE 14u
#define DEVICE_GAS     18u
#define TYPE_SERIAL    0x8000u

#define UART_FULL      0x00u /* interface types, and subtypes of a serial device of DBG2 */
#define UART_SUBSET    0x01u
#define UART_BY_GAS    0x12u

#define BDA_PORTS      4u
#define BDA_EQUIPMENT  0x10u /* a word; bits 9 to 11: serial ports */

static const char no_16550[] = "it names no 16550";

/* One of the PC's ports has byte registers in a row, whatever is said of their width, and a known interrupt. */
static bool use_com(struct serial_spec *line)
{
    for (uint64_t place = SERIAL_COM1; place <= SERIAL_COM4; place++)
        if (line->place == SERIAL_PORT && line->address == serial_spec_port(place)) {
            line->place = place;
            line->address = 0;
            line->stride = line->width = 1;
            return true;
        }
    return false;
}

/* The register's width is the stride; what is not told is a byte.  Registers do not overlap. */
static const char *read_gas(const uint8_t *gas, struct serial_spec *line)
{
    static const uint8_t widths[] = { 1, 1, 2, 4 }; /* by the access size */
    const uint8_t bits = gas[GAS_BIT_WIDTH], access = gas[GAS_ACCESS];

    if (gas[GAS_SPACE] != SPACE_MEMORY && gas[GAS_SPACE] != SPACE_IO)
        return "its registers are neither in memory nor at ports";
    line->place = gas[GAS_SPACE] == SPACE_IO ? SERIAL_PORT : SERIAL_MMIO;
    line->address = acpi_number(gas + GAS_ADDRESS, 8);
    if (use_com(line))
        return 0;
    if (gas[GAS_BIT_OFFSET] != 0 || bits % 8 != 0 || (bits & (bits - 1)) != 0 || access >= sizeof widths)
        return "its registers have an impossible width";
    line->width = widths[access];
    line->stride = bits != 0 ? bits / 8u : 1;
    if (line->stride < line->width)
        line->stride = line->width;
    return serial_spec_registers_ok(line) ? 0 : "its registers have an impossible address or width";
}

static void begin(struct serial_named *named)
{
    *named = (struct serial_named){ .line = { .clock = SERIAL_CLOCK } };
}

static uint64_t spcr_baud(const uint8_t *table, uint64_t length)
{
    static const uint32_t rates[] = { [3] = 9600, [4] = 19200, [6] = 57600, [7] = 115200 };
    const uint8_t code = table[SPCR_BAUD];
    uint64_t precise = 0;

    if (table[ACPI_TABLE_REVISION] >= REVISION_PRECISE && length >= SPCR_PRECISE_END)
        precise = acpi_number(table + SPCR_PRECISE, 4);
    return precise != 0 ? precise : code < sizeof rates / sizeof rates[0] ? rates[code] : 0;
}

static const char *spcr_pci(const uint8_t *table, struct serial_named *named)
{
    named->vendor = (uint16_t)acpi_number(table + SPCR_VENDOR, 2);
    named->device = (uint16_t)acpi_number(table + SPCR_DEVICE, 2);
    named->pci = named->vendor != NO_PCI && named->device != NO_PCI && (named->vendor != 0 || named->device != 0);
    if (!named->pci)
        return 0;
    if (table[SPCR_SLOT] > SLOT_MAX || table[SPCR_FUNCTION] > FUNCTION_MAX)
        return "its PCI device has an impossible number";
    if (table[SPCR_SEGMENT] != 0)
        return "its PCI device is in another segment than the first";
    named->function = (uint32_t)table[SPCR_BUS] << 8 | (uint32_t)table[SPCR_SLOT] << 3 | table[SPCR_FUNCTION];
    return 0;
}

const char *serial_spcr_read(const uint8_t *table, uint64_t length, struct serial_named *named)
{
    uint64_t clock = 0;
    const char *wrong;

    begin(named);
    if (length < SPCR_BYTES)
        return "it is too short";
    if (table[ACPI_TABLE_REVISION] == 0)
        return "it has no revision";
    if (table[SPCR_TYPE] != UART_FULL && table[SPCR_TYPE] != UART_SUBSET && table[SPCR_TYPE] != UART_BY_GAS)
        return no_16550;
    wrong = read_gas(table + SPCR_GAS, &named->line);
    if (wrong != 0)
        return wrong;
    if (table[ACPI_TABLE_REVISION] >= REVISION_CLOCK)
        clock = acpi_number(table + SPCR_CLOCK, 4);
    if (clock != 0 && (clock < SERIAL_CLOCK_MIN || clock > SERIAL_CLOCK_MAX))
        return "its clock is impossible";
    if (clock != 0)
        named->line.clock = clock;
    named->line.baud = spcr_baud(table, length);
    return spcr_pci(table, named);
}

unsigned serial_dbg2_devices(const uint8_t *table, uint64_t length)
{
    const uint64_t count = length >= DBG2_BYTES ? acpi_number(table + DBG2_COUNT, 4) : 0;

    return count < DBG2_DEVICES ? (unsigned)count : DBG2_DEVICES;
}

/* The device's bytes, all of them in the table; NULL: they are not. */
static const uint8_t *dbg2_device(const uint8_t *table, uint64_t length, unsigned i, uint64_t *bytes)
{
    uint64_t at = acpi_number(table + DBG2_OFFSET, 4);

    for (;; i--, at += *bytes) {
        if (at < DBG2_BYTES || at > length || length - at < DEVICE_BYTES)
            return 0;
        *bytes = acpi_number(table + at + DEVICE_LENGTH, 2);
        if (*bytes < DEVICE_BYTES || *bytes > length - at)
            return 0;
        if (i == 0)
            return table + at;
    }
}

const char *serial_dbg2_read(const uint8_t *table, uint64_t length, unsigned i, struct serial_named *named)
{
    uint64_t bytes, gas, subtype;
    const uint8_t *device;

    begin(named);
    device = i < serial_dbg2_devices(table, length) ? dbg2_device(table, length, i, &bytes) : 0;
    if (device == 0)
        return "its list of devices is damaged";
    subtype = acpi_number(device + DEVICE_SUBTYPE, 2);
    if (acpi_number(device + DEVICE_TYPE, 2) != TYPE_SERIAL ||
        (subtype != UART_FULL && subtype != UART_SUBSET && subtype != UART_BY_GAS))
        return no_16550;
    gas = acpi_number(device + DEVICE_GAS, 2);
    if (device[DEVICE_ADDRESSES] == 0 || gas < DEVICE_BYTES || gas > bytes || bytes - gas < GAS_BYTES)
        return "its device has no address";
    return read_gas(device + gas, &named->line);
}

unsigned serial_bda_read(const uint8_t *bda, struct serial_named named[4])
{
    const uint64_t equipment = acpi_number(bda + BDA_EQUIPMENT, 2) >> 9 & 7;
    unsigned ports = 0;

    for (unsigned i = 0; i < BDA_PORTS; i++) {
        const uint64_t port = acpi_number(bda + 2 * i, 2);

        if (port == 0)
            continue;
        begin(&named[ports]);
        named[ports].line.place = SERIAL_PORT;
        named[ports].line.address = port;
        named[ports].line.stride = named[ports].line.width = 1;
        if (!serial_spec_registers_ok(&named[ports].line))
            return 0;
        use_com(&named[ports++].line);
    }
    return ports == equipment ? ports : 0;
}
