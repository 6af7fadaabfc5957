/* SPDX-License-Identifier: MIT */
/*
 * What is received on the stream's serial line.  Producer: interrupts; consumer: the task
 * PROBE.  Each end of the ring `heard` only grows, and has one writer.
 */
#include "kernel/io/stream_uart.h"

#include "drivers/io.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "probe/command/rx_demux.h"
#include "uart/uart_regs.h"

static uint8_t heard[STREAM_UART_RX_RING];
static volatile uint32_t heard_put, heard_taken; /* interrupt; task */
static volatile uint64_t heard_at; /* TSC of the last byte; interrupt */
static uint64_t unread;        /* bytes for which `heard` had no room; interrupts only */
static struct stream_uart_errors errors; /* interrupts only */
static bool gap;               /* bytes are missing before the next one; interrupts only */
static uint64_t dropped;       /* bytes that PROBE dropped; task PROBE */
static uint32_t known;         /* heard_put when the sleep began: bytes up to there do not end it; task PROBE */
static volatile bool roused; /* the sleep ends although nothing was received; interrupts off */
static struct task *volatile listener; /* the task that waits for bytes; task PROBE */

uint64_t stream_uart_rx_time(void)
{
    return heard_at;
}

uint64_t stream_uart_unread(void)
{
    return unread + dropped + (heard_put - heard_taken);
}

struct stream_uart_errors stream_uart_errors(void)
{
    return errors;
}

static void note_errors(uint8_t status)
{
    errors.overrun += (status & UART_LSR_OE) != 0;
    errors.parity += (status & UART_LSR_PE) != 0;
    errors.breaks += (status & UART_LSR_BI) != 0;
    errors.framing += (status & (UART_LSR_FE | UART_LSR_BI)) == UART_LSR_FE; /* a break is a framing error, too */
    gap = gap || (status & UART_LSR_OE);
}

/*
 * A substitute marks the place of missing or wrong bytes, so that the rest is not taken for a complete line or frame.
 */
static void keep(uint8_t byte)
{
    const uint32_t room = STREAM_UART_RX_RING - (heard_put - heard_taken);

    if (room < 1u + gap) {
        unread++;
        gap = true;
        return;
    }
    if (gap)
        heard[heard_put++ % STREAM_UART_RX_RING] = RX_SUBSTITUTE;
    gap = false;
    heard[heard_put++ % STREAM_UART_RX_RING] = byte;
}

void stream_uart_rx_put(uint8_t byte)
{
    keep(byte);
    heard_at = rdtsc();
    if (listener != 0)
        timer_wake(listener);
}

uint8_t stream_uart_rx_drain(const struct uart *u, uint8_t seen)
{
    uint8_t byte, status = 0;
    unsigned n;

    for (n = 0; n < UART_FIFO_DEPTH && uart_receive(u, &byte, &status); n++) {
        status |= seen & UART_LSR_ERRORS; /* they belong to the first byte */
        seen = 0;
        note_errors(status);
        keep(status & UART_LSR_DAMAGE ? RX_SUBSTITUTE : byte);
        heard_at = rdtsc();
    }
    if (n != 0 && listener != 0)
        timer_wake(listener);
    return status;
}

static bool has_heard(void)
{
    return heard_put != known || roused;
}

/* Sleep until a byte is received after those that are known. */
static void listen(uint64_t until)
{
    listener = current;
    while (!has_heard() && rdtsc() < until)
        timer_sleep_unless(until, has_heard);
    listener = 0;
    roused = false;
}

void stream_uart_wait_rx(uint64_t until)
{
    known = heard_taken;
    listen(until);
}

void stream_uart_wake_reader(void)
{
    roused = true;
    if (listener != 0)
        timer_wake(listener);
}

void stream_uart_wait_more_rx(uint64_t until)
{
    known = heard_put;
    listen(until);
}

bool stream_uart_read(uint8_t *byte)
{
    if (heard_taken == heard_put)
        return false;
    *byte = heard[heard_taken++ % STREAM_UART_RX_RING];
    return true;
}

bool stream_uart_discard_past(uint8_t byte)
{
    for (uint32_t i = heard_put; i != heard_taken; i--)
        if (heard[(i - 1) % STREAM_UART_RX_RING] == byte) {
            heard_taken = i;
            return true;
        }
    if (heard_put - heard_taken == STREAM_UART_RX_RING) { /* else there would be no room for the next one */
        dropped += STREAM_UART_RX_RING;
        heard_taken += STREAM_UART_RX_RING;
    }
    return false;
}

/* The counters of what was received (kernel/io/stream_uart.h). */

struct rx_counts rx_counts; /* task PROBE */
