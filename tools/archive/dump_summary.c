/* SPDX-License-Identifier: MIT */
/* Reads the head and the tail of a recording. */
#include "tools/archive/dump_summary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/printable.h"
#include "tools/stream/arrival_times.h"
#include "tools/stream/frame_decoder.h"

#define NS 1000000000u

/* ---- records ---- */

static void copy_text(char *to, size_t size, struct wire_text text)
{
    snprintf(to, size, "%.*s", (int)(text.length < size ? text.length : size - 1), text.bytes ? text.bytes : "");
    printable(to);
}

static void take_hello(struct dump_summary *s, struct wire_reader r)
{
    char line[CONFIG_LINE];
    struct refusal unused;
    struct wire_hello hello;

    memset(&hello, 0, sizeof(hello));
    wire_read_head(&r, &hello);
    s->has_hello = true;
    s->clock_hz = hello.clock_hz;
    copy_text(s->build, sizeof(s->build), hello.build);
    copy_text(s->version, sizeof(s->version), hello.version);
    copy_text(line, sizeof(line), hello.words);
    config_default(&s->words);
    s->words_known = hello.words.length < sizeof(line) && config_parse(&s->words, line, &unused);
}

/* Newer than the whole snapshot before it; what it says of losses needs that one. */
static void take_delta(struct dump_summary *s, struct wire_reader r)
{
    struct wire_delta head;

    wire_read_head(&r, &head);
    s->snapshot.samples = head.samples;
    s->snapshot.end = head.end;
}

static void take_event(struct dump_summary *s, const struct stream_event *event)
{
    struct wire_reader r = event->reader;
    struct wire_end end;

    if (event->kind != STREAM_RECORD)
        return;
    if (r.type == WIRE_DELTA)
        take_delta(s, r);
    if (r.type == WIRE_HELLO) {
        take_hello(s, r);
        s->ended = false;
    } else if (r.type == WIRE_SNAPSHOT) {
        s->has_snapshot = wire_read_head(&r, &s->snapshot);
    } else if (r.type == WIRE_END) {
        memset(&end, 0, sizeof(end));
        s->ended = wire_read_head(&r, &end);
        s->status = end.status;
    }
}

/* ---- the file ---- */

/* Decode from an offset on, `most` bytes at most. */
static void decode(struct dump_summary *s, int file, uint64_t from, uint64_t most)
{
    struct frame_decoder *decoder = xrealloc_array(NULL, 1, sizeof(*decoder));
    struct stream_event event;
    uint8_t bytes[1 << 14];
    uint64_t read = 0;
    ssize_t got;

    decoder_init(decoder);
    while (read < most &&
           (got = pread(file, bytes, most - read < sizeof(bytes) ? (size_t)(most - read) : sizeof(bytes),
                        (off_t)(from + read))) > 0) {
        for (size_t at = 0; at < (size_t)got;) {
            at += decoder_feed(decoder, bytes + at, (size_t)got - at, &event);
            take_event(s, &event);
        }
        read += (uint64_t)got;
    }
    if (from + read == s->bytes) {
        decoder_finish(decoder, &event);
        take_event(s, &event);
    }
    s->frames += decoder->stats.frames;
    s->damaged += decoder_damaged(&decoder->stats);
    s->missing += decoder->stats.missing;
    s->unsure += decoder->stats.unsure;
    s->unknown += decoder->stats.unknown;
    free(decoder);
}

static void read_file(struct dump_summary *s, int file)
{
    s->whole = s->bytes <= SUMMARY_HEAD + SUMMARY_TAIL;
    if (s->whole) {
        decode(s, file, 0, s->bytes);
        return;
    }
    decode(s, file, 0, SUMMARY_HEAD);
    decode(s, file, s->bytes - SUMMARY_TAIL, SUMMARY_TAIL);
}

static void read_date(struct dump_summary *s, int folder)
{
    char *path = xasprintf("/proc/self/fd/%d/%s", folder, s->name);
    struct arrival_reader arrivals;

    if (arrival_open(&arrivals, path)) {
        s->arrived = arrivals.wall != 0;
        s->date = s->arrived ? (double)arrivals.wall / NS : s->date;
        arrival_close(&arrivals);
    }
    free(path);
}

void dump_summary_read(struct dump_summary *s, int folder, const char *name)
{
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat what;

    memset(s, 0, sizeof(*s));
    s->name = xasprintf("%s", name);
    config_default(&s->words);
    if (file < 0 || fstat(file, &what)) {
        s->unread = strerror(errno);
    } else if (!S_ISREG(what.st_mode)) {
        s->unread = "it is no file";
    } else {
        s->bytes = (uint64_t)what.st_size;
        s->date = (double)what.st_mtim.tv_sec + (double)what.st_mtim.tv_nsec / NS;
        read_date(s, folder);
        read_file(s, file);
    }
    if (file >= 0)
        close(file);
}

void dump_summary_free(struct dump_summary *s)
{
    free(s->name);
}

/* ---- what follows ---- */

double dump_summary_seconds(const struct dump_summary *s)
{
    if (!s->has_snapshot || !s->clock_hz || s->snapshot.end < s->snapshot.begin)
        return 0.0;
    return (double)(s->snapshot.end - s->snapshot.begin) / (double)s->clock_hz;
}

uint64_t dump_summary_losses(const struct dump_summary *s)
{
    return s->snapshot.lost_table + s->snapshot.lost_ring + s->snapshot.missed_source;
}

void dump_summary_state(const struct dump_summary *s, char *text, size_t size)
{
    if (s->unread)
        snprintf(text, size, "not read: %s", s->unread);
    else if (!s->frames)
        snprintf(text, size, "no frame");
    else if (s->damaged || s->missing || s->unsure)
        snprintf(text, size, "damaged: %" PRIu64 " stretches, %s%" PRIu64 " frames missing%s", s->damaged,
                 s->unsure ? "at least " : "", s->missing, s->whole ? "" : " in head and tail");
    else if (s->unknown)
        snprintf(text, size, "incomplete: %" PRIu64 " frames of unknown types%s", s->unknown,
                 s->whole ? "" : " in head and tail");
    else if (!s->ended)
        snprintf(text, size, "no end record");
    else if (s->status)
        snprintf(text, size, "the image reported failure");
    else
        snprintf(text, size, "complete");
}

void dump_summary_words(const struct dump_summary *s, char line[CONFIG_LINE])
{
    enum config_key keys[CONFIG_KEYS + 1];
    struct config standard;
    size_t count = 0;

    config_default(&standard);
    for (enum config_key key = 0; key < CONFIG_KEYS; key++)
        if (key != CONFIG_NOTE && key != CONFIG_OUTPUT && key != CONFIG_EXIT &&
            !config_same(&s->words, &standard, key))
            keys[count++] = key;
    keys[count] = CONFIG_KEYS;
    config_print_some(&s->words, keys, line);
}
