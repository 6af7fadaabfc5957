/* SPDX-License-Identifier: MIT */
/* From the word serial= to a UART: where its registers are, and its interrupt. */
#ifndef KERNEL_IO_SERIAL_DEVICE_H
#define KERNEL_IO_SERIAL_DEVICE_H

#include <stdbool.h>

#include "probe/config/serial_spec.h"
#include "uart/uart16550.h"

#define NO_IRQ 0xffu

struct serial_device {
    struct uart uart;
    unsigned irq; /* of the 8259; NO_IRQ: none that can be relied on */
    const char *name;
};

/* Find it; false where there is no such device (pci only). Interrupts off. */
bool serial_device_find(const struct serial_spec *line, struct serial_device *device);

#endif
