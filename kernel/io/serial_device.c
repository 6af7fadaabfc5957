/* SPDX-License-Identifier: MIT */
/*
 * From the word serial= to a UART.  The four COM ports have had their ports and
 * interrupts since the PC/AT.  Of any other UART the interrupt is not known, and
 * a PCI card's is level-triggered and shared with whatever firmware left on the
 * same line: those are served by the clock instead (kernel/io/stream_uart.c).
 */
#include "kernel/io/serial_device.h"

#include "drivers/pci.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/free_regions.h"
#include "kernel/mm/paging.h"
#include "probe/text/text_buf.h"

#define ADDRESS_BITS 0x80000008u /* leaf of CPUID; EAX: bits of a physical address */
#define NAME         40
#define BITS_LEAST   36u         /* of a CPU without this leaf */

static const struct {
    unsigned irq;
    const char *name;
} com[] = {
    [SERIAL_COM1] = { 4, "COM1 (port 0x3f8)" },
    [SERIAL_COM2] = { 3, "COM2 (port 0x2f8)" },
    [SERIAL_COM3] = { 4, "COM3 (port 0x3e8)" },
    [SERIAL_COM4] = { 3, "COM4 (port 0x2e8)" },
};

/* Where the PC has its I/O APIC, its HPET and the messages of its local APICs; other devices are between them. */
static const struct {
    uint64_t base, end;
} controllers[] = {
    { 0xfec00000, 0xfec01000 }, { 0xfed00000, 0xfed01000 }, { 0xfee00000, 0xfef00000 },
};

static uint64_t physical_end(void)
{
    uint32_t r[4], bits = BITS_LEAST;

    cpu_identify(ADDRESS_BITS & 0x80000000u, 0, r);
    if (r[0] >= ADDRESS_BITS) {
        cpu_identify(ADDRESS_BITS, 0, r);
        bits = r[0] & 0xff;
    }
    return bits < 52 ? 1ull << bits : 1ull << 52;
}

static const char *use_memory(struct serial_device *device, uint64_t physical, uint64_t stride, uint64_t width)
{
    const uint64_t bytes = SERIAL_REGISTERS * stride;
    const char *wrong = device_place_check(run_state->boot, paging_image_bytes(), physical, bytes);

    for (unsigned i = 0; i < sizeof controllers / sizeof controllers[0]; i++)
        if (physical < controllers[i].end && controllers[i].base < physical + bytes)
            wrong = "it overlaps the interrupt controllers";
    if (wrong == 0 && physical + bytes > physical_end())
        wrong = "this CPU has no such physical address";
    if (wrong != 0)
        return wrong;
    device->uart = (struct uart){
        .base = paging_map_registers(physical, bytes), .stride = (uint32_t)stride, .width = (uint8_t)width,
        .access = UART_MEMORY,
    };
    return 0;
}

static void use_ports(struct serial_device *device, uint64_t base, uint64_t stride, uint64_t width)
{
    device->uart = (struct uart){
        .base = base, .stride = (uint32_t)stride, .width = (uint8_t)width,
        .access = stride == 1 && width == 1 ? UART_BYTE_PORTS : UART_PORTS,
    };
}

static const char *use_window(struct serial_device *device, const struct pci_bar *window)
{
    if (window->memory)
        return use_memory(device, window->base, 1, 1);
    use_ports(device, window->base, 1, 1);
    return 0;
}

static const char *find_pci(const struct serial_spec *line, struct serial_device *device)
{
    const char *wrong = 0;
    struct pci_bar window;

    if (line->place == SERIAL_FUNCTION)
        wrong = pci_open((uint32_t)line->address, &window);
    else if (!pci_find(PCI_CLASS_SERIAL, &window))
        wrong = "no serial controller is there";
    return wrong != 0 ? wrong : use_window(device, &window);
}

static void put_function(struct text_buf *to, uint32_t function)
{
    char text[FORMAT_DIGITS];

    buf_parts(to, format_base(text, "PCI device ", function >> 8, 4, 2));
    buf_parts(to, format_base(text, ":", function >> 3 & 31, 4, 2));
    buf_parts(to, format_base(text, ".", function & 7, 4, 1));
}

static const char *name_of(const struct serial_spec *line)
{
    static char text[NAME];
    struct text_buf to = TEXT_BUF(text);

    switch (line->place) {
    case SERIAL_PCI:
        return "the PCI bus";
    case SERIAL_FUNCTION:
        put_function(&to, (uint32_t)line->address);
        return text;
    case SERIAL_MMIO:
        buf_parts(&to, "memory ", HEX(line->address));
        return text;
    case SERIAL_PORT:
        buf_parts(&to, "port ", HEX(line->address));
        return text;
    default:
        return com[line->place].name;
    }
}

const char *serial_device_find(const struct serial_spec *line, struct serial_device *device)
{
    *device = (struct serial_device){ .irq = NO_IRQ, .name = name_of(line) };
    switch (line->place) {
    case SERIAL_PCI:
    case SERIAL_FUNCTION:
        return find_pci(line, device);
    case SERIAL_MMIO:
        return use_memory(device, line->address, line->stride, line->width);
    case SERIAL_PORT:
        use_ports(device, line->address, line->stride, line->width);
        return 0;
    default:
        use_ports(device, serial_spec_port(line->place), 1, 1);
        device->irq = com[line->place].irq;
        return 0;
    }
}
