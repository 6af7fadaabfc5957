/* SPDX-License-Identifier: MIT */
/*
 * The stream's serial line.  Producer: tasks, one at a time with interrupts on;
 * consumer: the transmit interrupt.  The ring's ends only grow, and each has one
 * writer.
 */
#include "kernel/serial.h"

#include "drivers/pic.h"
#include "kernel/account.h"
#include "kernel/timer.h"
#include "probe/memory.h"
#include "uart/uart16550.h"
#include "uart/uart_regs.h"

#define ROOM_LOOK_US 5000u
#define ROOM_LOOKS   400u /* two seconds */

static uint8_t ring[SERIAL_RING];
static volatile uint32_t head; /* next free byte: task */
static volatile uint32_t tail; /* next byte to send: interrupt */
static uint16_t port;          /* set once; 0: no UART */
static unsigned irq;           /* set once */
static bool by_interrupt;      /* task; false again at the end */
static volatile bool sending;  /* the transmit interrupt is on; interrupts off */
static uint64_t received;      /* ISR only */

bool serial_init(uint16_t at, unsigned line, uint16_t divisor)
{
    uart_init(at, divisor);
    if (!uart_present(at))
        return false;
    port = at;
    irq = line;
    return true;
}

void serial_start(void)
{
    by_interrupt = port != 0;
    if (by_interrupt)
        pic_unmask(irq);
}

uint32_t serial_room(void)
{
    return SERIAL_RING - (head - tail);
}

unsigned serial_irq(void)
{
    return irq;
}

uint64_t serial_received(void)
{
    return received;
}

static bool write_by_polling(const uint8_t *bytes, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        if (!uart_send(port, bytes[i]))
            return false;
    return true;
}

bool serial_write(const uint8_t *bytes, uint32_t length)
{
    if (port == 0)
        return false;
    if (!by_interrupt)
        return write_by_polling(bytes, length);
    if (serial_room() < length)
        return false;
    for (uint32_t i = 0; i < length; i++)
        ring[(head + i) % SERIAL_RING] = bytes[i];
    masked_begin();
    head += length;
    if (!sending) {
        sending = true;
        uart_transmit_interrupt(port, true);
    }
    masked_end();
    return true;
}

bool serial_write_patiently(const uint8_t *bytes, uint32_t length)
{
    static bool in_vain; /* task PROBE: the line was dead for so long once */

    for (unsigned i = 0; i < ROOM_LOOKS && by_interrupt && !in_vain; i++) {
        if (serial_room() >= length)
            break;
        timer_sleep_until(rdtsc() + timer_clocks(ROOM_LOOK_US));
        in_vain = i == ROOM_LOOKS - 1;
    }
    return serial_write(bytes, length);
}

/* The transmitter is empty: fill its FIFO, or stop asking. */
static void transmit(void)
{
    unsigned n = 0;

    while (n < UART_FIFO_DEPTH && tail != head) {
        uart_put(port, ring[tail % SERIAL_RING]);
        tail++;
        n++;
    }
    if (tail == head) {
        sending = false;
        uart_transmit_interrupt(port, false);
    }
}

void serial_interrupt(void)
{
    enum { CAUSES = 8 }; /* bound: more would be a broken chip */

    for (int i = 0; i < CAUSES; i++) {
        const uint8_t cause = uart_cause(port);

        if (cause == UART_IIR_NONE)
            return;
        if (cause == UART_IIR_THRI && sending)
            transmit();
        else
            received += uart_discard(port);
        if (cause == UART_IIR_THRI)
            return; /* another FIFO of bytes waits for another interrupt */
    }
}

void serial_finish(void)
{
    if (port == 0)
        return;
    by_interrupt = false;
    uart_transmit_interrupt(port, false);
    for (; tail != head; tail++)
        if (!uart_send(port, ring[tail % SERIAL_RING]))
            return;
    uart_drained(port);
}
