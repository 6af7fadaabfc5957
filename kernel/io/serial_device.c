/* SPDX-License-Identifier: MIT */
/*
 * From the word serial= to a UART.  The four COM ports have had their ports and
 * interrupts since the PC/AT.  Of any other UART the interrupt is not known, and
 * a PCI card's is level-triggered and shared with whatever firmware left on the
 * same line: those are served by the clock instead (kernel/io/stream_uart.c).
 */
#include "kernel/io/serial_device.h"

#include "drivers/pci.h"
#include "kernel/boot_info.h"

static const struct {
    uint16_t port;
    unsigned irq;
    const char *name;
} com[] = {
    [SERIAL_COM1] = { 0x3f8, 4, "COM1 (port 0x3f8)" },
    [SERIAL_COM2] = { 0x2f8, 3, "COM2 (port 0x2f8)" },
    [SERIAL_COM3] = { 0x3e8, 4, "COM3 (port 0x3e8)" },
    [SERIAL_COM4] = { 0x2e8, 3, "COM4 (port 0x2e8)" },
};

static bool find_pci(struct serial_device *device)
{
    struct pci_bar window;

    if (!pci_find(PCI_CLASS_SERIAL, &window))
        return false;
    device->uart.mmio = window.memory;
    device->uart.base = window.base + (window.memory ? DIRECT_BASE : 0);
    return true;
}

bool serial_device_find(const struct serial_spec *line, struct serial_device *device)
{
    *device = (struct serial_device){
        .uart = { .base = line->address, .stride = 1 }, .irq = NO_IRQ,
    };
    switch (line->place) {
    case SERIAL_PCI:
        device->name = "the PCI bus";
        return find_pci(device);
    case SERIAL_MMIO:
        device->name = "that address";
        device->uart = (struct uart){
            .base = DIRECT_BASE + line->address, .stride = (uint32_t)line->stride, .mmio = true,
        };
        return true;
    case SERIAL_PORT:
        device->name = "that port";
        return true;
    default:
        device->uart.base = com[line->place].port;
        device->irq = com[line->place].irq;
        device->name = com[line->place].name;
        return true;
    }
}
