/* SPDX-License-Identifier: MIT */
/* The record RECEIVED: what was received over the serial line, and what was wrong with it. */
#include "kernel/report/run.h"

#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "probe/schedule/memory.h"

static struct wire_received told; /* task PROBE */

static struct wire_received received(void)
{
    const struct stream_uart_errors e = stream_uart_errors();
    struct wire_received r = rx_counts.framing;

    r.repeated = rx_counts.repeated;
    r.refused = rx_counts.refused;
    r.overrun = e.overrun;
    r.parity = e.parity;
    r.framing = e.framing;
    r.breaks = e.breaks;
    r.unread = stream_uart_unread();
    return r;
}

void report_received(void)
{
    struct wire_received now = received();

    if (!run_in_frames() || memcmp(&now, &told, sizeof now) == 0)
        return;
    told = now;
    now.epoch = frame_tx_epoch();
    frame_tx_send_head(WIRE_RECEIVED, &now);
}

void report_received_end(void)
{
    const struct wire_received r = received();

    report_received();
    if (r.damaged + r.foreign + r.too_long + r.cut != 0)
        log_line(LOG_WARNING, "of what came in, ", DECIMAL(r.damaged), " frames were damaged, ",
                 DECIMAL(r.foreign), " were no commands, ", DECIMAL(r.too_long), " stretches were too long, ",
                 DECIMAL(r.cut), " were not ended");
    if (r.overrun + r.parity + r.framing + r.breaks != 0)
        log_line(LOG_WARNING, "the UART lost bytes ", DECIMAL(r.overrun), " times, ", DECIMAL(r.parity),
                 " bytes had a wrong parity, ", DECIMAL(r.framing), " no stop bit, and the line stood at break ",
                 DECIMAL(r.breaks), " times");
}
