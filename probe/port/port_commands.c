/* SPDX-License-Identifier: MIT */
/*
 * Commands from a host to a port: COMMAND frames, and lines that are typed.  A repeated command is answered and not
 * done again.  The names are those of the command language (docs/TOOL.md); a port has these of them.
 */
#include "probe/command/reply_cache.h"
#include "probe/port/port.h"
#include "probe/port/port_memory.h"
#include "probe/schedule/memory.h"
#include "probe/text/text_buf.h"

#define BYTES_MAX 256u /* that one poll reads */

void port_commands_init(struct cpuprobe *c)
{
    c->commands = c->options.commands;
    memset(c->commands, 0, sizeof *c->commands);
}

static bool is(const char *line, const char *word)
{
    while (*word != '\0' && *line == *word) {
        line++;
        word++;
    }
    return *word == '\0' && (*line == '\0' || *line == ' ');
}

/* The number behind a word, e.g. rate=; false where the line does not begin so, or it is none of 32 bits. */
static bool number_after(const char *line, const char *word, uint64_t *to)
{
    for (; *word != '\0'; word++, line++)
        if (*line != *word)
            return false;
    *to = 0;
    if (*line == '\0')
        return false;
    for (; *line >= '0' && *line <= '9' && *to < 1ull << 32; line++)
        *to = *to * 10 + (uint64_t)(*line - '0');
    return *line == '\0' && *to < 1ull << 32;
}

static const char *show_status(const struct cpuprobe *c, struct reply *a)
{
    char line[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(line);
    const uintptr_t was = c->port.lock();
    const uint64_t ticks = probe_ticks(&c->probe), late = c->probe.counters.late;

    c->port.unlock(was);
    buf_parts(&b, "tick: ", c->port.source, " at ", DECIMAL(c->facts.rate), " Hz, ",
              interval_policies[c->facts.policy]->name, ", seed ", DECIMAL(c->facts.seed));
    reply_line(a, line);
    buf_reset(&b);
    buf_parts(&b, "window: ", DECIMAL(ticks), " ticks, ", DECIMAL(late), " late; frames dropped: ",
              DECIMAL(c->dropped));
    reply_line(a, line);
    return NULL;
}

/* Begin again with another rate or seed, once a tick has closed the window; what is refused is as before. */
static const char *change(struct cpuprobe *c, uint32_t rate, uint64_t seed)
{
    const struct cpuprobe_options before = c->options;
    const char *why;

    c->options.rate = rate;
    c->options.seed = seed;
    why = port_check(c, sizeof *c, &c->port, &c->options);
    if (why == NULL)
        why = port_try_restart(c);
    if (why != NULL)
        c->options = before;
    else
        c->changing = true;
    return why;
}

/* Why it was refused; NULL: it was done. */
static const char *execute(struct cpuprobe *c, const char *line, struct reply *a)
{
    uint64_t n;

    if (*line == '\0') /* from a host that asks who is there */
        return NULL;
    if (is(line, "help")) {
        reply_line(a, "status; snapshot; end; rate=HZ; seed=NUMBER (a new epoch); help");
        return NULL;
    }
    if (is(line, "status"))
        return show_status(c, a);
    if (is(line, "snapshot")) {
        c->commands->show = true;
        return NULL;
    }
    if (is(line, "end")) {
        c->ending = true;
        return NULL;
    }
    if (number_after(line, "rate=", &n) && n != 0)
        return change(c, (uint32_t)n, c->options.seed);
    if (number_after(line, "seed=", &n) && n != 0)
        return change(c, c->options.rate, n);
    return "not a command of this port: help lists them";
}

static void send_part(void *context, struct wire_answer *head)
{
    port_send(context, WIRE_ANSWER, head);
}

static void send(struct cpuprobe *c, enum answer_status status, const char *text, size_t length, bool again)
{
    struct wire_answer head = { .boot = c->commands->boot, .status = (uint64_t)status, .repeated = again };

    answer_send(&c->commands->rx.command, &head, text, length, send_part, c);
}

static void send_text(struct cpuprobe *c, enum answer_status status, const char *text)
{
    size_t length = 0;

    while (text[length] != '\0')
        length++;
    send(c, status, text, length, false);
}

static void do_command(struct cpuprobe *c, struct reply *a)
{
    const char *const why = execute(c, c->commands->rx.line, a);

    if (why != NULL) {
        reply_line(a, why);
        a->status = ANSWER_REFUSED;
    }
    reply_end(a);
    send(c, a->status, a->text, a->length, false);
}

static void take_command(struct cpuprobe *c)
{
    struct port_commands *const k = c->commands;
    struct reply *a;

    switch (reply_cache_check(&k->replies, k->boot, &k->rx.command, &a)) {
    case REPLY_NEW:
        do_command(c, a);
        break;
    case REPLY_REPEAT:
        send(c, a->status, a->text, a->length, true);
        break;
    case REPLY_OTHER_BOOT:
        send_text(c, ANSWER_OTHER_BOOT, "this command was meant for another boot: nothing of it was done");
        break;
    case REPLY_STALE:
        send_text(c, ANSWER_OLD, "a later command of this session was answered: this one is not done");
        break;
    }
}

/* A line of a person: the answer goes out as one message. */
static void take_line(struct cpuprobe *c)
{
    struct reply *const a = &c->commands->typed;
    const char *why;

    a->length = a->left_out = 0;
    why = execute(c, c->commands->rx.line, a);
    if (why != NULL || a->length == 0)
        reply_line(a, why != NULL ? why : "done");
    reply_end(a);
    a->text[a->length++] = '\n'; /* reply_line() leaves room for more than that */
    port_send_text(c, why != NULL, (struct wire_text){ a->text, a->length });
}

void port_commands_poll(struct cpuprobe *c)
{
    struct port_commands *const k = c->commands;
    enum rx_kind kind = RX_NOTHING;

    if (k->boot == 0)
        k->boot = c->epoch;
    for (unsigned n = 0; n < BYTES_MAX && kind == RX_NOTHING; n++) {
        const int byte = c->port.read();

        if (byte < 0)
            break;
        kind = rx_demux_byte(&k->rx, (uint8_t)byte);
    }
    if (kind == RX_COMMAND)
        take_command(c);
    else if (kind == RX_LINE)
        take_line(c);
    if (k->show) {
        k->show = false;
        c->shown -= c->facts.clock_hz; /* as if the second were over */
    }
}
