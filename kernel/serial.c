/* SPDX-License-Identifier: MIT */
/*
 * The stream's serial line.  Producer: tasks, one at a time with interrupts on;
 * consumer: the transmit interrupt.  The ring's ends only grow, and each has one
 * writer.
 */
#include "kernel/serial.h"

#include "drivers/pic.h"
#include "kernel/account.h"
#include "kernel/task.h"
#include "kernel/text.h"
#include "kernel/timer.h"
#include "probe/inbox.h"
#include "probe/memory.h"
#include "uart/uart16550.h"
#include "uart/uart_regs.h"

#define NAME_ROOM 48
#define BYTE_BITS    10u /* start, eight, stop */
#define ROOM_LOOK_US 5000u
#define ROOM_LOOKS   400u /* two seconds */
#define LISTEN_US    10000u
#define NOTED        4u      /* bytes */
#define FIFO_WAITS   100u /* times the length of a FIFO: the line is dead */

static uint8_t ring[SERIAL_RING];
static volatile uint32_t head; /* next free byte: task */
static volatile uint32_t tail; /* next byte to send: interrupt */
static struct serial_device at; /* set once */
static bool found;             /* set once: a UART answers there */
static char name[NAME_ROOM];   /* set once */
static unsigned depth;         /* bytes that the empty transmitter takes; set once */
static uint32_t byte_us_q8;    /* length of a byte on the line, 24.8; set once */
static bool by_interrupt;      /* task; false again at the end */
static bool by_sleeping;       /* the same, for a UART without interrupt */
static volatile bool sending;  /* the transmit interrupt is on; interrupts off */
static volatile bool lent;     /* the transmitter is another's; interrupts off */
static uint64_t sent_at[NOTED]; /* TSC as each of the first bytes was given to the UART; set at the start */
static unsigned noted;         /* of them */
static uint64_t unread;        /* bytes that found no room in `heard`; ISR only */
static struct serial_errors errors; /* of bytes that came in; ISR only */
static bool gap;               /* bytes are missing before the next one; ISR only */
static uint64_t dropped;       /* those that nobody will take; task PROBE */
static bool in_vain;           /* the last wait to write was; task PROBE, as the next */
static uint32_t stood;         /* where the tail was then */
static uint8_t heard[SERIAL_HEARD];
static volatile uint32_t heard_put, heard_taken; /* interrupt; task */
static volatile uint64_t heard_at; /* TSC of the last byte; interrupt */
static uint32_t known; /* of heard_put: what a sleep does not end for; task PROBE */
static struct task *volatile listener; /* who waits for what comes in; task PROBE */

bool serial_init(const struct serial_device *device, const struct serial_line *line)
{
    enum uart_kind kind;

    const uint16_t divisor = (uint16_t)serial_line_divisor(line->baud);

    uart_init(&device->uart, divisor);
    if (!uart_present(&device->uart, divisor))
        return false;
    at = *device;
    found = true;
    kind = uart_kind(&at.uart);
    text_copy(name, at.name, NAME_ROOM);
    text_copy(name + text_length(name), ", ", NAME_ROOM - text_length(name));
    text_copy(name + text_length(name), uart_kind_name(kind), NAME_ROOM - text_length(name));
    depth = uart_depth(kind);
    byte_us_q8 = (uint32_t)(BYTE_BITS * 1000000ull * 256 / line->baud);
    return true;
}

void serial_start(void)
{
    by_interrupt = found && at.irq != NO_IRQ;
    by_sleeping = found && !by_interrupt;
    if (!by_interrupt)
        return;
    uart_interrupts(&at.uart, true, false);
    pic_unmask(at.irq);
}

const char *serial_name(void)
{
    return name;
}

uint32_t serial_room(void)
{
    return SERIAL_RING - (head - tail);
}

const struct serial_device *serial_place(void)
{
    return &at;
}

unsigned serial_irq(void)
{
    return at.irq;
}

