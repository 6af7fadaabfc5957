/* SPDX-License-Identifier: MIT */
/*
 * The stream's serial line.  Producer: tasks, one at a time with interrupts on;
 * consumer: the transmit interrupt, or, where that does not come, the system clock's.
 * The ring's ends only grow, and each has one writer.
 */
#include "kernel/cpu/irq.h"
#include "kernel/io/stream_uart.h"

#include "drivers/pic.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/stream_uart_rx.h"
#include "kernel/io/tx_watch.h"
#include "kernel/lib/string.h"
#include "kernel/sched/timer.h"
#include "uart/uart16550.h"
#include "uart/uart_regs.h"

#define NAME_ROOM 48
#define BYTE_BITS    10u /* start, eight, stop */
#define ROOM_LOOK_US 5000u
#define ROOM_LOOKS   400u /* two seconds */
#define NOTED        4u      /* bytes */
#define SHOTS        4u      /* interrupts that must all come at the start, */
#define SHOT_PART    100u    /* each within a 100th of a second */
#define POLLS_MOST   2000u   /* a second: more would be felt by all tasks */
#define SECOND_US    1000000u
#define BAUD_MOST    115200u

/* Who fills and empties the UART. */
enum service {
    BY_WRITER, /* whoever writes, waiting: before the tasks run, and at the end */
    BY_IRQ,    /* its interrupt */
    BY_CLOCK,  /* the system clock's: it has no interrupt that comes */
};

static uint8_t ring[STREAM_UART_TX_RING];
static volatile uint32_t head; /* next free byte: task */
static volatile uint32_t tail; /* next byte to send: interrupt */
static struct serial_device at; /* set once */
static bool found;             /* set once: a UART answers there */
static char name[NAME_ROOM];   /* set once */
static unsigned depth;         /* bytes that the empty transmitter takes; set once */
static uint32_t byte_us_q8;    /* length of a byte on the line, 24.8; set once */
static volatile enum service service; /* task; from BY_IRQ to BY_CLOCK interrupts off */
static struct stream_uart_irq_test proof; /* set once */
static volatile uint64_t asked; /* interrupts for an empty transmitter; ISR only */
static struct tx_watch watch;  /* interrupts off */
static uint8_t peeked;         /* the line status that the watch has read: errors are told once; interrupts off */
static volatile bool sending;  /* the transmit interrupt is on; interrupts off */
static volatile bool lent;     /* the transmitter is another's; interrupts off */
static uint64_t sent_at[NOTED]; /* TSC as each of the first bytes was given to the UART; set at the start */
static unsigned noted;         /* of them */
static bool in_vain;           /* the last wait to write was; task PROBE, as the next */
static uint32_t stood;         /* where the tail was then */

bool stream_uart_init(const struct serial_device *device, const struct serial_spec *line)
{
    enum uart_kind kind;

    const uint16_t divisor = (uint16_t)serial_spec_divisor(line->baud);

    uart_init(&device->uart, divisor);
    if (!uart_present(&device->uart, divisor))
        return false;
    at = *device;
    found = true;
    kind = uart_kind(&at.uart);
    string_copy(name, at.name, NAME_ROOM);
    string_copy(name + string_length(name), ", ", NAME_ROOM - string_length(name));
    string_copy(name + string_length(name), uart_kind_name(kind), NAME_ROOM - string_length(name));
    depth = uart_fifo_depth(kind);
    byte_us_q8 = (uint32_t)(BYTE_BITS * 1000000ull * 256 / line->baud);
    return true;
}

/* What the UART may interrupt for, by who serves it. */
static void allow(bool transmit)
{
    uart_interrupts(&at.uart, service == BY_IRQ && !lent, service == BY_IRQ && transmit);
}

/* Bytes that may come in from one look to the next: half of what the UART holds. */
static uint32_t bytes_a_look(void)
{
    return depth > 1 ? depth / 2 : 1;
}

/* From one look to the next, where the system clock is exact. */
static uint32_t look_us(void)
{
    const uint32_t us = bytes_a_look() * byte_us_q8 >> 8;

    return us > SECOND_US / POLLS_MOST ? us : SECOND_US / POLLS_MOST;
}

struct stream_uart_polling stream_uart_polling(void)
{
    struct stream_uart_polling looks = { .hz = timer_is_periodic() ? timer_hz() : (SECOND_US + look_us() - 1) / look_us() };
    const uint32_t most = bytes_a_look() * BYTE_BITS * looks.hz;

    looks.safe_baud = BAUD_MOST / ((BAUD_MOST + most - 1) / most);
    return looks;
}

/* Keep what came in.  Returns the line status at last. */
static uint8_t receive(void)
{
    const uint8_t seen = peeked;

    peeked = 0;
    return stream_uart_rx_drain(&at.uart, seen);
}

/* The transmitter is empty: fill its FIFO, or stop asking. */
static void transmit(void)
{
    unsigned n = 0;

    while (n < depth && tail != head) {
        uart_write(&at.uart, ring[tail % STREAM_UART_TX_RING]);
        tail++;
        n++;
    }
    if (tail == head) {
        sending = false;
        allow(false);
    }
}

/* In place of the interrupt, by the system clock. */
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
    timer_set_poll(look, timer_us_to_clocks(look_us()));
}

