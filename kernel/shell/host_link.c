/* SPDX-License-Identifier: MIT */
/*
 * Lines and commands that come over the serial line.  Nothing of it can harm: the
 * inbox holds one stretch, a command that comes again is answered and not done again,
 * and what is wrong is one sentence and a count.
 */
#include "kernel/shell/host_link.h"

#include "drivers/io.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/rx_counts.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/report/run.h"
#include "kernel/sched/timer.h"
#include "kernel/shell/commands.h"
#include "kernel/tick/window.h"
#include "probe/command/reply_cache.h"
#include "probe/command/rx_demux.h"

#define SECOND_US  1000000u
#define SILENCE_US SECOND_US /* a frame that is not ended for so long never will be */
#define SENTENCES  4u        /* about wrong lines in a second; all are counted */
#define PART       1200u    /* bytes of a text in one frame */

static struct inbox inbox; /* task PROBE, as all below */
static struct answers answers;
static uint64_t boot;
static bool called; /* inbox.line is a call for the shell */

void control_begin(void)
{
    boot = options.epoch;
}

/* Noise has line ends too: what is wrong with lines may not take the stream's room. */
static bool may_say(void)
{
    static uint64_t since;
    static unsigned sentences;

    if (rdtsc() - since > timer_clocks(SECOND_US)) {
        since = rdtsc();
        sentences = 0;
    }
    return sentences++ < SENTENCES;
}

static void refuse_line(const char *why)
{
    if (may_say())
        say(SAY_WARNING, "these words change nothing: ", why);
    rx_counts.refused++;
}

static void say_line(void *context, const char *text)
{
    (void)context;
    say(SAY_NOTE, text);
}

/* A line of a person: answered in sentences. */
static void do_line(const char *line)
{
    static struct command c;
    char wrong[WORDS_SENTENCE];
    struct commands_answer answer;

    if (!command_parse(&c, line, wrong)) {
        refuse_line(wrong);
        return;
    }
    answer = commands_do(&c, say_line, 0);
    if (answer.refused != 0)
        refuse_line(answer.refused);
    commands_after(answer.after, true);
}

/* ---- calls for the shell ---- */

/* What is no line of words is meant for the shell. */
static bool is_call(const char *line)
{
    char sentence[WORDS_SENTENCE];
    static struct command c;

    if (options.words.output != OUTPUT_TEXT || options.words.shell != SHELL_AUTO)
        return false;
    if (command_parse(&c, line, sentence))
        return c.verb != COMMAND_SET;
    for (unsigned i = 0; command_name(i) != 0; i++)
        if (span_is(span_until(span_text(line), ' '), command_name(i)))
            return true; /* what is wrong with it is told there */
    return false;
}

const char *control_called(void)
{
    return called ? inbox.line : 0;
}

void control_answered(void)
{
    called = false;
}

/* ---- commands of the host ---- */

static void send(struct wire_answer *head, const char *text, uint64_t length)
{
    const uint64_t parts = length == 0 ? 1 : (length + PART - 1) / PART;

    head->boot = boot;
    head->session = inbox.command.session;
    head->id = inbox.command.id;
    head->parts = parts;
    for (head->part = 0; head->part < parts; head->part++) {
        const uint64_t from = head->part * PART, left = length - from;

        head->took = rdtsc() - serial_heard_at();
        head->text = (struct wire_text){ text + from, left < PART ? left : PART };
        link_send_head(WIRE_ANSWER, head);
    }
    rx_counts.repeated += head->repeated;
    rx_counts.refused += head->status != ANSWER_DONE && head->repeated == 0;
}

static void send_answer(const struct answer *a, bool again)
{
    send(&(struct wire_answer){ .status = a->status, .repeated = again }, a->text, a->length);
}

static void send_status(enum answer_status status, const char *text)
{
    send(&(struct wire_answer){ .status = status }, text, text_length(text));
}

static void put_line(void *context, const char *text)
{
    answer_line(context, text);
}

static void do_command(struct answer *a)
{
    static struct command c;
    char wrong[WORDS_SENTENCE];
    struct commands_answer answer = { .refused = wrong };

    if (command_parse(&c, inbox.line, wrong))
        answer = commands_do(&c, put_line, a);
    if (answer.refused != 0) {
        answer_line(a, answer.refused);
        a->status = ANSWER_REFUSED;
    }
    answer_end(a);
    send_answer(a, false);
    commands_after(answer.after, true);
}

static void take_command(void)
{
    struct answer *a;

    switch (answers_judge(&answers, boot, &inbox.command, &a)) {
    case ANSWERS_DO:
        do_command(a);
        break;
    case ANSWERS_AGAIN:
        send_answer(a, true);
        break;
    case ANSWERS_OTHER:
        send_status(ANSWER_OTHER_BOOT, "this command was meant for another boot: nothing of it was done");
        break;
    case ANSWERS_LATE:
        send_status(ANSWER_OLD, "a later command of this session was answered: this one is not done");
        break;
    }
}

/* ---- what comes in ---- */

static void take(enum inbox_kind kind)
{
    switch (kind) {
    case INBOX_NOTHING:
        return;
    case INBOX_LINE:
        called = is_call(inbox.line);
        if (!called)
            do_line(inbox.line);
        break;
    case INBOX_TOO_LONG:
        refuse_line("the line is too long");
        break;
    case INBOX_COMMAND:
        take_command();
        break;
    }
}

static void look_for_silence(void)
{
    if (inbox_begun(&inbox) && rdtsc() - serial_heard_at() > timer_clocks(SILENCE_US) && inbox_abandon(&inbox))
        say(SAY_WARNING, "a command was begun on the line and not ended within a second: "
            "nothing of it was done");
}

void control_take(void)
{
    enum inbox_kind kind = INBOX_NOTHING;
    uint8_t byte;

    if (probe.close == PROBE_STOPPED)
        return;
    for (unsigned n = 0; n < SERIAL_HEARD && kind == INBOX_NOTHING && serial_take(&byte); n++)
        kind = inbox_take(&inbox, byte);
    rx_counts.framing = inbox.counts;
    take(kind);
    look_for_silence();
    rx_counts.framing = inbox.counts;
}
