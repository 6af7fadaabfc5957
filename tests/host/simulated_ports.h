/* SPDX-License-Identifier: MIT */
/*
 * I/O ports that a test simulates: include this before the driver, and define the functions below.  What drivers/io.h
 * has for ports is out of the way.
 */
#pragma once

#include <stdint.h>

#define inb  cpu_inb
#define outb cpu_outb
#define inw  cpu_inw
#define outw cpu_outw
#define inl  cpu_inl
#define outl cpu_outl
#include "drivers/io.h"
#undef inb
#undef outb
#undef inw
#undef outw
#undef inl
#undef outl

/* An access of so many bytes. */
static uint32_t port_read(uint16_t port, unsigned bytes);
static void port_write(uint16_t port, uint32_t value, unsigned bytes);

#define inb(port)         ((uint8_t)port_read(port, 1))
#define outb(port, value) port_write(port, value, 1)
#define inw(port)         ((uint16_t)port_read(port, 2))
#define outw(port, value) port_write(port, value, 2)
#define inl(port)         port_read(port, 4)
#define outl(port, value) port_write(port, value, 4)
