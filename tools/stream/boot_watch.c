/* SPDX-License-Identifier: MIT */
/* Tells the boots of a board apart. */
#include "tools/stream/boot_watch.h"

#include <string.h>

static bool take_hello(struct boot_watch *b, struct wire_reader r)
{
    struct wire_hello hello;
    bool boots;

    memset(&hello, 0, sizeof(hello));
    wire_read_head(&r, &hello);
    boots = !b->epoch || hello.now < b->now || (hello.epoch != b->epoch && (b->greeted || hello.now == b->now));
    *b = (struct boot_watch){.epoch = hello.epoch, .now = hello.now};
    return boots;
}

static void take_text(struct boot_watch *b, struct wire_reader r)
{
    struct wire_text_record head;

    if (wire_read_head(&r, &head) && head.epoch == 0)
        b->greeted = true;
}

/* A HELLO may be seconds old; a snapshot tells the time too. */
static void take_time(struct boot_watch *b, struct wire_reader r)
{
    union {
        struct wire_snapshot snapshot;
        struct wire_delta delta;
    } head;
    uint64_t end;

    if (!wire_read_head(&r, &head))
        return;
    end = r.type == WIRE_DELTA ? head.delta.end : head.snapshot.end;
    if (end > b->now)
        b->now = end;
}

bool boot_watch_event(struct boot_watch *b, const struct stream_event *event)
{
    if (event->kind != STREAM_RECORD)
        return false;
    switch (event->reader.type) {
    case WIRE_HELLO:
        return take_hello(b, event->reader);
    case WIRE_TEXT:
        take_text(b, event->reader);
        return false;
    case WIRE_SNAPSHOT:
    case WIRE_DELTA:
        take_time(b, event->reader);
        return false;
    default:
        return false;
    }
}