/*
 * A chip, or the way from it, may lose a transmit interrupt, and no other comes then.
 * To ask anew makes a new one; where none of those comes either, the clock serves the line.
 * What came in is left to its own interrupt: a request that is taken back would come as spurious.
 */
static void watch_sending(void)
{
    uint8_t status = 0;

    if (lent || !sending)
        return;
    if (tail == watch.sent)
        status = uart_status(&at.uart);
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
        pic_mask(at.irq);
    }
}

void stream_uart_start(void)
{
    if (at.irq == NO_IRQ) {
        serve_by_clock();
        return;
    }
    service = BY_IRQ;
    allow(false);
    pic_unmask(at.irq);
    timer_set_poll(watch_sending, 0);
}

struct stream_uart_irq_test stream_uart_irq_test(void)
{
    return proof;
}

struct stream_uart_lost_irqs stream_uart_lost_irqs(void)
{
    return (struct stream_uart_lost_irqs){ .kicked = watch.lost, .given_up = service == BY_CLOCK && at.irq != NO_IRQ };
}

/* Interrupts off, and on meanwhile. */
static bool shot_comes(uint64_t longest)
{
    const uint64_t before = asked, begin = rdtsc();

    uart_interrupts(&at.uart, false, true);
    cpu_interrupts_on();
    while (asked == before && rdtsc() - begin < longest)
        continue;
    cpu_interrupts_off();
    uart_interrupts(&at.uart, false, false);
    return asked != before;
}

static bool handle_irq(uint64_t now)
{
    (void)now;
    stream_uart_interrupt();
    pic_eoi(at.irq);
    return true;
}

/* Nothing is sent for it: an empty transmitter interrupts as soon as it may. */
void stream_uart_test_irq(uint64_t clock_hz)
{
    const uint64_t begin = rdtsc(), longest = clock_hz / SECOND_US * (2 * UART_FIFO_DEPTH * byte_us_q8 >> 8);

    if (at.irq == NO_IRQ)
        return;
    while (!uart_tx_ready(&at.uart) && rdtsc() - begin < longest)
        continue;
    irq_register(PIC_MASTER_VECTOR + at.irq, handle_irq);
    pic_unmask(at.irq);
    proof = (struct stream_uart_irq_test){ .irq = at.irq, .shots = SHOTS };
    while (proof.came < SHOTS && shot_comes(clock_hz / SHOT_PART))
        proof.came++;
    pic_mask(at.irq);
    if (proof.came < SHOTS) {
        irq_register(PIC_MASTER_VECTOR + at.irq, 0);
        at.irq = NO_IRQ;
    }
}

const char *stream_uart_name(void)
{
    return name;
}

uint32_t stream_uart_tx_room(void)
{
    return STREAM_UART_TX_RING - (head - tail);
}

const struct serial_device *stream_uart_device(void)
{
    return &at;
}

unsigned stream_uart_irq(void)
{
    return at.irq;
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

void stream_uart_byte_times(uint64_t took[2])
{
    for (unsigned i = 0; i < 2; i++)
        took[i] = noted == NOTED ? sent_at[i + 2] - sent_at[i + 1] : 0;
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
    if (!found)
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
    head = tail; /* the interrupt finds nothing, and stops asking */
    irq_enable();
}

/* Sleep until the ring has room; not at all where nothing has left it since that was in vain. */
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

/*
 * A request that the 8259 has, and that the UART takes back, comes as spurious.  So the
 * handler takes what is pending, and the UART is silenced while it may still come.
 */
static void silence(void)
{
    cpu_interrupts_on();
    __asm__ volatile("nop"); /* the instruction after STI is not interrupted */
    allow(false);
    __asm__ volatile("nop");
    cpu_interrupts_off();
}

void stream_uart_lend(void)
{
    lent = true;
    sending = false;
    silence();
}

void stream_uart_reclaim(void)
{
    lent = false;
    allow(false);
    begin_sending();
}

void stream_uart_lent_receive(uint8_t status)
{
    stream_uart_rx_drain(&at.uart, status);
}

uint8_t stream_uart_lent_next(void)
{
    return tail != head ? ring[tail++ % STREAM_UART_TX_RING] : 0;
}

void stream_uart_interrupt(void)
{
    enum { CAUSES = 8 }; /* bound: more comes of an emulator that does not pace, or a broken chip */

    for (int i = 0; i < CAUSES; i++) {
        const uint8_t cause = uart_interrupt_cause(&at.uart);

        if (cause == UART_IIR_NONE)
            return;
        asked += cause == UART_IIR_THRI;
        if (cause == UART_IIR_THRI && sending)
            transmit();
        else if (receive() & UART_LSR_THRE && sending) /* some chips forget it where they told of a received byte first */
            transmit();
        if (cause == UART_IIR_THRI)
            return; /* another FIFO of bytes waits for another interrupt */
    }
    if (lent)
        return;
    /* Its line is still up, and the 8259 waits for an edge: let it fall and rise. */
    uart_interrupts(&at.uart, false, false);
    allow(sending);
}

void stream_uart_flush(void)
{
    if (!found)
        return;
    service = BY_WRITER;
    uart_transmit_interrupt(&at.uart, false);
    for (; tail != head; tail++)
        if (!uart_send(&at.uart, ring[tail % STREAM_UART_TX_RING]))
            return;
    uart_wait_empty(&at.uart);
}
