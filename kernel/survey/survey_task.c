/* SPDX-License-Identifier: MIT */
/* The survey: its measurements before the run, its task, and what is told of it, as text or as frames. */
#include "kernel/survey/survey_task.h"

#include <stddef.h>

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/screen.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/load/loads.h"
#include "kernel/survey/survey_parts.h"
#include "kernel/tick/window.h"
#include "probe/schedule/splitmix64.h"
#include "uart/tx_timing.h"

#define SLICE_PART  2000u /* of a second: half of a FIFO of received bytes comes in, at 115200 bit/s */
#define READ_SLICES 64u   /* between two readings of the clocks */
#define CHARACTERS  64u   /* that the line's rate is measured by */
#define BYTE_BITS   10u
#define ROWS_WIDE   80u   /* columns of the longest */
#define MSR_SMI_COUNT 0x34 /* Intel SDM 4, table 2-3: bits 31:0 */
#define LEAF_VENDOR   0u
#define INTEL_EBX     0x756e6547u /* "Genu" of "GenuineIntel" */

static struct survey found;     /* set at the start; then task PROBE */
static struct gap_watch gaps;   /* interrupts off */

/* Whether this CPU counts SMIs (MSR 34h), and how many so far.  Task context, or the start. */
static bool count_smis(uint64_t *count)
{
    uint32_t r[4];

    cpu_identify(LEAF_VENDOR, 0, r);
    if (r[1] != INTEL_EBX || !msr_read_guarded(MSR_SMI_COUNT, count))
        return false;
    *count = (uint32_t)*count;
    return true;
}

static uint64_t clock_now(void)
{
    return rdtsc();
}

/* Zero bytes lie between frames anyway; in a text they are blanks. */
static void time_line(struct wire_survey *h)
{
    const uint64_t hz = tick_facts.calibration.rate.clock_hz;
    uint64_t bound[2];

    if (!stream_uart_found())
        return;
    h->baud = run_config()->serial.baud;
    uart_time_bytes(&stream_uart_device()->uart, clock_now, mul_div64(hz, BYTE_BITS, h->baud),
                    run_in_frames() ? 0 : ' ', CHARACTERS, bound);
    if (!run_in_frames())
        stream_uart_write((const uint8_t *)"\r\n", 2);
    h->characters = bound[1] != 0 ? CHARACTERS : 0;
    h->characters_least = bound[0];
    h->characters_most = bound[1];
}

bool survey_prepare(struct refusal *why)
{
    const uint64_t hz = tick_facts.calibration.rate.clock_hz;

    (void)why;
    found.head.clock_hz = hz;
    latency_survey(&found);
    clock_survey_begin(&found);
    time_line(&found.head);
    gap_watch_begin(&gaps, hz);
    return true;
}

/*
 * SMIs for the survey to find: some keep a period, others do not.  They are due by the clock, and raised by the loop
 * itself between two of its turns, as the only processor must.
 */

#define LONG_US   312u
#define LONG_EACH 250000u /* us */
#define SHORT_US  30u
#define SHORT_EACH 40000u /* us, the mean: from none to twice that */
#define MICRO     1000000u

static struct {
    uint64_t us_q16;           /* clock units in a microsecond, 48.16; set once */
    uint64_t next_long, next_short, state;
    uint64_t smis, time;       /* so far; the time by their own handler, clock units */
} disturbance; /* interrupts off */

static uint64_t clocks_of(uint64_t us)
{
    return us * disturbance.us_q16 >> 16;
}

static void raise(uint64_t us)
{
    disturbance.time = smi_raise(clocks_of(us));
    disturbance.smis++;
}

static uint64_t drawn(void)
{
    disturbance.state += SPLITMIX64_GAMMA;
    return clocks_of(2ull * SHORT_EACH) * (splitmix64_mix(disturbance.state) >> 48) >> 16;
}

static uint64_t disturb(uint64_t now)
{
    if (disturbance.next_long == 0)
        disturbance.next_long = disturbance.next_short = now;
    if (now >= disturbance.next_long) {
        raise(LONG_US);
        while (disturbance.next_long <= now)
            disturbance.next_long += clocks_of(LONG_EACH);
    } else if (now >= disturbance.next_short) {
        raise(SHORT_US);
        disturbance.next_short = now + drawn();
    }
    return disturbance.next_long < disturbance.next_short ? disturbance.next_long : disturbance.next_short;
}

/* In the loop: 312 us each 250 ms, and between them 30 us at random, 40 ms apart in the mean.  The start. */
static void raise_smis(uint64_t clock_hz)
{
    disturbance.us_q16 = (clock_hz << 16) / MICRO;
    gaps.disturb = disturb;
    gaps.disturb_at = 0;
}

bool survey_prepare_smi(struct refusal *why)
{
    if (!smi_detect(why) || !survey_prepare(why))
        return false;
    raise_smis(tick_facts.calibration.rate.clock_hz);
    return true;
}

