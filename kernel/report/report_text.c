/* SPDX-License-Identifier: MIT */
/* Prints the table as text on the serial line. */
#include "kernel/report/run.h"

#include "kernel/io/log.h"
#include "kernel/io/screen.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/string.h"
#include "kernel/tick/window.h"
#include "probe/stats/alias.h"
#include "probe/stats/table_sort.h"

static void put(const char *text)
{
    text_out(text, (unsigned)string_length(text));
}

void report_line(void *context, const char *text)
{
    (void)context;
    put(text);
    put("\r\n");
}

/* To the serial line alone: the screen has the page instead (kernel/report/report_page.c). */
static void line_alone(void *context, const char *text)
{
    (void)context;
    stream_uart_write_wait((const uint8_t *)text, (uint32_t)string_length(text));
    stream_uart_write_wait((const uint8_t *)"\r\n", 2);
}

static void put_table(const struct sampler *sampler, struct snapshot *s,
                      void (*line)(void *context, const char *text))
{
    const struct table_options o = report_options_of(sampler, s);

    table_sort(s);
    table_print(s, &o, line, 0);
}

void report_table(struct snapshot *s, void (*line)(void *context, const char *text))
{
    const struct sampler sampler = sampler_at(0);

    put_table(&sampler, s, line);
}

/* `table`: where its table goes, if elsewhere. */
static void put_sampler(const struct sampler *sampler, struct snapshot *s,
                        void (*line)(void *context, const char *text), void (*table)(void *context, const char *text))
{
    if (sampler->probe->monitors & PROBE_SYSTEM || sampler->probe->monitors == 0)
        put_table(sampler, s, table);
    for (uint32_t i = 0; i < s->regions; i++) {
        line(0, "");
        report_histogram(s, i, &(struct report_view){ .min = 0 }, line);
    }
}

static void put_alias(const struct snapshot *s, void (*line)(void *context, const char *text))
{
    struct table_options o[SAMPLERS];
    struct alias_side side[SAMPLERS];
    struct alias alias;

    for (unsigned i = 0; i < SAMPLERS; i++) {
        const struct sampler sampler = sampler_at(i);

        o[i] = report_options_of(&sampler, &s[i]);
        side[i] = (struct alias_side){ sampler.source->name, &s[i], &o[i] };
    }
    alias_compare(&alias, side);
    alias_print(&alias, side, line, 0);
}

static void put_source(const struct sampler *sampler, void (*line)(void *context, const char *text))
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    buf_parts(&b, "tick=", sampler->source->name, ": ", sampler->source->what);
    line(0, text);
}

void report_text(struct snapshot *s, void (*line)(void *context, const char *text))
{
    for (unsigned i = 0; i < samplers(); i++) {
        const struct sampler sampler = sampler_at(i);

        if (i != 0)
            line(0, "");
        if (samplers() > 1)
            put_source(&sampler, line);
        put_sampler(&sampler, &s[i], line, i == 0 && line == report_line && screen_has_page() ? line_alone : line);
    }
    if (samplers() > 1) {
        line(0, "");
        put_alias(s, line);
    }
}
