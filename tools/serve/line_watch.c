/* SPDX-License-Identifier: MIT */
/* Reads a line for ever. */
#include "tools/serve/line_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/printable.h"
#include "tools/stream/port.h"

#define RETRY_S         1.0
#define MODEL_SNAPSHOTS 300
#define MODEL_EPOCHS    8
#define READS_MOST      16 /* of a turn: a line that sends without end must not keep the others waiting */

static struct model *new_model(void)
{
    struct model *m = xcalloc(1, sizeof(*m));

    m->skips_samples = m->skips_changes = true;
    return m;
}

static void free_model(struct model *m)
{
    if (m)
        model_free(m);
    free(m);
}

void line_watch_begin(struct line_watch *l)
{
    const char *slash = strrchr(l->port, '/');

    l->name = printable_copy(slash ? slash + 1 : l->port, strlen(slash ? slash + 1 : l->port));
    l->in = -1;
    l->heard = monotonic_seconds();
    l->model = new_model();
    decoder_init(&l->stream);
}

static void open_line(struct line_watch *l, double now)
{
    if (now < l->retry)
        return;
    l->retry = now + RETRY_S;
    l->in = port_try(l->port, l->baud, PORT_WATCH);
    if (l->in < 0)
        return;
    fcntl(l->in, F_SETFL, fcntl(l->in, F_GETFL) | O_NONBLOCK);
    l->opened++;
    l->heard = now;
}

static void hang_up(struct line_watch *l)
{
    close(l->in);
    l->in = -1;
    l->hangups++;
    decoder_note_break(&l->stream);
    l->retry = monotonic_seconds() + RETRY_S;
}

/* ---- the model ---- */

struct epoch *line_watch_newest(const struct model *m)
{
    for (size_t i = m->epochs; i-- > 0;)
        if (m->epoch[i]->snapshot && !m->epoch[i]->second)
            return m->epoch[i];
    return NULL;
}

/* A model that knows who sends, and the last whole table. */
static struct model *begin_again(const struct line_watch *l)
{
    struct model *m = new_model();

    preface_fill_model(&l->preface, m);
    return m;
}

static bool is_large(const struct model *m)
{
    return m->full || m->epochs > MODEL_EPOCHS ||
           (m->epochs && m->epoch[m->epochs - 1]->head_count > MODEL_SNAPSHOTS);
}

static void add_to_models(struct line_watch *l, const struct stream_event *event)
{
    model_add_event(l->model, event);
    if (l->next)
        model_add_event(l->next, event);
    else if (is_large(l->model))
        l->next = begin_again(l);
    if (!l->next || !line_watch_newest(l->next))
        return;
    free_model(l->model);
    l->model = l->next;
    l->next = NULL;
}

/* ---- the stream ---- */

static void take_event(struct line_watch *l, const struct stream_event *event)
{
    if (event->kind == STREAM_VERSION)
        l->stream.state = STREAM_PREAMBLE; /* another image may follow */
    l->boots += boot_watch_event(&l->boot, event);
    l->ends += event->kind == STREAM_RECORD && event->reader.type == WIRE_END;
    preface_add_event(&l->preface, event);
    add_to_models(l, event);
    l->event(l->context, event);
}

static void take_bytes(struct line_watch *l, const uint8_t *bytes, size_t length)
{
    struct stream_event event;

    for (size_t at = 0; at < length;) {
        const size_t some = decoder_feed(&l->stream, bytes + at, length - at, &event);

        l->bytes(l->context, bytes + at, some);
        at += some;
        if (event.kind != STREAM_NOTHING)
            take_event(l, &event);
    }
}

/* Take what one read gives; false: that was all, for now or because the line has gone. */
static bool take_some(struct line_watch *l, double now)
{
    uint8_t bytes[1 << 12];
    const ssize_t got = read(l->in, bytes, sizeof(bytes));

    if (got > 0) {
        decoder_note_silence(&l->stream, now - l->heard);
        l->heard = now;
        take_bytes(l, bytes, (size_t)got);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        hang_up(l);
    }
    return got > 0;
}

/* A tty has more than the 4095 bytes that one read gives, so that only a read of nothing tells the end. */
void line_watch_serve(struct line_watch *l)
{
    const double now = monotonic_seconds();

    if (l->in < 0)
        open_line(l, now);
    l->more = l->in >= 0;
    for (unsigned reads = 0; l->more && reads < READS_MOST; reads++)
        l->more = take_some(l, now);
}

bool line_watch_write(struct line_watch *l, const uint8_t *bytes, size_t length)
{
    return l->in >= 0 && write(l->in, bytes, length) == (ssize_t)length;
}

struct epoch *line_watch_epoch(struct line_watch *l)
{
    struct epoch *e = line_watch_newest(l->model);

    if (e)
        epoch_name_rows(e);
    return e;
}

const struct model *line_watch_model(const struct line_watch *l)
{
    return l->model;
}

void line_watch_end(struct line_watch *l)
{
    if (l->in >= 0)
        close(l->in);
    free_model(l->model);
    free_model(l->next);
    preface_free(&l->preface);
    free(l->name);
}
