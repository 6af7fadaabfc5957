/* SPDX-License-Identifier: MIT */
/* serial=auto: each UART that is named is tested as one that serial= names. */
#include "kernel/io/serial_auto.h"

#include "drivers/pci.h"
#include "kernel/firmware/acpi.h"
#include "kernel/io/serial_device.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/phys_bytes.h"
#include "kernel/lib/string.h"
#include "probe/text/text_buf.h"

#define WINDOW_LEAST 4096u /* bytes from a PCI device's first base address in which its UART may be */

struct search {
    const struct boot_info *boot;
    uint64_t baud;
    struct serial_choice *choice;
    struct text_buf passed;
};

static void pass(struct search *s, const char *what, const char *why)
{
    buf_parts(&s->passed, s->passed.length != 0 ? "; " : "", what, ": ", why);
}

/* What is there and names no UART that can be used. */
static void fault(struct search *s, const char *what, const char *why)
{
    pass(s, what, why);
    s->choice->tell = true;
}

/* Firmware may have told of a device that is no longer there. */
static const char *open_pci(const struct serial_named *named)
{
    const bool memory = named->line.place == SERIAL_MMIO;
    struct pci_bar window;
    const char *wrong;

    if (pci_config_read(named->function, 0) != ((uint32_t)named->device << 16 | named->vendor))
        return "its PCI device is not there";
    wrong = pci_open(named->function, &window);
    if (wrong != 0)
        return wrong;
    return window.memory == memory && named->line.address >= window.base &&
           named->line.address - window.base < WINDOW_LEAST ?
           0 : "its PCI device has its registers elsewhere";
}

static const char *test(struct search *s, const struct serial_named *named, struct serial_device *device)
{
    struct serial_spec line = named->line;
    const char *wrong = named->pci ? open_pci(named) : 0;

    if (wrong == 0)
        wrong = serial_device_find(&line, device);
    if (wrong != 0)
        return wrong;
    line.baud = s->baud != 0 ? s->baud : line.baud != 0 ? line.baud : SERIAL_BAUD;
    if (serial_spec_divisor(line.baud, line.clock) == 0)
        return "no divisor of its clock makes the rate";
    if (!stream_uart_init(device, &line))
        return "no byte comes back in its loopback";
    s->choice->line.baud = line.baud;
    s->choice->line.clock = line.clock;
    return 0;
}

static bool use(struct search *s, const struct serial_named *named, const char *what)
{
    char place[TEXT_BUF_SIZE];
    struct text_buf text = TEXT_BUF(place);
    struct serial_device device = { .irq = NO_IRQ, .name = "" };
    const char *const wrong = test(s, named, &device);

    if (wrong == 0) {
        s->choice->named_by = what;
        return true;
    }
    buf_parts(&text, device.name, device.name[0] != '\0' ? ": " : "", wrong);
    fault(s, what, place);
    return false;
}

/* ---- what names one ---- */

static struct acpi_table find_table(struct search *s, const char *signature, const char *what)
{
    const struct acpi_table t = acpi_find_table(signature, s->boot->rsdp, phys_bytes);

    if (t.wrong && t.bytes == 0)
        fault(s, what, "its checksum or its length is wrong");
    else if (t.bytes == 0)
        pass(s, what, "not there");
    return t;
}

static bool use_spcr(struct search *s)
{
    static const char what[] = "SPCR";
    const struct acpi_table t = find_table(s, "SPCR", what);
    struct serial_named named;
    const char *wrong;

    if (t.bytes == 0)
        return false;
    wrong = serial_spcr_read(t.bytes, t.length, &named);
    if (wrong == 0)
        return use(s, &named, what);
    fault(s, what, wrong);
    return false;
}

static bool use_dbg2(struct search *s)
{
    static const char what[] = "DBG2";
    const struct acpi_table t = find_table(s, "DBG2", what);
    const unsigned devices = t.bytes != 0 ? serial_dbg2_devices(t.bytes, t.length) : 0;
    struct serial_named named;

    if (t.bytes != 0 && devices == 0)
        fault(s, what, "it has no device");
    for (unsigned i = 0; i < devices; i++) {
        const char *const wrong = serial_dbg2_read(t.bytes, t.length, i, &named);

        if (wrong == 0 && use(s, &named, what))
            return true;
        if (wrong != 0)
            fault(s, what, wrong);
    }
    return false;
}

/* UEFI leaves no such area, and the flash door finds memory as it was at power-on. */
static bool has_bios(const struct boot_info *boot)
{
    return boot->rsdp == 0 && !string_equal(boot->door, "rom");
}

static bool use_bda(struct search *s)
{
    static const char what[] = "the BIOS data area";
    const uint8_t *const bda = phys_bytes(SERIAL_BDA, SERIAL_BDA_LENGTH);
    struct serial_named named[4];
    unsigned ports;

    if (!has_bios(s->boot))
        return false;
    ports = serial_bda_read(bda, named);
    if (ports == 0)
        pass(s, what, "it names no port");
    for (unsigned i = 0; i < ports; i++)
        if (use(s, &named[i], what))
            return true;
    return false;
}

static bool use_any_port(struct search *s)
{
    struct serial_named named = { .line = { .stride = 1, .width = 1, .clock = SERIAL_CLOCK } };
    struct serial_device device;

    for (named.line.place = SERIAL_COM1; named.line.place <= SERIAL_COM4; named.line.place++)
        if (test(s, &named, &device) == 0) {
            s->choice->named_by = "a test of the four COM ports";
            return true;
        }
    pass(s, "COM1 to COM4", "none answers");
    return false;
}

bool serial_auto_find(const struct boot_info *boot, uint64_t baud, struct serial_choice *choice)
{
    struct search s = { .boot = boot, .baud = baud, .choice = choice, .passed = TEXT_BUF(choice->passed) };

    choice->tell = false;
    choice->line = (struct serial_spec){ .place = SERIAL_AUTO, .baud = baud != 0 ? baud : SERIAL_BAUD,
                                         .clock = SERIAL_CLOCK };
    choice->passed[0] = '\0';
    return use_spcr(&s) || use_dbg2(&s) || use_bda(&s) || use_any_port(&s);
}
