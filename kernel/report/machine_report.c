/* SPDX-License-Identifier: MIT */
/* The machine report: rows of a name and a text, made once during the start. */
#include "kernel/report/machine_report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "drivers/hpet.h"
#include "drivers/lapic.h"
#include "drivers/pit.h"
#include "drivers/rtc.h"
#include "kernel/cpu/cpu.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/firmware_tables.h"
#include "kernel/firmware/gsi.h"
#include "kernel/firmware/hw_takeover.h"
#include "kernel/firmware/smbios.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/phys_bytes.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/measure/one_shot.h"
#include "kernel/measure/yardstick.h"
#include "kernel/report/run.h"
#include "kernel/sched/timer.h"
#include "kernel/source/pit_line.h"
#include "kernel/source/rtc_line.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source_hpet.h"
#include "kernel/source/source_pit.h"
#include "kernel/tick/sources.h"
#include "kernel/tick/tick_survey.h"
#include "kernel/tick/window.h"
#include "probe/stats/tick_cost.h"
#include "uart/tx_timing.h"

#define ROWS        40
#define ROOM        8192u
#define BYTE_BITS   10u    /* start, eight, stop */
#define SHORT_SHOT  1193u  /* counts of counter 2: 1 ms */
#define LONG_SHOT   48919u /* 41 ms: the difference of both contains no latency */
#define FOUR_GIB    (1ull << 32)

struct row {
    const char *name, *value;
    const struct source *source; /* the tick source that the row is about; NULL: none */
    bool unmasked;
};

static const char cost_name[] = "cost";
static struct row row[ROWS]; /* set once, by machine_report_collect() */
static unsigned rows;
static char room[ROOM];
static struct text_buf texts = TEXT_BUF(room); /* all names and values, one behind the other */
static uint64_t counter2; /* TSC clocks a second by it; 0: it does not answer */

static const char *lay_down(const char *part, va_list parts)
{
    const char *const begin = texts.text + texts.length;

    buf_list(&texts, part, parts);
    if (texts.length + 1 < texts.size)
        texts.length++; /* the next one begins behind this one's end */
    return begin;
}

/* Add a row: its name, and the parts of its text, NULL at the end. */
static void add_parts(const char *name, const char *part, ...)
{
    va_list parts;

    if (rows == ROWS || texts.length + 1 >= texts.size)
        return;
    va_start(parts, part);
    row[rows++] = (struct row){ .name = name, .value = lay_down(part, parts) };
    va_end(parts);
}
#define add(name, ...) add_parts(name, __VA_ARGS__, (const char *)0)

static const char *yes_or_no(bool yes)
{
    return yes ? " yes" : " no";
}

static void add_cpu(void)
{
    const char *brand = cpu.brand;

    while (*brand == ' ')
        brand++;
    add("cpu", brand);
    if (cpu.hypervisor[0] != 0)
        add("hypervisor", cpu.hypervisor,
            cpu.steady_tsc && !cpu.invariant_tsc ? ": QEMU's emulation, whose TSC keeps its rate" : "");
    add("features", "invariant TSC", yes_or_no(cpu.invariant_tsc), ", local APIC", yes_or_no(lapic_present()),
        ", x2APIC", yes_or_no(cpu.x2apic), ", SMEP", yes_or_no(cpu.smep), ", SMAP", yes_or_no(cpu.smap),
        ", UMIP", yes_or_no(cpu.umip), ", NX", yes_or_no(cpu.nx), ", RDRAND", yes_or_no(cpu.rdrand));
}

/* TSC clocks a second by counter 2 of the PIT, which nothing else uses; 0 where it does not count. */
static uint64_t hz_by_counter2(const struct calibration *c)
{
    const uint64_t longest = 2 * c->per_65536;
    uint64_t shorter, longer;

    if (!pit_time_counter2(SHORT_SHOT, longest, &shorter) ||
        !pit_time_counter2(LONG_SHOT, longest, &longer) || longer <= shorter)
        return 0;
    return mul_div64(longer - shorter, PIT_HZ_NOMINAL, LONG_SHOT - SHORT_SHOT);
}

static void add_tsc(const struct calibration *c)
{
    const uint64_t second = reference_has_pit(&(struct refusal){ 0 }) ? hz_by_counter2(c) : 0;

    counter2 = second;
    add("tsc", DECIMAL(c->rate.clock_hz), " Hz by ",
        yardstick() == YARDSTICK_PIT ? "counter 0 of the PIT" : yardstick_name(yardstick()), ", ",
        second != 0 ? DECIMAL(second) : "nothing", second != 0 ? " Hz" : "", " by counter 2",
        c->tsc_stops ? "; stops in HLT" : "; runs on in HLT");
}