static void read_clocks(void)
{
    irq_disable();
    clock_survey_read();
    irq_enable();
}

/* The edge of the RTC comes once a second; a slice in which it may come looks for nothing else. */
static bool watch_rtc(uint64_t slice)
{
    bool looked;

    irq_disable();
    looked = clock_survey_watch_rtc(rdtsc() + slice);
    irq_enable();
    return looked;
}

void survey_run(void)
{
    const uint64_t slice = tick_facts.calibration.rate.clock_hz / SLICE_PART;

    found.head.smi_known = count_smis(&found.head.smis);
    for (;;) {
        read_clocks();
        for (unsigned i = 0; i < READ_SLICES; i++)
            if (!watch_rtc(slice))
                gap_watch_slice(&gaps, slice);
    }
}

/* ---- what is told ---- */

static void take_lengths(struct survey *s, const struct gap_log *l)
{
    s->lengths = 0;
    for (unsigned i = 0; i < GAP_BUCKETS; i++)
        if (l->count[i] != 0)
            s->length[s->lengths++] = (struct wire_survey_row){ gap_bucket_us(i), l->count[i], l->time[i] };
}

/* The task is stopped at a whole slice. */
static void collect_once(struct survey *s)
{
    const struct gap_watch *const w = &gaps;
    struct wire_survey *const h = &s->head;
    const uint64_t before = h->smis, start = run_state->start;
    struct gap_period period;
    uint64_t smis = 0;

    irq_disable();
    clock_survey_tell(s);
    take_lengths(s, &w->log);
    period = gap_log_period(&gaps.log);
    irq_enable();
    h->epoch = frame_tx_epoch();
    h->begin = w->begin != 0 ? w->begin - start : 0;
    h->end = w->end != 0 ? w->end - start : 0;
    h->watched = w->watched;
    h->slices = w->slices;
    h->round = w->round;
    h->threshold = w->threshold;
    h->gaps = w->log.gaps;
    h->stolen = w->log.time_all;
    h->squares = w->log.squares;
    h->greatest = w->log.greatest;
    h->ticks = w->ticks;
    h->period = period.period;
    h->period_length = period.length;
    h->period_gaps = period.gaps;
    h->period_fits = period.fits;
    if (h->smi_known != 0 && count_smis(&smis))
        h->smis = (uint32_t)(smis - before);
    h->hypervisor = (struct wire_text){ cpu.hypervisor, string_length(cpu.hypervisor) };
}

static void collect(struct survey *s)
{
    static bool collected;

    if (!collected)
        collect_once(s);
    collected = true;
}

static void send_rows(enum wire_type type, const void *head, const void *rows, size_t size, unsigned count)
{
    frame_tx_begin(type, head);
    for (unsigned i = 0; i < count; i++)
        frame_tx_row((const uint8_t *)rows + i * size);
    frame_tx_end();
}

static void send_all(const struct survey *s)
{
    const struct wire_survey_clocks clocks = { .epoch = s->head.epoch };
    const struct wire_survey_times times = { .epoch = s->head.epoch };

    send_rows(WIRE_SURVEY_CLOCKS, &clocks, s->clock, sizeof s->clock[0], s->clocks);
    send_rows(WIRE_SURVEY_TIMES, &times, s->time, sizeof s->time[0], s->times);
    send_rows(WIRE_SURVEY, &s->head, s->length, sizeof s->length[0], s->lengths);
}

void survey_send(void)
{
    if (found.head.clock_hz == 0)
        return;
    collect(&found);
    send_all(&found);
}

static void screen_line(void *context, const char *text)
{
    (void)context;
    screen_write_line(text, false);
}

/* Where its rows would be broken beside a code, which has them, the screen has the verdict alone. */
static void line(void *context, const char *text)
{
    stream_uart_write_wait((const uint8_t *)text, (uint32_t)string_length(text));
    stream_uart_write_wait((const uint8_t *)"\r\n", 2);
    if (screen_text_columns() >= ROWS_WIDE)
        screen_line(context, text);
}

/* The verdict again, last, so that it stands on a screen of 25 rows, and what to do with it. */
static void tell_screen(void)
{
    screen_write_line("", false);
    survey_verdict(&found, screen_line, 0);
    screen_write_line("This screen is the result: a photograph of it is a report. Other words for the next boot: "
                      "edit cpuprobe.cfg on the stick (docs/BOARD.md).", false);
}

void survey_tell(void)
{
    collect(&found);
    if (disturbance.smis != 0)
        log_line(LOG_NOTE, "survey-smi: ", DECIMAL(disturbance.smis), " SMIs took ", DECIMAL(disturbance.time),
                 " clock units by their own handler");
    if (run_in_frames())
        survey_send();
    else
        survey_print(&found, line, 0);
    tell_screen();
}
