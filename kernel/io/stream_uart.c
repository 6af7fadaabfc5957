/* SPDX-License-Identifier: MIT */
/*
 * The stream's serial line.  Tasks, one at a time with interrupts on, put bytes into a
 * ring; the transmit interrupt, or where it does not come the system clock's, takes them
 * out.  Each end of the ring only grows, and has one writer.
 */
#include "kernel/io/stream_uart.h"

#include "drivers/pic.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/irq.h"
#include "kernel/io/stream_uart_line.h"
#include "kernel/sched/timer.h"
#include "uart/uart_regs.h"

#define ROOM_LOOK_US 5000u
#define ROOM_LOOKS   400u /* two seconds */

/* What fills and empties the UART. */
enum service {
    BY_WRITER, /* the writer, who waits: before tasks run, and at the end */
    BY_IRQ,    /* its interrupt */
    BY_CLOCK,  /* the system clock's interrupt, where the UART's does not come */
};

static uint8_t ring[STREAM_UART_TX_RING];
static volatile uint32_t head; /* next free byte; written by tasks */
static volatile uint32_t tail; /* next byte to send; written in interrupts */
static volatile enum service service; /* written by tasks; from BY_IRQ to BY_CLOCK with interrupts off */
static struct tx_watch watch;  /* interrupts off, as the next three */
static uint8_t peeked;         /* line status that the watch has read: the UART tells each error once */
static volatile bool sending;  /* the transmit interrupt is enabled */
static volatile bool lent;     /* the transmitter is lent to a tick source */
static bool in_vain;           /* the last wait for room was; task PROBE, as the next */
static uint32_t stood;         /* where the tail was then */

/* Enable the UART's interrupts, as far as they serve the line. */
static void allow(bool transmit)
{
    uart_interrupts(&stream_line.device.uart, service == BY_IRQ && !lent, service == BY_IRQ && transmit);
}

/* Take what was received.  Returns the last line status. */
static uint8_t receive(void)
{
    const uint8_t seen = peeked;

    peeked = 0;
    return stream_uart_rx_drain(&stream_line.device.uart, seen);
}

/* The transmitter is empty: fill its FIFO, or disable its interrupt. */
static void transmit(void)
{
    unsigned n = 0;

    while (n < stream_line.fifo_depth && tail != head) {
        uart_write(&stream_line.device.uart, ring[tail % STREAM_UART_TX_RING]);
        tail++;
        n++;
    }
    if (tail == head) {
        sending = false;
        allow(false);
    }
}

/* Called by the system clock in place of the UART's interrupt. */
static void look(void)
{
    if (!lent && receive() & UART_LSR_THRE && tail != head)
        transmit();
}

static void serve_by_clock(void)
{
    service = BY_CLOCK;
    sending = false;
    allow(false);
    timer_set_poll(look, timer_us_to_clocks(stream_line_poll_us()));
}

/*
 * A transmit interrupt can be lost in the chip or on the way from it, and then no other
 * comes.  To disable and enable it makes a new one; where that does not come either, the
 * system clock serves the line.  Received bytes are left to their own interrupt: reading
 * them here would withdraw its request, and the 8259 would report it as spurious.
 */
static void watch_sending(void)
{
    uint8_t status = 0;

    if (lent || !sending)
        return;
    if (tail == watch.sent)
        status = uart_status(&stream_line.device.uart);
    peeked |= status;
    switch (tx_watch_look(&watch, tail, status & UART_LSR_THRE)) {
    case TX_OK:
        return;
    case TX_KICK:
        allow(false);
        allow(true);
        return;
    case TX_GIVE_UP:
        serve_by_clock();
        pic_mask(stream_line.device.irq);
    }
}

void stream_uart_start(void)
{
    if (!stream_line.found)
        return;
    if (stream_line.device.irq == NO_IRQ) {
        serve_by_clock();
        return;
    }
    service = BY_IRQ;
    allow(false);
    pic_unmask(stream_line.device.irq);
    timer_set_poll(watch_sending, 0);
}

struct stream_uart_lost_irqs stream_uart_lost_irqs(void)
{
    return (struct stream_uart_lost_irqs){ .kicked = watch.lost,
                                           .given_up = service == BY_CLOCK && stream_line.device.irq != NO_IRQ };
}