uint64_t serial_heard_at(void)
{
    return heard_at;
}

uint64_t serial_unread(void)
{
    return unread + dropped + (heard_put - heard_taken);
}

static void note_errors(uint8_t status)
{
    errors.overrun += (status & UART_LSR_OE) != 0;
    errors.parity += (status & UART_LSR_PE) != 0;
    errors.breaks += (status & UART_LSR_BI) != 0;
    errors.framing += (status & (UART_LSR_FE | UART_LSR_BI)) == UART_LSR_FE; /* a break has none either */
    gap = gap || (status & UART_LSR_OE);
}

/* Where bytes are missing or wrong another stands, so that what they were part of is not taken for whole. */
static void keep(uint8_t byte)
{
    const uint32_t room = SERIAL_HEARD - (heard_put - heard_taken);

    if (room < 1u + gap) {
        unread++;
        gap = true;
        return;
    }
    if (gap)
        heard[heard_put++ % SERIAL_HEARD] = INBOX_SUBSTITUTE;
    gap = false;
    heard[heard_put++ % SERIAL_HEARD] = byte;
}

/*
 * Keep what came in; what finds no room is counted.  `seen`: the line status, where it
 * was read before, of the first byte then.  Returns the line status at last.
 */
static uint8_t receive(uint8_t seen)
{
    uint8_t byte, status = 0;

    for (unsigned n = 0; n < UART_FIFO_DEPTH && uart_take(&at.uart, &byte, &status); n++) {
        status |= seen & UART_LSR_ERRORS;
        seen = 0;
        note_errors(status);
        keep(status & UART_LSR_DAMAGE ? INBOX_SUBSTITUTE : byte);
        heard_at = rdtsc();
    }
    if (by_interrupt && listener != 0)
        timer_rouse(listener);
    return status;
}

static bool has_heard(void)
{
    return heard_put != known;
}

/* Sleep until a byte follows those that are known. */
static void listen(uint64_t until)
{
    listener = current;
    while (!has_heard() && rdtsc() < until) {
        const uint64_t look = rdtsc() + timer_clocks(LISTEN_US);

        timer_sleep_unless(by_sleeping && look < until ? look : until, has_heard);
        if (by_sleeping) /* nobody else looks at the chip */
            receive(0);
    }
    listener = 0;
}

void serial_listen(uint64_t until)
{
    known = heard_taken;
    listen(until);
}

void serial_listen_more(uint64_t until)
{
    known = heard_put;
    listen(until);
}

struct serial_errors serial_errors(void)
{
    return errors;
}

bool serial_take(uint8_t *byte)
{
    if (by_sleeping) /* nobody else looks at the chip */
        receive(0);
    if (heard_taken == heard_put)
        return false;
    *byte = heard[heard_taken++ % SERIAL_HEARD];
    return true;
}

bool serial_take_past(uint8_t byte)
{
    for (uint32_t i = heard_put; i != heard_taken; i--)
        if (heard[(i - 1) % SERIAL_HEARD] == byte) {
            heard_taken = i;
            return true;
        }
    if (heard_put - heard_taken == SERIAL_HEARD) { /* or the next such byte would find no room */
        dropped += SERIAL_HEARD;
        heard_taken += SERIAL_HEARD;
    }
    return false;
}

/* The next byte waited for the one before. */
static void note_sent(void)
{
    if (noted < NOTED)
        sent_at[noted++] = rdtsc();
}

static bool write_by_polling(const uint8_t *bytes, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        if (!uart_send(&at.uart, bytes[i]))
            return false;
        note_sent();
    }
    return true;
}

void serial_took(uint64_t took[2])
{
    for (unsigned i = 0; i < 2; i++)
        took[i] = noted == NOTED ? sent_at[i + 2] - sent_at[i + 1] : 0;
}

static void begin_sending(void)
{
    if (sending || lent || tail == head)
        return;
    sending = true;
    uart_interrupts(&at.uart, true, true);
}

