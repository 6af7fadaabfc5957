/* SPDX-License-Identifier: MIT */
/* What the image has to say in plain sentences. */
#include "kernel/io/log.h"

#include <stdarg.h>
#include <stdint.h>

#include "kernel/io/frame_tx.h"
#include "kernel/io/screen.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"

static void send_frame(enum log_severity severity, const struct text_buf *line)
{
    frame_tx_send_head(WIRE_TEXT, &(struct wire_text_record){
        .epoch = frame_tx_epoch(),
        .severity = severity,
        .text = { line->text, line->length },
        .number = frame_tx_number(WIRE_TEXT),
    });
}

void log_parts(enum log_severity severity, ...)
{
    static const char *const opening[] = {
        "cpuprobe: ", "cpuprobe: warning: ", "cpuprobe: error: ",
    };
    char text[LOG_LINE_MAX + sizeof "\r\n"];
    struct text_buf line = { .text = text, .size = LOG_LINE_MAX + 1 };
    va_list parts;

    va_start(parts, severity);
    buf_list(&line, opening[severity], parts);
    va_end(parts);
    screen_write_line(text, severity == LOG_ERROR);
    line.size = sizeof text; /* the end of the line always fits */
    if (run_in_frames()) {
        buf_text(&line, "\n"); /* for a terminal that shows the raw stream */
        send_frame(severity, &line);
        return;
    }
    buf_text(&line, "\r\n");
    stream_uart_write((const uint8_t *)text, (uint32_t)line.length);
}

/* Text of the run, to each of its ways out. */

void text_out(const char *text, unsigned length)
{
    stream_uart_write_wait((const uint8_t *)text, length);
    screen_write(text, length);
}
