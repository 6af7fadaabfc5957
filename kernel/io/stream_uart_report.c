/* SPDX-License-Identifier: MIT */
/* What is told of how the stream's line is served. */
#include "kernel/io/stream_uart_report.h"

#include "kernel/io/format.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"

static bool has_interrupt(const struct serial_proof *p)
{
    return p->shots != 0 && p->came == p->shots;
}

const char *serial_served(void)
{
    const struct serial_proof p = serial_proof();
    const struct serial_looks looks = serial_looks();
    const char *const came = p.shots == 0 ? "no interrupt is known" :
        sentence(DECIMAL(p.came), " of ", DECIMAL(p.shots), " interrupts came by IRQ ", DECIMAL(p.irq));

    if (has_interrupt(&p))
        return came;
    return sentence(came, ": the system clock serves the line, ", DECIMAL(looks.hz), " times a second");
}

void serial_say(void)
{
    const struct serial_proof p = serial_proof();
    const struct serial_looks looks = serial_looks();

    if (has_interrupt(&p))
        return;
    say(p.shots != 0 ? SAY_WARNING : SAY_NOTE, serial_name(), ": ", serial_served());
    if (looks.safe_baud < options.words.line.baud)
        say(SAY_WARNING, serial_name(), ": bytes that come in at ", DECIMAL(options.words.line.baud),
            " bit/s may be lost: commands are safe up to ", DECIMAL(looks.safe_baud), " bit/s");
}

void serial_tell(void)
{
    const struct serial_losses lost = serial_losses();

    if (lost.kicked != 0)
        say(SAY_WARNING, DECIMAL(lost.kicked), lost.kicked == 1 ? " transmit interrupt of " : " transmit interrupts of ",
            serial_name(), lost.kicked == 1 ? " did not come and was asked for anew" : " did not come and were asked for anew",
            lost.given_up ? ", in vain: since then the system clock serves the line" : "");
}
