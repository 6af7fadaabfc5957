/* SPDX-License-Identifier: MIT */
/* Serves a line or a file for a live view. */
#include "tools/live/live_link.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/command/reply_cache.h"
#include "tools/base/cli.h"

#define REOPEN 1.0 /* seconds between two trials */
#define SILENT 5.0 /* seconds without a byte that are worth telling: an image sends each four seconds at least */
#define TYPED  "\x03\routput frames\r"

static void take(void *link, const struct stream_event *event)
{
    const struct live_link *l = link;

    live_run_add_event(l->run, event);
    if (l->samples)
        live_samples_add_event(l->samples, event);
}

static void attach(struct live_link *l)
{
    l->attached = false;
    l->attaching = true;
    client_begin_attach(&l->client, NULL);
}

bool live_link_open(struct live_link *l)
{
    l->is_file = !port_is_line(l->client.port);
    l->heard = monotonic_seconds();
    if (l->is_file)
        return stream_source_open(&l->file, l->client.port, &l->decoder);
    l->client.take = take;
    l->client.context = l;
    if (!client_open(&l->client))
        return false;
    attach(l);
    return true;
}

void live_link_close(struct live_link *l)
{
    if (l->is_file)
        stream_source_close(&l->file);
    else
        client_close(&l->client);
}

const struct stream_stats *live_link_stats(const struct live_link *l)
{
    return l->is_file ? &l->decoder.stats : &l->client.stream.stats;
}

/* ---- a file ---- */

static void wait_for(const struct live_link *l, int ms)
{
    struct pollfd wait = {.fd = l->file.file, .events = POLLIN};

    poll(l->at_end ? NULL : &wait, !l->at_end, ms); /* a file that has ended is always ready */
}

static void serve_file(struct live_link *l, int ms)
{
    struct stream_event event;

    wait_for(l, ms);
    if (stream_source_fill(&l->file)) {
        l->at_end = false;
        while (stream_source_take(&l->file, &event))
            take(l, &event);
        return;
    }
    l->at_end = true;
    if (!l->follows && stream_source_finish(&l->file, &event))
        take(l, &event);
}

/* ---- a line ---- */

static void reopen(struct live_link *l, int ms)
{
    if (!l->gone)
        l->reopen = monotonic_seconds() + REOPEN;
    l->gone = true;
    l->attached = l->attaching = false;
    poll(NULL, 0, ms);
    if (monotonic_seconds() < l->reopen)
        return;
    l->reopen = monotonic_seconds() + REOPEN;
    if (!client_reopen(&l->client))
        return;
    l->gone = false;
    l->reopened++;
    attach(l);
}

/* The first line of an answer, or how many lines there are. */
static void take_answer(struct live_link *l)
{
    char *text = client_text(&l->client);
    const size_t first = strcspn(text, "\n");

    text[first] = '\0';
    snprintf(l->answer, sizeof(l->answer), "%s%s", l->client.answer.status == ANSWER_DONE ? "" : "refused: ",
             first ? text : "done");
    free(text);
}

static void tell(struct live_link *l, const char *what)
{
    snprintf(l->answer, sizeof(l->answer), "%s", what);
}

static void finish(struct live_link *l, enum client_result end)
{
    const bool attaching = l->attaching;

    l->attaching = false;
    switch (end) {
    case CLIENT_ANSWERED:
        l->attached = true;
        if (!attaching)
            take_answer(l);
        break;
    case CLIENT_RESET:
        tell(l, "the board was reset: this boot has not executed the command");
        attach(l);
        break;
    case CLIENT_SILENT:
        tell(l, "no answer: where a shell is open, o ends it; c asks again");
        break;
    case CLIENT_ENDED:
        tell(l, "the run ended before an answer came");
        break;
    case CLIENT_REFUSED:
        l->client.refusal = (struct image_refusal){.has_hello = false};
        break;
    case CLIENT_CLOSED:
        break;
    }
}

static void begin_next(struct live_link *l)
{
    if (!l->waiting || !l->attached || l->client.waiting)
        return;
    client_begin_command(&l->client, l->command[0]);
    snprintf(l->answer, sizeof(l->answer), "%.100s ...", l->command[0]);
    memmove(l->command[0], l->command[1], sizeof(l->command) - sizeof(*l->command));
    l->waiting--;
}

static void serve_line(struct live_link *l, int ms)
{
    enum client_result end;

    if (l->gone || l->client.why[0]) {
        reopen(l, ms);
        return;
    }
    if (client_serve(&l->client, ms, &end))
        finish(l, end);
    begin_next(l);
}

bool live_link_serve(struct live_link *l, int ms)
{
    const uint64_t before = l->run->snapshots;

    (l->is_file ? serve_file : serve_line)(l, ms);
    if (live_link_stats(l)->bytes != l->bytes)
        l->heard = monotonic_seconds();
    l->bytes = live_link_stats(l)->bytes;
    return l->run->snapshots != before;
}

bool live_link_command(struct live_link *l, const char *line)
{
    const bool fits = l->waiting < LIVE_COMMANDS && strlen(line) < COMMAND_LINE;

    if (l->is_file)
        tell(l, "a file takes no commands");
    else if (!fits)
        tell(l, "too many commands wait for their answer");
    if (l->is_file || !fits)
        return false;
    strcpy(l->command[l->waiting++], line);
    if (!l->attached && !l->attaching && !l->gone)
        attach(l);
    return true;
}

void live_link_to_frames(struct live_link *l)
{
    if (l->is_file || l->gone)
        return;
    port_write(l->client.line, (const uint8_t *)TYPED, strlen(TYPED), l->client.why);
    attach(l);
}

void live_link_attach(struct live_link *l)
{
    if (!l->is_file && !l->gone && !l->client.waiting)
        attach(l);
}

void live_link_state(const struct live_link *l, char to[LIVE_TEXT])
{
    const struct live_run *r = l->run;
    const double silent = monotonic_seconds() - l->heard;

    if (l->gone || l->client.why[0])
        snprintf(to, LIVE_TEXT, "%.100s, opened again each second",
                 l->client.why[0] ? l->client.why : "the line ended");
    else if (r->ended)
        snprintf(to, LIVE_TEXT, "ended%s%.100s", r->ended_well ? ": " : " with an error: ", r->reason);
    else if (l->is_file)
        snprintf(to, LIVE_TEXT, "%s", l->at_end ? "no end yet" : "reading");
    else if (silent >= SILENT)
        snprintf(to, LIVE_TEXT, "silent for %.0f s", silent);
    else
        snprintf(to, LIVE_TEXT, "%s",
                 r->has_whole                 ? "live"
                 : r->baseless                ? "waiting for a whole snapshot, ten seconds at most"
                 : live_link_stats(l)->frames ? "no snapshot yet"
                 : live_link_stats(l)->bytes  ? "bytes that are no frames"
                                              : "nothing heard yet");
}
