/* SPDX-License-Identifier: MIT */
/* The common part of the two UART tick sources: choosing the port, rates, messages. */
#include "kernel/slu/uart_tick.h"

#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/source/sampler.h"
#include "probe/schedule/memory.h"
#include "uart/uart_regs.h"

#define UART_CLOCK    (SERIAL_CLOCK / SERIAL_BIT) /* bit/s at divisor 1 */
#define BYTE_BITS     10u     /* start, eight, stop */
#define BIT_COUNTS    16u     /* a bit is sixteen clocks of the UART */
#define RATE_SLACK    100u    /* a hundredth */
#define MILLI_PER_ONE 1000u
#define LOOK_PART     24u     /* of a second */
#define HEARD_LEAST   6u

static bool is_stream(const struct serial_device *d)
{
    const struct serial_device *s = stream_uart_device();

    return d->uart.access == s->uart.access && d->uart.base == s->uart.base;
}

static struct serial_device com(uint64_t place)
{
    const struct serial_spec line = { .place = place };
    struct serial_device device;

    serial_device_find(&line, &device);
    return device;
}

static bool answers(const struct serial_device *d, uint32_t divisor)
{
    uart_init(&d->uart, (uint16_t)divisor);
    return uart_present(&d->uart, (uint16_t)divisor);
}

/* The first of COM2 and COM1 that answers and is not the stream's. */
static bool find_free_port(struct uart_tick *s)
{
    static const uint64_t places[] = { SERIAL_COM2, SERIAL_COM1 };

    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        s->device = com(places[i]);
        if (!is_stream(&s->device) && answers(&s->device, s->divisor))
            return true;
    }
    return false;
}

static bool use_stream(struct uart_tick *s, bool not_stream, struct refusal *why)
{
    s->device = *stream_uart_device();
    s->stream = true;
    if (s->via_nmi)
        return REFUSE(why, "as NMI it needs a UART that is not the stream's, whose ports are the executive's too");
    if (not_stream)
        return REFUSE(why, "it needs a UART that is not the stream's, for in loopback no byte reaches the line");
    if (run_config()->serial.clock != SERIAL_CLOCK)
        return REFUSE(why, "the stream's UART has another clock than the PC's, by which ticks are counted");
    if (run_config()->slu.baud != 0 && run_config()->slu.baud != run_config()->serial.baud)
        return REFUSE(why, "slu= names the stream's own port, whose rate is that of serial=");
    return s->device.irq != NO_IRQ || REFUSE(why, "no interrupt of the stream's UART is known to come");
}

static bool use_port(struct uart_tick *s, bool not_stream, struct refusal *why)
{
    s->device = com(run_config()->slu.port);
    if (is_stream(&s->device))
        return use_stream(s, not_stream, why);
    return answers(&s->device, s->divisor) ||
           REFUSE_WITH(why, "no UART answers at %1", REFUSAL_STRING(s->device.name));
}

static bool choose_port(struct uart_tick *s, bool not_stream, struct refusal *why)
{
    const uint64_t port = run_config()->slu.port;

    if (port == SLU_STREAM)
        return use_stream(s, not_stream, why);
    if (port != SLU_AUTO)
        return use_port(s, not_stream, why);
    return find_free_port(s) || use_stream(s, not_stream, why);
}

/* Of a port with the PC's clock; 0: none makes the rate of serial=, whose UART may have another clock. */
static uint32_t divisor(void)
{
    const struct config *w = run_config();

    return serial_spec_divisor(w->slu.baud != 0 ? w->slu.baud : w->serial.baud, SERIAL_CLOCK);
}

uint32_t uart_tick_rate(uint64_t characters)
{
    const uint64_t bits = BYTE_BITS * characters * divisor();

    return bits != 0 ? (uint32_t)((UART_CLOCK + bits / 2) / bits) : 1;
}

static bool is_named(enum config_tick tick)
{
    return run_config()->tick == tick || run_config()->second_tick == tick;
}

/*
 * Interrupts to measure at the start.  For a tick that was not asked for, those of a 24th of a
 * second, but at least HEARD_LEAST: a slow line must not delay the start.
 */
static unsigned how_many(const struct uart_tick *s, const struct calibration *c, uint64_t characters, bool asked)
{
    const uint64_t many = c->rate.clock_hz / LOOK_PART / (characters * s->character);

    if (asked || many > UART_TICK_HEARD)
        return UART_TICK_HEARD;
    return many < HEARD_LEAST ? HEARD_LEAST : (unsigned)many;
}

bool uart_tick_detect(struct uart_tick *s, const struct calibration *c, uint64_t characters, bool not_stream,
                      struct refusal *why)
{
    const bool asked = is_named(not_stream ? TICK_SLU_TIMEOUT : TICK_SLU);