static void add_yardstick(void)
{
    char text[LOG_LINE_MAX];
    struct text_buf b = TEXT_BUF(text);

    yardstick_put(&b);
    add("yardstick", text);
}

static void add_memory(void)
{
    const struct boot_info *b = run_state->boot;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < b->regions; i++)
        bytes += b->region[i].length;
    add("memory", DECIMAL(bytes >> 20), " MiB free below 4 GiB, in ", DECIMAL(b->regions),
        b->regions == 1 ? " piece" : " pieces");
}

static void add_quiesced(void)
{
    const struct hw_quiesced *q = hw_quiesced();

    add("stopped", "bus masters: ", DECIMAL(q->masters.storage), " of storage, ", DECIMAL(q->masters.network),
        " of network; other processors: ", q->others_stopped ? "INIT was sent to all" : "no INIT was sent");
}

/* Thousandths of a count. */
static uint64_t counts_milli(const struct calibration *c, uint64_t clocks)
{
    return mul_div64(clocks, 65536000, c->per_65536);
}

/*
 * In mode 0 the 8254 needs a clock to load its count, N+1 clocks in all; emulators take N.
 * The measurement contains the entry of the handler, so that it proves N only where the
 * excess is below one count.
 */
static void add_pit(const struct calibration *c)
{
    const uint64_t over = counts_milli(c, c->running.floor);
    char text[REFUSAL_TEXT];
    struct refusal why;

    if (!reference_has_pit(&why)) {
        add("pit", refusal_text(&why, text));
        return;
    }
    add("pit", MILLI(c->per_65536 * 1000 / 65536), " TSC clocks a count; a one-shot of N counts interrupts N + ",
        MILLI(over), " counts after its arming at the least, ",
        over < 1000 ? "so takes N clocks" : "so takes N+1 clocks, or N and a long way in",
        "; in time up to N + ", MILLI(counts_milli(c, c->running.late)));
}

/* How a tick of tick=pit comes, and the port accesses that it takes. */
static void add_pit_line(void)
{
    unsigned every;
    const bool by_tsc = source_pit_by_tsc(&every);
    const unsigned accesses = (by_tsc ? 2 : 5) + !pic_automatic;

    if (by_tsc)
        add("pit line", pit_line_way(), "; lateness by the TSC, and by the counter in one tick of ", DECIMAL(every),
            ": ", DECIMAL(accesses), " port accesses a tick");
    else
        add("pit line", pit_line_way(), "; lateness by the counter, as the TSC does not serve: ", DECIMAL(accesses),
            " port accesses a tick");
}

/* Whether it is there, and how its interrupt comes, where that was tried. */
static void add_hpet(void)
{
    char text[LOG_LINE_MAX];
    struct text_buf b = TEXT_BUF(text);

    if (hpet_in_use())
        buf_parts(&b, DECIMAL(hpet_hz_milli() / 1000), " Hz, ", DECIMAL(hpet_timers()), " comparators");
    else
        buf_text(&b, "none");
    source_hpet_put(&b);
    add("hpet", text);
}

static void add_lapic(const struct calibration *c)
{
    if (lapic_in_use())
        add("lapic timer", DECIMAL(mul_div64(c->rate.clock_hz, c->rate.timer_q32, FOUR_GIB)), " Hz",
            lapic_has_deadline() ? ", and TSC deadline; the system clock is " : "",
            lapic_has_deadline() ? timer_device() : "");
    else
        add("lapic timer", "none");
}

static void add_rtc(void)
{
    char text[LOG_LINE_MAX];
    struct text_buf b = TEXT_BUF(text);

    add("rtc", !rtc_answers() ? "does not answer" : rtc_has_power() ? "answers, its time valid" :
        "answers, its battery is empty");
    rtc_line_put(&b);
    add("rtc line", text);
}

static const char *named(const char *part, ...)
{
    const char *name;
    va_list parts;

    va_start(parts, part);
    name = lay_down(part, parts);
    va_end(parts);
    return name;
}

/* Counts a second, thousandths; `second`: TSC clocks a second. */
static uint64_t rate_milli(const struct source_facts *f, uint64_t second)
{
    return mul_div64(second, 65536000, f->clock_65536);
}

static uint64_t nanoseconds(uint64_t clocks)
{
    return tick_nanoseconds(clocks, tick_facts.calibration.rate.clock_hz);
}

/* What a tick takes, where that was measured. */
static const char *cost_of(enum config_tick source, bool via_nmi)
{
    const uint64_t tick = source == TICK_PIT ? survey_delivery(via_nmi)->cost.tick
                                             : survey_source(source, via_nmi)->cost.tick;

    return tick != 0 ? named(", a tick takes ", MILLI(nanoseconds(tick)), " us", (const char *)0) : "";
}