bool serial_write(const uint8_t *bytes, uint32_t length)
{
    if (!found)
        return false;
    if (!by_interrupt)
        return write_by_polling(bytes, length);
    if (serial_room() < length)
        return false;
    for (uint32_t i = 0; i < length; i++)
        ring[(head + i) % SERIAL_RING] = bytes[i];
    masked_begin();
    head += length;
    begin_sending();
    masked_end();
    return true;
}

void serial_forget(void)
{
    masked_begin();
    head = tail; /* the interrupt finds nothing, and stops asking */
    masked_end();
}

/* Fill the FIFO, sleep while it empties, and so on. */
static bool write_by_sleeping(const uint8_t *bytes, uint32_t length)
{
    unsigned waits = in_vain ? FIFO_WAITS : 0;

    while (length > 0) {
        uint32_t n = length < depth ? length : depth;

        const uint8_t status = uart_status(&at.uart);

        note_errors(status);
        if (!(status & UART_LSR_THRE)) {
            if (waits++ == FIFO_WAITS)
                return false;
            n = 0;
        }
        length -= n;
        waits = n != 0 ? 0 : waits;
        for (; n > 0; n--)
            uart_put(&at.uart, *bytes++);
        timer_sleep_until(rdtsc() + timer_clocks((depth * byte_us_q8 >> 8) + 1));
    }
    return true;
}

/* Sleep until the ring has room; not at all where nothing has left it since that was in vain. */
static void await_room(uint32_t length)
{
    const unsigned looks = in_vain && tail == stood ? 0 : ROOM_LOOKS;

    for (unsigned i = 0; i < looks && serial_room() < length; i++)
        timer_sleep_until(rdtsc() + timer_clocks(ROOM_LOOK_US));
    stood = tail;
    in_vain = serial_room() < length;
}

bool serial_write_patiently(const uint8_t *bytes, uint32_t length)
{
    if (by_sleeping) {
        in_vain = !write_by_sleeping(bytes, length);
        return !in_vain;
    }
    if (by_interrupt)
        await_room(length);
    return serial_write(bytes, length);
}

/* The transmitter is empty: fill its FIFO, or stop asking. */
static void transmit(void)
{
    unsigned n = 0;

    while (n < depth && tail != head) {
        uart_put(&at.uart, ring[tail % SERIAL_RING]);
        tail++;
        n++;
    }
    if (tail == head) {
        sending = false;
        uart_interrupts(&at.uart, true, false);
    }
}

void serial_lend(bool to_another)
{
    lent = to_another;
    sending = false;
    uart_interrupts(&at.uart, !to_another, false);
    begin_sending();
}

void serial_receive(uint8_t status)
{
    receive(status);
}

uint8_t serial_next(void)
{
    return tail != head ? ring[tail++ % SERIAL_RING] : 0;
}

void serial_interrupt(void)
{
    enum { CAUSES = 8 }; /* bound: more comes of an emulator that does not pace, or a broken chip */

    for (int i = 0; i < CAUSES; i++) {
        const uint8_t cause = uart_cause(&at.uart);

        if (cause == UART_IIR_NONE)
            return;
        if (cause == UART_IIR_THRI && sending)
            transmit();
        else if (receive(0) & UART_LSR_THRE && sending) /* some chips forget it where they told of a received byte first */
            transmit();
        if (cause == UART_IIR_THRI)
            return; /* another FIFO of bytes waits for another interrupt */
    }
    if (lent)
        return;
    /* Its line is still up, and the 8259 waits for an edge: let it fall and rise. */
    uart_interrupts(&at.uart, false, false);
    uart_interrupts(&at.uart, true, sending);
}

void serial_finish(void)
{
    if (!found)
        return;
    by_interrupt = false;
    by_sleeping = false;
    uart_transmit_interrupt(&at.uart, false);
    for (; tail != head; tail++)
        if (!uart_send(&at.uart, ring[tail % SERIAL_RING]))
            return;
    uart_drained(&at.uart);
}
