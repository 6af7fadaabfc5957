/* SPDX-License-Identifier: MIT */
/*
 * Sends commands to a running image: each is repeated until an answer comes, with the same number,
 * so that the image runs it once.
 */
#include "tools/talk/command_client.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "probe/command/reply_cache.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/printable.h"

#define AGAIN 2.0 /* seconds after which a command is sent again */
#define QUIET 1.0 /* seconds of silence after an error message: the message is complete */
#define TIMEOUT 30 /* default: seconds that an answer may take */
#define PARTS (sizeof(((struct command_client *)0)->text) / sizeof(char *))

#undef OPTION_INPUT
#define OPTION_INPUT struct command_client

static const struct option_row rows[] = {
    {"force", 'f', NULL, "replace the contents of FILE when the first byte arrives", SET_FLAG(force)},
    {"output", 'o', "FILE", "write to FILE what the image streams meanwhile", SET_TEXT(keep)},
    {"timeout", 't', "N", "stop after N seconds without an answer (30)", SET_SECONDS(timeout), .otherwise = TIMEOUT},
    PORT_BAUD(baud),
    {0},
};

const struct option_set client_options = {.rows = rows};

static uint64_t draw_session(void)
{
    uint64_t session = 0;

    while (!session)
        if (getrandom(&session, sizeof(session), 0) != sizeof(session))
            session = (uint64_t)(monotonic_seconds() * 1e9);
    return session;
}

bool client_open(struct command_client *t)
{
    signal(SIGPIPE, SIG_IGN); /* write(2) reports a closed socket */
    decoder_init(&t->stream);
    t->session = draw_session();
    if (t->keep && !stream_file_open(&t->out, t->keep, t->port, t->force))
        return false;
    t->line = port_open(t->port, t->baud, PORT_TALK);
    return t->line >= 0;
}

/* ---- what comes ---- */

static void forget_parts(struct command_client *t)
{
    for (unsigned i = 0; i < PARTS; i++) {
        free(t->text[i]);
        t->text[i] = NULL;
    }
    t->parts_seen = 0;
}

static char *printable_answer(struct wire_text text)
{
    char *copy = xrealloc_array(NULL, text.length + 1, 1);

    memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\0';
    printable_lines(copy);
    return copy;
}

/* All parts of an answer have the same head; a frame with another head is not a part of it. */
static bool fits_answer(const struct command_client *t, const struct wire_answer *a)
{
    if (a->parts > PARTS || a->part >= a->parts)
        return false;
    return !t->parts_seen || (a->parts == t->answer.parts && a->status == t->answer.status &&
                              a->boot == t->answer.boot);
}

/* Store a part of the expected answer; a part comes twice if its command did. */
static void take_answer(struct command_client *t, struct wire_reader r)
{
    struct wire_answer a;

    wire_read_head(&r, &a);
    if (!t->waiting || a.session != t->session || a.id != t->id)
        return;
    if (!fits_answer(t, &a)) {
        t->inconsistent++;
        return;
    }
    if (!t->text[a.part]) {
        t->text[a.part] = printable_answer(a.text);
        t->parts_seen++;
    }
    t->answer = a;
    t->answered = t->parts_seen == a.parts;
}

static void take_event(struct command_client *t, const struct stream_event *event)
{
    if (t->take)
        t->take(t->context, event);
    refusal_add_event(&t->refusal, event);
    if (event->kind != STREAM_RECORD)
        return;
    if (event->reader.type == WIRE_ANSWER)
        take_answer(t, event->reader);
    /* An END may belong to a change of configuration words: then another epoch follows. */
    if (event->reader.type == WIRE_END)
        t->ended = true;
    else if (event->reader.type == WIRE_HELLO)
        t->ended = false;
}

static void take_bytes(struct command_client *t, const uint8_t *bytes, size_t length)
{
    struct stream_event event;

    refusal_add_bytes(&t->refusal, bytes, length);
    decoder_note_silence(&t->stream, monotonic_seconds() - t->last_byte);
    for (size_t at = 0; at < length;) {
        at += decoder_feed(&t->stream, bytes + at, length - at, &event);
        take_event(t, &event);
    }
    t->last_byte = monotonic_seconds();
}

/* The image printed an error message, and nothing for a second. */
static bool is_refused(const struct command_client *t)
{
    return refusal_is_given(&t->refusal) && (t->why[0] || monotonic_seconds() - t->last_byte >= QUIET);
}

/* Wait once and read once; false if the line has ended or nothing more will come. */
static bool step(struct command_client *t, int ms)
{
    static uint8_t bytes[1 << 14];
    const int got = port_read(t->line, bytes, sizeof(bytes), ms, t->why);

    if (got < 0)
        refusal_finish(&t->refusal);
    if (got <= 0)
        return !got && !is_refused(t);
    take_bytes(t, bytes, (size_t)got);
    if (!t->keep || stream_file_write(&t->out, bytes, (size_t)got, NULL, NULL))
        return true;
    strcpy(t->why, "its stream cannot be written");
    return false;
}

bool client_read(struct command_client *t, double seconds, bool (*done)(void *context))
{
    const double until = monotonic_seconds() + seconds;

    while (monotonic_seconds() < until && !(done && done(t->context)))
        if (!step(t, 50))
            return false;
    return !t->ended;
}

/* ---- what goes ---- */