/* What the start found out about a source (kernel/tick/tick_survey.h), or why it was not examined. */
static void add_source(enum config_tick tick, bool unmasked, const struct calibration *c)
{
    const struct source *const s = source_of(tick, unmasked);
    const char *const name = named("tick=", s->name, unmasked ? " delivery=nmi" : "", (const char *)0);
    const struct source_survey *const found = survey_source(tick, unmasked);
    const struct source_facts *const f = &found->facts;
    char text[REFUSAL_TEXT];

    if (found->why.reason != 0)
        add(name, refusal_text(&found->why, text));
    else
        add(name, MILLI(rate_milli(f, c->rate.clock_hz)), " Hz by the TSC, ",
            counter2 != 0 ? MILLI(rate_milli(f, counter2)) : "nothing", " by counter 2 of the PIT, lateness ",
            DECIMAL(f->running.floor), " TSC clocks at the least, in time up to ", DECIMAL(f->running.late),
            f->note.reason != 0 ? refusal_text(&f->note, text) : "", cost_of(tick, unmasked));
    row[rows - 1].source = s;
    row[rows - 1].unmasked = unmasked;
}

static void add_access(const struct access_cost *a)
{
    add("access", "a port access takes ", MILLI(nanoseconds(a->port_read)), " us to read, ",
        MILLI(nanoseconds(a->port_write)), " to write; one of the local APIC ",
        a->lapic != 0 ? MILLI(nanoseconds(a->lapic)) : "none");
}

/* The text of this row changes with the rate: put_value() makes it. */
static void add_cost(void)
{
    add(cost_name, "");
}

static void put_cost(struct text_buf *b)
{
    if (!tick_facts.ticks)
        buf_text(b, "tick=none");
    for (unsigned i = 0; tick_facts.ticks && i < samplers(); i++) {
        const struct sampler s = sampler_at(i);

        buf_parts(b, i != 0 ? "; " : "", "tick=", s.source->name, " rate=", DECIMAL(s.config->rate),
                  ": interrupt to handler ", MILLI(nanoseconds(s.probe->running.floor)), " us, a tick ");
        tick_cost_put(b, s.cost->tick, s.cost->share, tick_facts.calibration.rate.clock_hz);
    }
}

static void add_sources(const struct calibration *c)
{
    for (int via_nmi = 0; via_nmi < 2; via_nmi++)
        for (enum config_tick tick = TICK_PIT; tick < TICK_NONE; tick++)
            if (source_of(tick, via_nmi) != 0)
                add_source(tick, via_nmi, c);
}

/* By the times of the first bytes of the stream. */
static void add_pacing(const struct calibration *c)
{
    static const char *const says[] = {
        [UART_PACED] = "paced", [UART_UNPACED] = "unpaced, no clock to tick by", [UART_UNEVEN] = "uneven",
    };
    const uint64_t character = mul_div64(c->rate.clock_hz, BYTE_BITS, run_config()->serial.baud);
    char service[LOG_LINE_MAX];
    struct text_buf b = TEXT_BUF(service);
    uint64_t took[2];

    add("uart", stream_uart_name(), ", ", DECIMAL(run_config()->serial.baud), " bit/s");
    stream_uart_byte_times(took);
    add("pacing", says[uart_pace_of(took, character)], ": a byte takes ", MILLI(uart_thousandths(took[0], character)),
        " and ", MILLI(uart_thousandths(took[1], character)), " of its time");
    stream_uart_put_service(&b);
    add("line", service);
}

static void add_acpi(void)
{
    const struct firmware_tables *const t = firmware_tables();
    const struct acpi *const a = &t->fadt;

    if (!t->has_fadt)
        add("acpi", "no table found");
    else if (a->revision < 2)
        add("acpi", "FADT revision ", DECIMAL(a->revision), ", which does not say");
    else
        add("acpi", "FADT revision ", DECIMAL(a->revision), ": legacy devices",
            yes_or_no(a->boot_arch & ACPI_LEGACY_DEVICES), ", 8042", yes_or_no(a->boot_arch & ACPI_8042), ", VGA",
            yes_or_no(!(a->boot_arch & ACPI_NO_VGA)), ", CMOS RTC", yes_or_no(!(a->boot_arch & ACPI_NO_CMOS_RTC)));
}

