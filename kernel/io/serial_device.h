/* SPDX-License-Identifier: MIT */
/* Finds the UART that serial= names: its registers and its IRQ. */
#ifndef KERNEL_IO_SERIAL_DEVICE_H
#define KERNEL_IO_SERIAL_DEVICE_H

#include <stdbool.h>

#include "probe/config/serial_spec.h"
#include "uart/uart16550.h"

#define NO_IRQ 0xffu

struct serial_device {
    struct uart uart;
    unsigned irq; /* of the 8259; NO_IRQ: it has none, or none that is known to work */
    const char *name;
};

/* Find it; false where there is no such device (only with serial=pci).  Interrupts off. */
bool serial_device_find(const struct serial_spec *line, struct serial_device *device);

#endif
