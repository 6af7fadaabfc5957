/* SPDX-License-Identifier: MIT */
/* Messages about how the stream's line is served. */
#include "kernel/io/stream_uart.h"

#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"

static bool has_interrupt(const struct stream_uart_irq_test *p)
{
    return p->shots != 0 && p->came == p->shots;
}

void stream_uart_put_service(struct text_buf *to)
{
    const struct stream_uart_irq_test p = stream_uart_irq_test();

    if (p.shots == 0)
        buf_text(to, "no interrupt is known");
    else
        buf_parts(to, DECIMAL(p.came), " of ", DECIMAL(p.shots), " interrupts came by IRQ ", DECIMAL(p.irq));
    if (!has_interrupt(&p))
        buf_parts(to, ": the system clock serves the line, ", DECIMAL(stream_uart_polling().hz), " times a second");
}

void stream_uart_report_start(void)
{
    const struct stream_uart_irq_test p = stream_uart_irq_test();
    const struct stream_uart_polling looks = stream_uart_polling();
    char text[LOG_LINE_MAX];
    struct text_buf service = TEXT_BUF(text);

    if (has_interrupt(&p) || !stream_uart_found())
        return;
    stream_uart_put_service(&service);
    log_line(p.shots != 0 ? LOG_WARNING : LOG_NOTE, stream_uart_name(), ": ", text);
    if (looks.safe_baud < run_config()->serial.baud)
        log_line(LOG_WARNING, stream_uart_name(), ": bytes that come in at ", DECIMAL(run_config()->serial.baud),
                 " bit/s may be lost: commands are safe up to ", DECIMAL(looks.safe_baud), " bit/s");
}

void stream_uart_report_end(void)
{
    const struct stream_uart_lost_irqs lost = stream_uart_lost_irqs();

    if (lost.kicked != 0)
        log_line(LOG_WARNING, DECIMAL(lost.kicked), lost.kicked == 1 ? " transmit interrupt of "
                                                                     : " transmit interrupts of ", stream_uart_name(),
                 lost.kicked == 1 ? " did not come and was asked for anew" : " did not come and were asked for anew",
                 lost.given_up ? ", in vain: since then the system clock serves the line" : "");
}
