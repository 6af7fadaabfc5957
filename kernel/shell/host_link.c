/* SPDX-License-Identifier: MIT */
/*
 * Lines and commands that come over the serial line, from anybody.  Memory is bounded: one stretch, and the last
 * answer of a few sessions.  A repeated command is answered and not executed again.  An error costs one message
 * and a count.
 */
#include "kernel/shell/shell.h"

#include "drivers/io.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/report/run.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/window.h"
#include "probe/command/command_table.h"
#include "probe/command/reply_cache.h"
#include "probe/command/rx_demux.h"

#define SECOND_US  1000000u
#define SILENCE_US SECOND_US /* a frame that has not ended by then is discarded */
#define MESSAGES   4u        /* at most in a second, about wrong lines; all are counted */

static struct rx_demux rx; /* task PROBE, as all below */
static struct reply_cache replies;
static uint64_t boot;
static bool called; /* rx.line calls the shell */

void host_link_init(void)
{
    boot = frame_tx_epoch();
}

/* Noise contains line ends too: messages about wrong lines must not fill the line. */
static bool may_say(void)
{
    static uint64_t since;
    static unsigned messages;

    if (rdtsc() - since > timer_us_to_clocks(SECOND_US)) {
        since = rdtsc();
        messages = 0;
    }
    return messages++ < MESSAGES;
}

static void refuse_line(const struct refusal *why)
{
    char text[REFUSAL_TEXT];

    if (may_say())
        log_line(LOG_WARNING, "these words change nothing: ", refusal_text(why, text));
    rx_counts.refused++;
}

static void say_line(void *context, const char *text)
{
    (void)context;
    log_line(LOG_NOTE, text);
}

/* A line of a person, answered by messages. */
static void do_line(const char *line)
{
    static const struct command_asker person = {.line = say_line};
    static struct command c;
    struct command_result answer = {.refused = true};

    if (command_parse(&c, line, &answer.why))
        answer = command_execute(&c, &person);
    if (answer.refused)
        refuse_line(&answer.why);
    else
        command_complete(answer.after, true);
}

/* ---- calls for the shell ---- */

/* Whether a line opens the shell: any but a line of words. */
static bool is_call(const char *line)
{
    static struct command c;
    struct refusal unused;

    if (run_config()->output != OUTPUT_TEXT || run_config()->shell != SHELL_AUTO)
        return false;
    if (command_parse(&c, line, &unused))
        return c.verb != COMMAND_SET;
    return command_row_named(span_until(span_text(line), ' ')) != 0; /* the shell prints what is wrong with it */
}

const char *host_link_shell_call(void)
{
    return called ? rx.line : 0;
}

void host_link_call_taken(void)
{
    called = false;
}

/* ---- commands of the host ---- */

static void send_part(void *context, struct wire_answer *head)
{
    (void)context;
    head->took = rdtsc() - stream_uart_rx_time();
    frame_tx_send_head(WIRE_ANSWER, head);
}

static void send(struct wire_answer *head, const char *text, uint64_t length)
{
    head->boot = boot;
    answer_send(&rx.command, head, text, length, send_part, 0);
    rx_counts.repeated += head->repeated;
    rx_counts.refused += head->status != ANSWER_DONE && head->repeated == 0;
}

static void send_answer(const struct reply *a, bool again)
{
    send(&(struct wire_answer){ .status = a->status, .repeated = again }, a->text, a->length);
}

static void send_status(enum answer_status status, const char *text)
{
    send(&(struct wire_answer){ .status = status }, text, string_length(text));
}

static void put_line(void *context, const char *text)
{
    reply_line(context, text);
}

static void do_command(struct reply *a)
{
    const struct command_asker host = { .line = put_line, .context = a };
    static struct command c;
    struct command_result answer = { .refused = true };
    char text[REFUSAL_TEXT];

    if (command_parse(&c, rx.line, &answer.why))
        answer = command_execute(&c, &host);
    if (answer.refused) {
        reply_line(a, refusal_text(&answer.why, text));
        a->status = ANSWER_REFUSED;
    }
    reply_end(a);
    send_answer(a, false);
    if (!answer.refused)
        command_complete(answer.after, true);
}

static void take_command(void)
{
    struct reply *a;

    switch (reply_cache_check(&replies, boot, &rx.command, &a)) {
    case REPLY_NEW:
        do_command(a);
        break;
    case REPLY_REPEAT:
        send_answer(a, true);
        break;
    case REPLY_OTHER_BOOT:
        send_status(ANSWER_OTHER_BOOT, "this command was meant for another boot: nothing of it was done");
        break;
    case REPLY_STALE:
        send_status(ANSWER_OLD, "a later command of this session was answered: this one is not done");
        break;
    }
}

/* ---- what comes in ---- */

static void take(enum rx_kind kind)
{
    switch (kind) {
    case RX_NOTHING:
        return;
    case RX_LINE:
        called = is_call(rx.line);
        if (!called)
            do_line(rx.line);
        break;
    case RX_TOO_LONG:
        refuse_line(&(struct refusal){ .reason = "the line is too long" });
        break;
    case RX_COMMAND:
        take_command();
        break;
    }
}

static void look_for_silence(void)
{
    if (rx_demux_in_frame(&rx) && rdtsc() - stream_uart_rx_time() > timer_us_to_clocks(SILENCE_US) &&
        rx_demux_abandon(&rx))
        log_line(LOG_WARNING, "a command was begun on the line and not ended within a second: "
                 "nothing of it was done");
}

void host_link_poll(void)
{
    enum rx_kind kind = RX_NOTHING;
    uint8_t byte;

    if (probe.close == PROBE_STOPPED)
        return;
    for (unsigned n = 0; n < STREAM_UART_RX_RING && kind == RX_NOTHING && stream_uart_read(&byte); n++)
        kind = rx_demux_byte(&rx, byte);
    rx_counts.framing = rx.counts;
    take(kind);
    look_for_silence();
    rx_counts.framing = rx.counts;
}