/* What is unusual about the local APIC. */
static void put_lapic(struct text_buf *b)
{
    if (lapic_in_x2apic_mode())
        buf_text(b, "; firmware has locked the local APIC in x2APIC mode, and it is used so");
    if (lapic_in_use() && !lapic_takes_messages())
        buf_parts(b, "; its id, ", DECIMAL(lapic_id()),
                  ", is too great for interrupts through an I/O APIC and for messages");
}

/* What the MADT says, and what of it was not believed. */
static void add_apics(void)
{
    const struct madt *const m = &firmware_tables()->madt;

    char text[LOG_LINE_MAX] = "";
    struct text_buf b = TEXT_BUF(text);

    put_lapic(&b);
    add("apics", DECIMAL(gsi_controllers()), gsi_controllers() == 1 ? " I/O APIC with " : " I/O APICs with ",
        DECIMAL(gsi_inputs()), " inputs; IRQ 0 at interrupt ", DECIMAL(gsi_of_irq(0)),
        m->found ? " by the MADT; " : " as is usual: there is no MADT", m->found ? DECIMAL(m->processors) : "",
        m->found ? m->processors == 1 ? " processor, " : " processors, " : "", m->found ? DECIMAL(m->nmis) : "",
        m->found ? " inputs are NMIs" : "", m->wrong != 0 ? "; entries that cannot be true: " : "",
        m->wrong != 0 ? DECIMAL(m->wrong) : "", gsi_silent() != 0 ? "; I/O APICs that do not answer: " : "",
        gsi_silent() != 0 ? DECIMAL(gsi_silent()) : "",
        m->cut ? "; an entry without its end, and what follows it was not read" : "",
        text);
}

static void add_firmware(void)
{
    struct smbios s;

    if (smbios_find(&s, phys_bytes))
        add("firmware", s.vendor, ", version ", s.version, ", ", s.date, " (SMBIOS)");
    else
        add("firmware", "no SMBIOS below 1 MiB names it");
}

static void add_tables(void)
{
    static struct acpi_list l; /* the start */
    char text[LOG_LINE_MAX];
    struct text_buf b = TEXT_BUF(text);

    if (acpi_list(&l, run_state->boot->rsdp, phys_bytes)) {
        buf_parts(&b, "of ", l.oem);
        buf_trim(&b);
        buf_char(&b, ':');
        for (unsigned i = 0; i < l.tables; i++)
            buf_parts(&b, " ", l.signature[i]);
    }
    add("tables", b.length != 0 ? text : "no table found");
}

void machine_report_collect(void)
{
    const struct calibration *c = &tick_facts.calibration;

    add_cpu();
    add("door", run_state->boot->door);
    add_memory();
    add_quiesced();
    add_tsc(c);
    add_yardstick();
    add_pit(c);
    add_pit_line();
    add_hpet();
    add_lapic(c);
    add_rtc();
    add_sources(c);
    add_access(&tick_facts.access);
    add_cost();
    add_pacing(c);
    add_acpi();
    add_apics();
    add_firmware();
    add_tables();
}

/* Marks the source in use, which may change. */
static const char *opening(const struct row *r)
{
    return tick_facts.ticks && sampler_has(r->source) && r->unmasked == probe.via_nmi ? "in use: " : "";
}

static void put_value(struct text_buf *b, const struct row *r)
{
    if (r->name == cost_name)
        put_cost(b);
    else
        buf_text(b, r->value);
}

void machine_report_log(void)
{
    if (run_config()->output != OUTPUT_TEXT || run_config()->health != HEALTH_ON)
        return;
    for (unsigned i = 0; i < rows; i++) {
        char text[LOG_LINE_MAX];
        struct text_buf value = TEXT_BUF(text);

        put_value(&value, &row[i]);
        log_line(LOG_NOTE, row[i].name, ": ", opening(&row[i]), text);
    }
}

void machine_report_print(void (*line)(void *context, const char *text), void *context)
{
    for (unsigned i = 0; i < rows; i++) {
        char text[LOG_LINE_MAX];
        struct text_buf b = TEXT_BUF(text);

        buf_parts(&b, row[i].name, ": ");
        put_value(&b, &row[i]);
        line(context, text);
    }
}

void machine_report_send(void)
{
    frame_tx_begin(WIRE_HEALTH, &(struct wire_health){ .epoch = frame_tx_epoch() });
    for (unsigned i = 0; i < rows; i++) {
        char text[LOG_LINE_MAX];
        struct text_buf value = TEXT_BUF(text);
        struct wire_health_row r = { .name = { row[i].name, string_length(row[i].name) } };

        buf_text(&value, opening(&row[i]));
        put_value(&value, &row[i]);
        r.value = (struct wire_text){ text, value.length };
        frame_tx_row(&r);
    }
    frame_tx_end();
}
