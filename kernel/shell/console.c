/* SPDX-License-Identifier: MIT */
/* Prints lines page by page, and reads keys. */
#include "kernel/shell/shell.h"

#include "drivers/io.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/string.h"
#include "kernel/report/run.h"
#include "probe/command/command.h"
#include "probe/command/line_edit.h"

#define CTRL_C 0x03

/* `indent`: of a row that continues a line */
static const char more[] = "-- more --", wipe[] = "\r\x1b[K", indent[] = "  ";

static const uint64_t *run_end;      /* task PROBE, as all below */
static uint32_t rows = COMMAND_ROWS;
static uint32_t left;                /* lines until the page is full */
static bool enough;
static uint64_t began;               /* TSC; 0: no line yet */

void console_until(const uint64_t *end)
{
    run_end = end;
}

uint64_t console_end(void)
{
    return *run_end;
}

uint32_t console_page(void)
{
    return rows;
}

void console_rows(uint32_t number)
{
    rows = number;
}

void console_put(const char *bytes, unsigned length)
{
    text_out(bytes, length);
}

static void put(const char *text)
{
    console_put(text, (unsigned)string_length(text));
}

void console_begin(void)
{
    left = rows - 1;
    enough = false;
    began = 0;
}

uint64_t console_began(void)
{
    return began;
}

bool console_enough(void)
{
    return enough;
}

static void wipe_row(void)
{
    put(wipe);
}

void console_row(const char *text)
{
    wipe_row();
    put(text);
}

/* A function of its own in the image, so that a debugger can stop where the shell waits for a key. */
__attribute__((noipa)) bool console_key(uint64_t until, uint8_t *key, void (*show)(void))
{
    while (!stream_uart_read(key)) {
        const uint64_t now = rdtsc();

        if (now >= until)
            return false;
        if (report_task_events(wipe_row))
            show();
        stream_uart_wait_rx(run_service(until));
    }
    return true;
}

bool console_wait(uint64_t until)
{
    while (rdtsc() < until && rdtsc() < *run_end) {
        if (stream_uart_discard_past(CTRL_C))
            return false;
        report_task_events(wipe_row);
        stream_uart_wait_more_rx(run_service(until));
    }
    return true;
}

static void put_more(void)
{
    put(more);
}

/* After a page: ask whether to go on. */
static void ask(void)
{
    uint8_t key = 0;

    put_more();
    while (key != ' ' && key != '\r' && key != '\n' && key != 'q' && key != CTRL_C)
        if (!console_key(*run_end, &key, put_more))
            key = 'q';
    wipe_row();
    enough = key == 'q' || key == CTRL_C;
    left = key == ' ' ? rows - 1 : 1;
}

/* A row of the screen. */
static void put_row(const char *before, const char *text, unsigned length)
{
    if (!enough && rows != 0 && left == 0)
        ask();
    if (enough)
        return;
    left--;
    began = began != 0 ? began : rdtsc();
    put(before);
    console_put(text, length);
    put("\r\n");
}

/* How many characters of a text go into one row: all, or up to the last blank that fits, or as many as fit. */
static unsigned fit(const char *text, unsigned columns)
{
    unsigned length = 0, blank = 0;

    for (; text[length] != '\0' && length <= columns; length++)
        if (text[length] == ' ' && length != 0)
            blank = length;
    if (length <= columns)
        return length;
    return blank != 0 ? blank : columns;
}

void console_line(void *context, const char *text)
{
    const char *margin = "";

    (void)context;
    if (!enough && stream_uart_discard_past(CTRL_C)) {
        stream_uart_discard_tx();
        enough = true;
    }
    do {
        const unsigned length = fit(text, EDIT_COLUMNS - (unsigned)string_length(margin));

        put_row(margin, text, length);
        text += length;
        while (*text == ' ')
            text++;
        margin = indent;
    } while (*text != '\0');
}