static bool send_frame(struct command_client *t, const char *line)
{
    struct wire_command c = {
        .boot = t->boot, .session = t->session, .id = t->id, .line = {line, strlen(line)},
    };
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_writer w;

    wire_begin(&w, WIRE_COMMAND, &c);
    return port_write(t->line, bytes, wire_end(&w, t->sequence++, bytes), t->why);
}

/* Read what came before writing failed: it may contain the reason. */
static void drain(struct command_client *t)
{
    const double until = monotonic_seconds() + QUIET;

    while (monotonic_seconds() < until && step(t, 20))
        ;
}

/* Send the command again, after what is typed first. */
static void repeat(struct command_client *t)
{
    t->retransmissions++;
    t->again = monotonic_seconds() + AGAIN;
    if (t->otherwise) {
        t->typed = true;
        if (!port_write(t->line, (const uint8_t *)t->otherwise, strlen(t->otherwise), t->why))
            return;
    }
    send_frame(t, t->asked);
}

static enum client_result result(struct command_client *t)
{
    if (t->answered)
        return t->answer.status == ANSWER_OTHER_BOOT ? CLIENT_RESET : CLIENT_ANSWERED;
    if (t->why[0])
        drain(t);
    if (is_refused(t))
        return CLIENT_REFUSED;
    if (t->why[0])
        return CLIENT_CLOSED;
    return t->ended ? CLIENT_ENDED : CLIENT_SILENT;
}

static void begin(struct command_client *t, const char *line, const char *otherwise)
{
    const double now = monotonic_seconds();

    snprintf(t->asked, sizeof(t->asked), "%s", line);
    t->otherwise = otherwise;
    t->id++;
    t->answered = t->typed = false;
    t->waiting = true;
    t->again = now + AGAIN;
    t->give_up = now + t->timeout;
    forget_parts(t);
    send_frame(t, t->asked);
}

void client_begin_command(struct command_client *t, const char *line)
{
    begin(t, line, NULL);
}

void client_begin_attach(struct command_client *t, const char *otherwise)
{
    t->boot = 0;
    begin(t, "", otherwise);
}

bool client_serve(struct command_client *t, int ms, enum client_result *end)
{
    const bool more = !t->why[0] && step(t, ms);

    if (!t->waiting)
        return false;
    if (!t->answered && more && monotonic_seconds() < t->give_up) {
        if (monotonic_seconds() >= t->again)
            repeat(t);
        return false;
    }
    t->waiting = false;
    *end = result(t);
    if (*end == CLIENT_ANSWERED && !t->boot)
        t->boot = t->answer.boot;
    return true;
}

static enum client_result await(struct command_client *t)
{
    enum client_result end;

    while (!client_serve(t, 20, &end))
        ;
    return end;
}

char *client_text(const struct command_client *t)
{
    char *text = xrealloc_array(NULL, (size_t)t->answer.parts * WIRE_FIELDS_MAX + 1, 1);
    size_t length = 0;

    *text = '\0';
    for (uint64_t i = 0; i < t->answer.parts; i++) {
        strcpy(text + length, t->text[i]);
        length += strlen(t->text[i]);
    }
    return text;
}

enum client_result client_attach(struct command_client *t, const char *otherwise, bool *typed)
{
    enum client_result end;

    client_begin_attach(t, otherwise);
    end = await(t);
    if (typed)
        *typed = t->typed;
    return end;
}

enum client_result client_command(struct command_client *t, const char *line, char **text)
{
    enum client_result end;

    client_begin_command(t, line);
    end = await(t);
    if (end == CLIENT_ANSWERED)
        *text = client_text(t);
    return end;
}

bool client_reopen(struct command_client *t)
{
    decoder_note_break(&t->stream);
    if (t->line >= 0)
        close(t->line);
    t->waiting = false;
    t->boot = 0;
    t->refusal = (struct image_refusal){.has_hello = false};
    t->line = port_open(t->port, t->baud, PORT_TALK);
    if (t->line >= 0)
        t->why[0] = '\0';
    return t->line >= 0;
}

void client_print_error(const struct command_client *t, enum client_result end)
{
    switch (end) {
    case CLIENT_ANSWERED:
        break;
    case CLIENT_RESET:
        cli_error("%s: the board was reset meanwhile: this boot has not executed the command; whether the boot "
                  "before did is not known", t->port);
        break;
    case CLIENT_SILENT:
        cli_error("%s: no answer within %g s, sent again %" PRIu64 " times: whether the command was executed is "
                  "not known%s", t->port, t->timeout, t->retransmissions, t->inconsistent ?
                  "; the parts of the answer that arrived contradict each other" : t->stream.stats.frames ? "" :
                  " (no frame arrived either; if a shell is open, 'output frames' ends it)");
        break;
    case CLIENT_CLOSED:
        cli_error("%s: %s", t->port, t->why);
        break;
    case CLIENT_ENDED:
        cli_error("%s: the run ended before an answer came", t->port);
        break;
    case CLIENT_REFUSED:
        cli_error("%s: the image stopped before its run and reported the reason", t->port);
        break;
    }
}

int client_exit_code(enum client_result end)
{
    return end == CLIENT_RESET ? EXIT_DAMAGED : end == CLIENT_REFUSED ? EXIT_CHECK_FAILED : EXIT_NO_DATA;
}

bool client_close(struct command_client *t)
{
    const bool kept = !t->keep || stream_file_close(&t->out);

    if (t->line >= 0)
        close(t->line);
    forget_parts(t);
    return kept;
}
