/* SPDX-License-Identifier: MIT */
/* The UART of the stream: which it is, whether its interrupt comes, how fast it is. */
#include "kernel/io/stream_uart_line.h"

#include "drivers/pic.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/stream_uart.h"
#include "kernel/sched/timer.h"
#include "probe/text/text_buf.h"

#define BYTE_BITS  10u /* start, eight, stop */
#define NOTED      4u      /* bytes */
#define SHOTS      4u      /* interrupts that must all come in the test, */
#define SHOT_PART  100u    /* each within a 100th of a second */
#define POLLS_MOST 2000u   /* a second: more would slow all tasks down */
#define SECOND_US  1000000u
#define BAUD_MOST  115200u

struct stream_line stream_line = { .device = { .irq = NO_IRQ }, .name = "none" };

static struct stream_uart_irq_test test; /* set once */
static uint64_t sent_at[NOTED];          /* TSC when each of the first bytes was given to the UART */
static unsigned noted;                   /* of them */

bool stream_uart_init(const struct serial_device *device, const struct serial_spec *line)
{
    struct text_buf name = TEXT_BUF(stream_line.name);
    /* the divisor of the PC's clock, or more */
    const uint16_t slowness = (uint16_t)((SERIAL_BAUD + line->baud - 1) / line->baud);

    uart_init(&device->uart, (uint16_t)serial_spec_divisor(line->baud, line->clock));
    if (line->trust ? !uart_idles(&device->uart) : !uart_present(&device->uart, slowness))
        return false;
    stream_line.device = *device;
    stream_line.found = true;
    buf_parts(&name, device->name, ", ", uart_kind_name(uart_kind(&device->uart)));
    stream_line.fifo_depth = uart_fifo_depth(uart_kind(&device->uart));
    stream_line.byte_us_q8 = (uint32_t)(BYTE_BITS * 1000000ull * 256 / line->baud);
    return true;
}

bool stream_uart_found(void)
{
    return stream_line.found;
}

const char *stream_uart_name(void)
{
    return stream_line.name;
}

const struct serial_device *stream_uart_device(void)
{
    return &stream_line.device;
}

unsigned stream_uart_irq(void)
{
    return stream_line.device.irq;
}

/* ---- its interrupt ---- */

static bool shot_comes(uint64_t longest)
{
    const uint64_t before = stream_line.thre_interrupts, begin = rdtsc();

    uart_interrupts(&stream_line.device.uart, false, true);
    cpu_interrupts_on();
    while (stream_line.thre_interrupts == before && rdtsc() - begin < longest)
        continue;
    cpu_interrupts_off();
    uart_interrupts(&stream_line.device.uart, false, false);
    return stream_line.thre_interrupts != before;
}

/* No byte is sent: an empty transmitter interrupts as soon as its interrupt is enabled. */
bool stream_line_test_irq(uint64_t clock_hz)
{
    struct serial_device *const d = &stream_line.device;
    const uint64_t begin = rdtsc(),
                   longest = clock_hz / SECOND_US * (2 * UART_FIFO_DEPTH * stream_line.byte_us_q8 >> 8);

    while (!uart_tx_ready(&d->uart) && rdtsc() - begin < longest)
        continue;
    pic_unmask(d->irq);
    test = (struct stream_uart_irq_test){ .irq = d->irq, .shots = SHOTS };
    while (test.came < SHOTS && shot_comes(clock_hz / SHOT_PART))
        test.came++;
    pic_mask(d->irq);
    if (test.came < SHOTS)
        d->irq = NO_IRQ;
    return d->irq != NO_IRQ;
}

struct stream_uart_irq_test stream_uart_irq_test(void)
{
    return test;
}

/* ---- without one ---- */

/* Bytes that may come in between two looks: half of what the UART holds. */
static uint32_t bytes_a_look(void)
{
    return stream_line.fifo_depth > 1 ? stream_line.fifo_depth / 2 : 1;
}

uint32_t stream_line_poll_us(void)
{
    const uint32_t us = bytes_a_look() * stream_line.byte_us_q8 >> 8;

    return us > SECOND_US / POLLS_MOST ? us : SECOND_US / POLLS_MOST;
}

struct stream_uart_polling stream_uart_polling(void)
{
    const uint32_t us = stream_line_poll_us();
    struct stream_uart_polling looks = { .hz = timer_is_periodic() ? timer_hz() : (SECOND_US + us - 1) / us };
    const uint32_t most = bytes_a_look() * BYTE_BITS * looks.hz;

    looks.safe_baud = BAUD_MOST / ((BAUD_MOST + most - 1) / most);
    return looks;
}

/* ---- its pace ---- */

void stream_line_note_sent(void)
{
    if (noted < NOTED)
        sent_at[noted++] = rdtsc();
}

void stream_uart_byte_times(uint64_t took[2])
{
    for (unsigned i = 0; i < 2; i++)
        took[i] = noted == NOTED ? sent_at[i + 2] - sent_at[i + 1] : 0;
}