    memset(s, 0, sizeof *s);
    s->via_nmi = probe.via_nmi;
    s->divisor = divisor();
    if (s->divisor == 0)
        return REFUSE(why, "no port makes the rate of serial=, whose UART has another clock: slu= can name a rate "
                           "of its own");
    s->character = mul_div64(BYTE_BITS * s->divisor, c->rate.clock_hz, UART_CLOCK);
    s->heard = how_many(s, c, characters, asked);
    if (c->tsc_stops)
        return REFUSE(why, "the TSC stops in HLT, and nothing else tells how late a UART's tick is");
    if (!choose_port(s, not_stream, why))
        return false;
    if (s->stream && !asked && !config_given(run_config(), CONFIG_SLU))
        return REFUSE(why, "not measured at the start: there is no UART but the stream's, "
                           "and neither tick= nor slu= has it send zeros");
    if (!s->stream && s->device.irq == stream_uart_irq())
        return REFUSE_WITH(why, "%1 and the stream's %2 have one interrupt", REFUSAL_STRING(s->device.name),
                           REFUSAL_STRING(stream_uart_name()));
    return true;
}

void uart_tick_wait_empty(const struct uart_tick *s)
{
    const uint8_t empty = UART_LSR_THRE | UART_LSR_TEMT;
    const uint64_t begin = rdtsc();

    while ((uart_status(&s->device.uart) & empty) != empty &&
           rdtsc() - begin < 2 * UART_FIFO_DEPTH * s->character)
        continue;
}

static bool is_near(uint64_t wanted_milli, uint64_t milli)
{
    const uint64_t off = wanted_milli > milli ? wanted_milli - milli : milli - wanted_milli;

    return off * RATE_SLACK <= milli;
}

/* A rate that was asked for must be near what the divisor makes, or near what was measured. */
static bool check_rate(const struct uart_tick *s, uint64_t characters, uint32_t rate, uint64_t measured,
                       struct refusal *why)
{
    const uint64_t made = (uint64_t)UART_CLOCK * MILLI_PER_ONE / (BYTE_BITS * s->divisor * characters);
    const uint64_t wanted = (uint64_t)rate * MILLI_PER_ONE;

    if (is_near(wanted, made) || is_near(wanted, measured))
        return true;
    return REFUSE_WITH(why, "the line makes %1 ticks a second, %2 bits each at %3 bit/s; %4 were measured",
                       REFUSAL_MILLI(made), REFUSAL_NUMBER(BYTE_BITS * characters),
                       REFUSAL_NUMBER(UART_CLOCK / s->divisor), REFUSAL_MILLI(measured));
}

static uint64_t counts_of(const struct uart_tick *s, uint64_t characters)
{
    return BYTE_BITS * BIT_COUNTS * s->divisor * characters;
}

void uart_tick_facts(struct source_facts *f, const struct uart_tick *s, const struct calibration *c,
                     uint64_t characters)
{
    const uint64_t counts = counts_of(s, characters);

    f->hz_milli = mul_div64(counts * MILLI_PER_ONE, c->rate.clock_hz, s->period);
    f->clock_65536 = (s->period * 65536 + counts / 2) / counts;
}

bool uart_tick_set_rate(struct source_facts *f, const struct uart_tick *s, const struct source_request *r,
                        uint64_t characters, struct refusal *why)
{
    const uint64_t counts = counts_of(s, characters);

    f->mean = counts << 16;
    return source_check_load(f, r, "a slower line", why) &&
           (!r->given || check_rate(s, characters, r->rate, f->hz_milli / counts, why));
}

void uart_tick_open(const struct uart_tick *s, uint64_t (*handler)(const struct cpu_frame *f, uint64_t now))
{
    if (s->via_nmi)
        uart_tick_nmi_open(handler);
    else
        pic_unmask(s->device.irq);
}

void uart_tick_silence(const struct uart_tick *s)
{
    if (s->via_nmi)
        uart_interrupts(&s->device.uart, false, false);
    else
        serial_device_silence(&s->device);
}

bool uart_tick_is_pending(const struct uart_tick *s)
{
    return !s->via_nmi && pic_is_requested(s->device.irq);
}

/* The stream's interrupt is the executive's too: its line of the 8259 stays open. */
void uart_tick_close(const struct uart_tick *s)
{
    if (s->via_nmi) {
        uart_tick_nmi_close();
        return;
    }
    if (s->stream) {
        cpu_take_pending();
        return;
    }
    pic_unmask(s->device.irq); /* it has latched the edges that came as NMI, too */
    cpu_take_pending();
    pic_mask(s->device.irq);
}

static void tell(enum log_severity severity, uint64_t number, const char *one, const char *many,
                 const char *name)
{
    if (number != 0)
        log_line(severity, DECIMAL(number), number == 1 ? one : many, name);
}

void uart_tick_report(const struct uart_tick *s, const struct uart_tick_guard *g, uint64_t refuted)
{
    const char *name = s->device.name;

    /* One void interrupt belongs to the first byte of each run. */
    tell(LOG_NOTE, g->voids > 1 ? g->voids - 1 : 0,
         " interrupt was void, for the line had stood still: ",
         " interrupts were void, for the line had stood still: ", name);
    tell(LOG_WARNING, g->restarts, " interrupt was lost and the tick started again: ",
         " interrupts were lost and the tick started again: ", name);
    tell(LOG_WARNING, g->storms, " storm of interrupts was masked: ",
         " storms of interrupts were masked: ", name);
    tell(LOG_WARNING, g->early, " interrupt came before its byte had passed: ",
         " interrupts came before their byte had passed: ", name);
    tell(LOG_WARNING, refuted, " tick was later by the TSC than the UART allows: ",
         " ticks were later by the TSC than the UART allows: ", name);
}