uint32_t stream_uart_tx_room(void)
{
    return STREAM_UART_TX_RING - (head - tail);
}

static bool write_by_polling(const uint8_t *bytes, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        if (!uart_send(&stream_line.device.uart, bytes[i]))
            return false;
        stream_line_note_sent();
    }
    return true;
}

static void begin_sending(void)
{
    if (service != BY_IRQ || sending || lent || tail == head)
        return;
    sending = true;
    allow(true);
}

bool stream_uart_write(const uint8_t *bytes, uint32_t length)
{
    if (!stream_line.found)
        return false;
    if (service == BY_WRITER)
        return write_by_polling(bytes, length);
    if (stream_uart_tx_room() < length)
        return false;
    for (uint32_t i = 0; i < length; i++)
        ring[(head + i) % STREAM_UART_TX_RING] = bytes[i];
    irq_disable();
    head += length;
    begin_sending();
    irq_enable();
    return true;
}

void stream_uart_discard_tx(void)
{
    irq_disable();
    head = tail; /* the interrupt finds nothing and disables itself */
    irq_enable();
}

/* Sleep until the ring has room; not at all where no byte was sent since the last wait was in vain. */
static void await_room(uint32_t length)
{
    const unsigned looks = in_vain && tail == stood ? 0 : ROOM_LOOKS;

    for (unsigned i = 0; i < looks && stream_uart_tx_room() < length; i++)
        timer_sleep_until(rdtsc() + timer_us_to_clocks(ROOM_LOOK_US));
    stood = tail;
    in_vain = stream_uart_tx_room() < length;
}

bool stream_uart_write_wait(const uint8_t *bytes, uint32_t length)
{
    if (service != BY_WRITER)
        await_room(length);
    return stream_uart_write(bytes, length);
}

void stream_uart_lend(void)
{
    lent = true;
    sending = false;
    serial_device_silence(&stream_line.device);
}

void stream_uart_reclaim(void)
{
    lent = false;
    allow(false);
    begin_sending();
}

void stream_uart_lent_receive(uint8_t status)
{
    stream_uart_rx_drain(&stream_line.device.uart, status);
}

uint8_t stream_uart_lent_next(void)
{
    return tail != head ? ring[tail++ % STREAM_UART_TX_RING] : 0;
}

void stream_uart_interrupt(void)
{
    enum { CAUSES = 8 }; /* a bound, for emulators that do not pace bytes and for broken chips */

    for (int i = 0; i < CAUSES; i++) {
        const uint8_t cause = uart_interrupt_cause(&stream_line.device.uart);

        if (cause == UART_IIR_NONE)
            return;
        stream_line.thre_interrupts += cause == UART_IIR_THRI;
        if (cause == UART_IIR_THRI && sending)
            transmit();
        else if (receive() & UART_LSR_THRE && sending) /* some chips do not report it after a received byte */
            transmit();
        if (cause == UART_IIR_THRI)
            return; /* the next FIFO of bytes waits for the next interrupt */
    }
    if (lent)
        return;
    /* The IRQ line is still high and the 8259 waits for an edge: make one. */
    uart_interrupts(&stream_line.device.uart, false, false);
    allow(sending);
}

static bool handle_irq(uint64_t now)
{
    (void)now;
    stream_uart_interrupt();
    pic_eoi(stream_line.device.irq);
    return true;
}

void stream_uart_test_irq(uint64_t clock_hz)
{
    const unsigned vector = PIC_MASTER_VECTOR + stream_line.device.irq;

    if (stream_line.device.irq == NO_IRQ)
        return;
    irq_register(vector, handle_irq);
    if (!stream_line_test_irq(clock_hz))
        irq_register(vector, 0);
}

void stream_uart_flush(void)
{
    if (!stream_line.found)
        return;
    service = BY_WRITER;
    uart_transmit_interrupt(&stream_line.device.uart, false);
    for (; tail != head; tail++)
        if (!uart_send(&stream_line.device.uart, ring[tail % STREAM_UART_TX_RING]))
            return;
    uart_wait_empty(&stream_line.device.uart);
}
