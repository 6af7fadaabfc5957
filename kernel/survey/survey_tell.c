/* SPDX-License-Identifier: MIT */
/* Tells what the survey found, as text or as frames. */
#include "kernel/survey/survey_task.h"

#include <stddef.h>

#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/screen.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/survey/survey_parts.h"

#define ROWS_WIDE 80u /* columns of the longest */

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
    const struct gap_watch *const w = &survey_watch;
    struct wire_survey *const h = &s->head;
    const uint64_t before = h->smis, start = run_state->start;
    struct gap_period period;
    uint64_t smis = 0;

    irq_disable();
    clock_survey_tell(s);
    take_lengths(s, &w->log);
    period = gap_log_period(&survey_watch.log);
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
    if (h->smi_known != 0 && survey_smis(&smis))
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
    if (survey_found.head.clock_hz == 0)
        return;
    collect(&survey_found);
    send_all(&survey_found);
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
    survey_verdict(&survey_found, screen_line, 0);
    screen_write_line("This screen is the result: a photograph of it is a report. Other words for the next boot: "
                      "edit cpuprobe.cfg on the stick (docs/BOARD.md).", false);
}

void survey_tell(void)
{
    const struct survey_disturbed d = survey_disturbed();

    collect(&survey_found);
    if (d.count != 0)
        log_line(LOG_NOTE, "survey-smi: ", DECIMAL(d.count), " SMIs took ", DECIMAL(d.time),
                 " clock units by their own handler");
    if (run_in_frames())
        survey_send();
    else
        survey_print(&survey_found, line, 0);
    tell_screen();
}
