/* SPDX-License-Identifier: MIT */
/* What the image has to say in plain sentences. */
#include "kernel/io/log.h"

#include <stdarg.h>
#include <stdbool.h>

#include "drivers/vga_text.h"
#include "kernel/boot_info.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"

struct line {
    char text[LOG_LINE_MAX + 3]; /* room for the line's end */
    unsigned length;
};

static void append(struct line *l, const char *text)
{
    while (*text != '\0' && l->length < LOG_LINE_MAX)
        l->text[l->length++] = *text++;
    l->text[l->length] = '\0';
}

static void say_frame(enum log_severity severity, const struct line *l)
{
    frame_tx_send_head(WIRE_TEXT, &(struct wire_text_record){
        .epoch = options.epoch,
        .severity = severity,
        .text = { l->text, l->length },
    });
}

void log_parts(enum log_severity severity, ...)
{
    static const char *const opening[] = {
        "cpuprobe: ", "cpuprobe: warning: ", "cpuprobe: error: ",
    };
    struct line l = { .length = 0 };
    const char *part;
    va_list parts;

    append(&l, opening[severity]);
    va_start(parts, severity);
    while ((part = va_arg(parts, const char *)) != 0)
        append(&l, part);
    va_end(parts);
    if (severity == LOG_ERROR && options.has_vga_text)
        vga_text_line(DIRECT_BASE, l.text);
    if (options_frames()) {
        l.text[l.length++] = '\n'; /* a reader without a decoder sees where it ends */
        say_frame(severity, &l);
        return;
    }
    l.text[l.length++] = '\r';
    l.text[l.length++] = '\n';
    stream_uart_write((const uint8_t *)l.text, l.length);
}

const char *say_decimal(char buffer[SAY_NUMBER], uint64_t number)
{
    char *at = buffer + SAY_NUMBER - 1;

    *at = '\0';
    do
        *--at = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    return at;
}

const char *say_hex(char buffer[SAY_NUMBER], uint64_t number)
{
    char *at = buffer + SAY_NUMBER - 1;

    *at = '\0';
    do
        *--at = "0123456789abcdef"[number & 15];
    while ((number >>= 4) != 0);
    *--at = 'x';
    *--at = '0';
    return at;
}

const char *say_milli(char buffer[SAY_NUMBER], uint64_t thousandths)
{
    char *at = buffer + SAY_NUMBER - 1;

    *at = '\0';
    for (int place = 0; place < 3; place++, thousandths /= 10)
        *--at = (char)('0' + thousandths % 10);
    *--at = '.';
    do
        *--at = (char)('0' + thousandths % 10);
    while ((thousandths /= 10) != 0);
    return at;
}
